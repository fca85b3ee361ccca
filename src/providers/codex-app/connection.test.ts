import { describe, expect, it } from 'vitest';
import { createApi, openingOf } from './api.ts';
import { createConnection } from './connection.ts';
import { parseLine } from './incoming.ts';
import type { Transport } from './transport.ts';

/** A process as far as we can tell: it takes lines, or does not, and says what the test lets it say. */
function fakeProcess(takes: () => boolean | 'hangs' = () => true) {
  const lines: { id?: string; method?: string; params?: unknown }[] = [];
  const timers: (() => void)[] = [];
  let closed = false;
  const transport: Transport = {
    async send(line) {
      const taken = takes();
      if (taken === 'hangs') return new Promise(() => {});
      if (taken) lines.push(JSON.parse(line));
      return taken;
    },
    close() {
      closed = true;
    },
  };
  const clock = {
    now: () => 0,
    timer(_: number, callback: () => void) {
      timers.push(callback);
      return { cancel: () => void timers.splice(timers.indexOf(callback), 1) };
    },
  };
  const connection = createConnection(transport, clock);
  return {
    connection,
    lines,
    says: (message: object | string) =>
      connection.hear(parseLine(typeof message === 'string' ? message : JSON.stringify(message))),
    timeIsUp() {
      for (const fire of [...timers]) fire();
    },
    timers,
    isClosed: () => closed,
  };
}

describe('a connection', () => {
  it('gives each request its own answer, in whatever order they come', async () => {
    const { connection, says } = fakeProcess();
    const [one, two] = [connection.request('1', 'a', {}, 10), connection.request('2', 'b', {}, 10)];
    says({ id: '2', result: { two: 2 } });
    says({ id: '1', error: { code: 1, message: 'no' } });
    expect(await one).toEqual({ is: 'refusal', message: 'no' });
    expect(await two).toEqual({ is: 'answer', result: { two: 2 } });
  });

  it('takes no notice of nonsense, of answers that nobody asked for, and of a second answer', async () => {
    const { connection, says } = fakeProcess();
    const asked = connection.request('1', 'a', {}, 10);
    for (const line of ['', 'panic!', '{"id":"9","result":{}}', '{"id":"1"}', '{"id":{"a":1},"result":1}'])
      says(line);
    says({ id: '1', result: 'first' });
    says({ id: '1', result: 'second' });
    expect(await asked).toEqual({ is: 'answer', result: 'first' });
  });

  it('ends a request that is not answered, and leaves no timer behind', async () => {
    const { connection, timeIsUp, timers } = fakeProcess();
    const asked = connection.request('1', 'a', {}, 10);
    timeIsUp();
    expect(await asked).toEqual({ is: 'silence' });
    expect(timers).toEqual([]);
  });

  it('says that nobody is there, now or suddenly', async () => {
    expect(await fakeProcess(() => false).connection.request('1', 'a', {}, 10)).toEqual({ is: 'gone' });
    const { connection, isClosed } = fakeProcess();
    const asked = connection.request('1', 'a', {}, 10);
    connection.close();
    expect(await asked).toEqual({ is: 'gone' });
    expect(isClosed()).toBe(true);
  });

  it('does not wait for a process that does not read', async () => {
    const { connection, timeIsUp } = fakeProcess(() => 'hangs');
    const asked = connection.request('1', 'a', {}, 10);
    const answered = connection.respond(0, {});
    timeIsUp();
    expect(await asked).toEqual({ is: 'silence' });
    expect(await answered).toBe(false);
  });
});

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
