// What a selector means is shown and asked for, and acted on by id.
import { expect, test } from 'vitest';
import { daemon, sm } from '../../test/support/sm.ts';
import { inputAnswer, inside, Refused, session } from '../../test/support/stand-in-daemon.ts';

const one = session({ id: '66a8c9ee', name: 'worker-1' });
const two = session({ id: '340d0709', name: 'worker-2', tags: ['night'] });
const answers = {
  'GET /rows?of=worker-*': { rows: [one, two] },
  'GET /rows?of=tag%3Anight': { rows: [two] },
  'GET /rows?of=tag%3Anigt': { rows: [] },
  'GET /rows?of=worker-1%2Cworker-*': { rows: [one, two] },
  'GET /sessions/66a8c9ee': one,
  'GET /sessions/340d0709': two,
  'POST /sessions/66a8c9ee/kill': {},
  'POST /sessions/340d0709/kill': {},
  'POST /sessions/66a8c9ee/input': inputAnswer({ state: 'accepted', message_id: 'm1' }),
  'POST /sessions/340d0709/input': inputAnswer({ state: 'accepted', message_id: 'm2' }),
  'POST /sessions/340d0709/tags': two,
};
const terminal = { inputIsTerminal: true, outputIsTerminal: true };
const killed = () => daemon.calls.filter(({ url }) => url.endsWith('/kill')).map(({ url }) => url);
const bothKilled = ['/sessions/66a8c9ee/kill', '/sessions/340d0709/kill'];

test('kill with a pattern shows the list, asks, and kills what was shown', async () => {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return 'y';
  };
  const { code, out } = await sm(answers, ['kill', 'worker-*'], { ...terminal, ask });
  expect(asked).toEqual(['Kill these 2 sessions? [y/N] ']);
  expect(out).toMatch(/NAME .*\nworker-1 .*\nworker-2 .*\nKilled worker-1 .*\nKilled worker-2 /s);
  expect([code, killed()]).toEqual([0, bothKilled]);
  expect(daemon.calls.filter(({ url }) => url.startsWith('/rows'))).toHaveLength(1);
});

test.each(['', 'n', 'yikes'])('whoever answers "%s" has done nothing', async (said) => {
  const { code, err } = await sm(answers, ['kill', 'worker-*'], { ...terminal, ask: async () => said });
  expect([code, err, killed()]).toEqual([1, 'Error: Nothing was done.\n', []]);
});

test('without a terminal it needs --yes, and says to what', async () => {
  const { code, err } = await sm(answers, ['kill', 'tag:night']);
  expect([code, killed()]).toEqual([1, []]);
  expect(err).toBe('Error: Add --yes to kill this session: worker-2 (340d0709). Nothing was done.\n');
  expect((await daemon.sm(['kill', 'worker-*', '--yes'])).code).toBe(0);
  expect(killed()).toEqual(bothKilled);
});

test('a name and a selector that mean the same session mean it once', async () => {
  await sm(answers, ['kill', 'worker-1', 'worker-*', '--yes']);
  expect(killed()).toEqual(bothKilled);
});

test('a selector that matches nothing is an error, and one of an older daemon does nothing', async () => {
  const { code, err } = await sm(answers, ['kill', 'tag:nigt', '--yes']);
  expect([code, err]).toEqual([1, 'Error: No session matches tag:nigt. See: sm all\n']);
  const old = { ...answers, 'GET /rows?of=worker-*': new Refused(404, 'Unknown request') };
  expect((await sm(old, ['kill', 'worker-*', '--yes'])).code).toBe(1);
  expect(killed()).toEqual([]);
});

test('send to a selector asks nothing, and leaves out the sender', async () => {
  const { out } = await sm(answers, ['send', 'worker-*', 'stop at ten'], { env: inside });
  expect(out).toBe('Accepted by worker-2 (340d0709) #m2\n');
  await sm(answers, ['send', 'worker-*', 'stop at ten', '--json']);
  expect(daemon.calls.filter(({ url }) => url.endsWith('/input'))).toHaveLength(2);
});

test('tag a selector', async () => {
  const { out } = await sm(answers, ['tag', 'tag:night', '+night']);
  expect(out).toBe('Tags of worker-2 (340d0709): night\n');
});
