import { expect, test } from 'vitest';
import { connectControl } from './control-connection.ts';
import type { LineTransport } from './transport.ts';

function connect() {
  const sent: string[] = [];
  const notified: string[] = [];
  let hear = (_line: string) => {};
  let end = (_why: { stderr: string; error: Error | null }) => {};
  const transport: LineTransport = {
    send: (line) => sent.push(line),
    onLine: (listener) => {
      hear = listener;
    },
    onClose: (listener) => {
      end = listener;
    },
    close: () => end({ stderr: '', error: null }),
  };
  const connection = connectControl(transport, {
    attached: () => {},
    notified: (name) => notified.push(name),
    closed: () => {},
  });
  return {
    connection,
    sent,
    notified,
    hear: (...lines: string[]) => lines.forEach(hear),
    close: transport.close,
  };
}

test('answers find their commands in order, whatever stands between and inside them', async () => {
  const { connection, sent, notified, hear } = connect();
  const first = connection.request([['a', "it's"], ['b']]);
  const second = connection.request([['c']]);
  expect(sent).toEqual([`'a' 'it'\\''s' ; 'b'`, `'c'`]);

  hear(
    '%begin 1 10 0',
    '%end 1 10 0',
    '%sessions-changed',
    '%begin 1 11 1',
    '%end 1 12 1',
    '%begin x',
    '%end 1 11 1',
  );
  hear('%begin 1 12 1', '%end 1 12 1', '%window-renamed @1 x', '%begin 2 13 1', 'out', '%end 2 13 1');
  expect(await first).toEqual({ kind: 'done', outputs: [['%end 1 12 1', '%begin x'], []] });
  expect(await second).toEqual({ kind: 'done', outputs: [['out']] });
  expect(notified).toEqual(['%sessions-changed', '%window-renamed']);
});

test('a refused command ends its list, and the next list gets its own answer', async () => {
  const { connection, hear } = connect();
  const first = connection.request([['a'], ['b'], ['c']]);
  const second = connection.request([['d']]);
  hear(
    '%begin 1 1 1',
    '%end 1 1 1',
    '%begin 1 2 1',
    'no such pane',
    '%error 1 2 1',
    '%begin 1 3 1',
    '%end 1 3 1',
  );
  expect(await first).toEqual({ kind: 'refused', message: 'no such pane' });
  expect(await second).toEqual({ kind: 'done', outputs: [[]] });
});

test('what is open when the connection ends is lost, and so is what comes after', async () => {
  const { connection, hear, close } = connect();
  const first = connection.request([['a']]);
  hear('%begin 1 1 1');
  close();
  expect(await first).toEqual({ kind: 'lost' });
  expect(await connection.request([['b']])).toEqual({ kind: 'lost' });
});

test('a connection whose answers no longer fit is given up', async () => {
  const { connection, hear } = connect();
  const first = connection.request([['a'], ['b']]);
  hear('%begin 1 1 1', '%end 1 1 1', 'the rest of a screen');
  expect(await first).toEqual({ kind: 'lost' });
});
