import { describe, expect, it } from 'vitest';
import { createConnection } from '../../headless/connection.ts';
import { openingOf } from '../../headless/opening.ts';
import type { Transport } from '../../headless/transport.ts';
import { createApi } from './api.ts';
import { readAppServer } from './reader.ts';

/** A process that takes every line, and says what the test lets it say. */
function fakeProcess() {
  const lines: { id?: string; method?: string; params?: unknown }[] = [];
  const transport: Transport = {
    async send(_, line) {
      lines.push(JSON.parse(line));
      return true;
    },
    again: async () => true,
    reach: async () => true,
    close() {},
  };
  const clock = { now: () => 0, timer: () => ({ cancel() {} }) };
  const connection = createConnection(transport, clock, () => 'u');
  const reader = readAppServer();
  const says = (message: object) => {
    const { answers } = reader.line(JSON.stringify(message));
    if (answers) connection.hear(answers.id, answers.heard);
  };
  return { connection, lines, says };
}

describe('the requests', () => {
  it('carry in their ids what they open', async () => {
    const { connection, lines } = fakeProcess();
    const api = createApi(connection, () => 'u');
    void api.open({ how: 'start' }, { cwd: '/w' });
    void api.open({ how: 'clear', from: 't1' }, { cwd: '/w' });
    void api.startTurn('t1', 'hello');
    expect(lines.map(({ id }) => openingOf(id ?? ''))).toEqual([
      { how: 'start' },
      { how: 'clear', from: 't1' },
      null,
    ]);
  });

  it('greet a process that was greeted before', async () => {
    const { connection, lines, says } = fakeProcess();
    const hello = createApi(connection, () => 'u').initialize('1.0.0');
    says({ id: 'initialize:u', error: { code: -32600, message: 'Already initialized' } });
    expect(await hello).toMatchObject({ is: 'answer' });
    expect(lines.at(-1)).toEqual({ method: 'initialized' });
  });

  it.each([
    [{ result: { thread: { status: { type: 'idle' } } } }, { type: 'idle' }],
    [{ result: { thread: 7 } }, null],
    [{ error: { message: 'thread not loaded' } }, null],
  ])('ask for the status of a thread: %j', async (answer, status) => {
    const { connection, says } = fakeProcess();
    const asked = createApi(connection, () => 'u').status('t1');
    says({ id: 'status:u', ...answer });
    expect(await asked).toEqual(status);
  });
});
