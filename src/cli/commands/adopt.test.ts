import { describe, expect, test } from 'vitest';
import { sm } from '../../../test/support/sm.ts';
import { session } from '../../../test/support/stand-in-daemon.ts';

const free = {
  provider: 'claude',
  id: 'c0ffee00-0000-4000-8000-000000000001',
  working_dir: '/repo/shop',
  first_words: 'fix the\nlogin',
  modified_at: '2025-01-02T11:58:00.000Z',
  session: null,
  open: null,
};
const open = { ...free, id: 'c0ffee00-0000-4000-8000-000000000002', open: { pid: 77 } };
const ours = {
  ...free,
  id: 'c0ffee00-0000-4000-8000-000000000003',
  session: { id: 'abcd1234', name: 'login', killed: false },
};
const found = (...conversations: object[]) => ({
  'POST /conversations/find': { conversations },
  'POST /conversations/adopt': session(),
});
const terminal = { inputIsTerminal: true, outputIsTerminal: true, columns: 140 };

test('adopt alone lists them, the newest first, with who has them', async () => {
  const { out, err } = await sm(found(free, open, ours), ['adopt']);
  expect(out.split('\n')).toEqual([
    'CONVERSATION                          AGENT   USED    DIRECTORY   OWNER             FIRST WORDS',
    `${free.id}  claude  2m ago  /repo/shop                    fix the login`,
    `${open.id}  claude  2m ago  /repo/shop  open (pid 77)     fix the login`,
    `${ours.id}  claude  2m ago  /repo/shop  login (abcd1234)  fix the login`,
    '',
  ]);
  expect(err).toBe('Go on with one: sm adopt --conversation ID, or choose: sm adopt --pick\n');
});

describe('adopt --pick', () => {
  test('shows those that are free or open, and takes the one that is named by its number', async () => {
    const { out, calls } = await sm(found(ours, free), ['adopt', '--pick'], {
      ...terminal,
      ask: async () => '1',
    });
    expect(out).toContain(`1  ${free.id}`);
    expect(out).not.toContain(ours.id);
    expect(calls[1]?.body).toMatchObject({ provider: 'claude', id: free.id });
    expect(calls[1]?.body).not.toHaveProperty('end_pid');
  });

  test.each(['', '2', 'x'])('does nothing for the answer "%s"', async (said) => {
    const { code, calls } = await sm(found(free), ['adopt', '--pick'], {
      ...terminal,
      ask: async () => said,
    });
    expect([code, calls.length]).toEqual([1, 1]);
  });
});

describe('one that is open', () => {
  const argv = ['adopt', '--conversation', open.id];

  test('is ended only after a yes', async () => {
    const yes = await sm(found(open), argv, { ...terminal, ask: async () => 'y' });
    expect(yes.calls[1]?.body).toMatchObject({ id: open.id, end_pid: 77 });
    const no = await sm(found(open), argv, { ...terminal, ask: async () => '' });
    expect([no.code, no.calls.length]).toEqual([1, 1]);
  });

  test('without a terminal, needs --end', async () => {
    expect((await sm(found(open), argv)).err).toContain('or add --end to end it.');
    expect((await sm(found(open), [...argv, '--end'])).calls[1]?.body).toMatchObject({ end_pid: 77 });
  });
});

test.each([
  [['adopt', '%1', '--pick'], 'Name one thing to adopt: a PANE, --conversation ID, or --pick.'],
  [['adopt', '--pick'], '--pick asks, and here is nobody to answer. Name one: sm adopt --conversation ID'],
  [['adopt', '--conversation', 'x'], 'No conversation x in which anything was said. See: sm adopt'],
])('sm %s is refused in words', async (argv, words) => {
  const { code, err } = await sm({ 'POST /conversations/find': { conversations: [] } }, argv);
  expect([code, err]).toEqual([1, `Error: ${words}\n`]);
});
