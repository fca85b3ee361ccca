import { expect, test } from 'vitest';
import { daemon, sm } from '../../../test/support/sm.ts';
import { inside, session } from '../../../test/support/stand-in-daemon.ts';

const worker = session();
const tagged = session({ tags: ['api', 'night'] });
const answers = { 'GET /sessions/worker': worker, 'POST /sessions/66a8c9ee/tags': tagged };

test('tag: adds with + and removes with -', async () => {
  const { code, out, calls } = await sm(answers, ['tag', 'worker', '+night', '-old', '+api']);
  expect([code, out]).toEqual([0, 'Tags of worker (66a8c9ee): api night\n']);
  expect(calls[1]?.body).toEqual({ add: ['night', 'api'], remove: ['old'] });
});

test('tag without changes prints the tags, of yourself where nobody is named', async () => {
  const { out } = await sm({ 'GET /sessions/66a8c9ee': tagged }, ['tag', '--json'], { env: inside });
  expect(JSON.parse(out)).toEqual({ sessions: [{ session_id: '66a8c9ee', tags: ['api', 'night'] }] });
  const none = await sm(answers, ['tag', 'worker']);
  expect(none.out).toBe('Tags of worker (66a8c9ee): (none)\n');
});

test('a tag needs its sign, and outside of a session a session', async () => {
  const { code, err, calls } = await sm(answers, ['tag', 'worker', 'night']);
  expect([code, err]).toEqual([1, 'Error: Write +night to add that tag, or -night to remove it.\n']);
  expect(calls).toEqual([]);
  expect((await daemon.sm(['tag', '+night'])).code).toBe(2);
});

test('-h is help, also where words may have dashes', async () => {
  expect((await sm(answers, ['tag', '-h'])).out).toMatch(/^Usage: sm tag /);
  expect((await sm(answers, ['tag', 'worker', '--nigh'])).err).toMatch(/no option --nigh/);
});
