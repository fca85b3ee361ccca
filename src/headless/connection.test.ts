import { describe, expect, it } from 'vitest';
import { createConnection } from './connection.ts';
import type { Transport } from './transport.ts';

/** A process as far as we can tell: it takes lines, or does not, and says what the test lets it say. */
function fakeProcess(takes: () => boolean | 'hangs' = () => true) {
  const lines: object[] = [];
  const timers: (() => void)[] = [];
  let closed = false;
  const transport: Transport = {
    async send(_, line) {
      const taken = takes();
      if (taken === 'hangs') return new Promise(() => {});
      if (taken) lines.push(JSON.parse(line));
      return taken;
    },
    again: async () => true,
    reach: async () => true,
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
  const connection = createConnection(transport, clock, () => 'u');
  return {
    connection,
    lines,
    answers: (id: string, result: unknown) => connection.hear(id, { is: 'answer', result }),
    timeIsUp() {
      for (const fire of [...timers]) fire();
    },
    timers,
    isClosed: () => closed,
  };
}

describe('a connection', () => {
  it('gives each request its own answer, in whatever order they come', async () => {
    const { connection, answers, lines } = fakeProcess();
    const [one, two] = [connection.request('1', { ask: 1 }, 10), connection.request('2', { ask: 2 }, 10)];
    answers('2', { two: 2 });
    connection.hear('1', { is: 'refusal', message: 'no' });
    expect(lines).toEqual([{ ask: 1 }, { ask: 2 }]);
    expect(await one).toEqual({ is: 'refusal', message: 'no' });
    expect(await two).toEqual({ is: 'answer', result: { two: 2 } });
  });

  it('takes no notice of answers that nobody asked for, and of a second answer', async () => {
    const { connection, answers } = fakeProcess();
    const asked = connection.request('1', {}, 10);
    answers('9', {});
    answers('1', 'first');
    answers('1', 'second');
    expect(await asked).toEqual({ is: 'answer', result: 'first' });
  });

  it('ends a request that is not answered, and leaves no timer behind', async () => {
    const { connection, timeIsUp, timers } = fakeProcess();
    const asked = connection.request('1', {}, 10);
    timeIsUp();
    expect(await asked).toEqual({ is: 'silence' });
    expect(timers).toEqual([]);
  });

  it('says that nobody is there, now or suddenly', async () => {
    expect(await fakeProcess(() => false).connection.request('1', {}, 10)).toEqual({ is: 'gone' });
    const { connection, isClosed } = fakeProcess();
    const asked = connection.request('1', {}, 10);
    connection.close();
    expect(await asked).toEqual({ is: 'gone' });
    expect(isClosed()).toBe(true);
  });

  it('does not wait for a process that does not read', async () => {
    const { connection, timeIsUp } = fakeProcess(() => 'hangs');
    const asked = connection.request('1', {}, 10);
    const answered = connection.say({});
    timeIsUp();
    expect(await asked).toEqual({ is: 'silence' });
    expect(await answered).toBe(false);
  });
});
