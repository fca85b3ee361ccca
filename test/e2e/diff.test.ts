// What a session has changed, and comments on it that go to its agent as one message.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CommentView, DiffView } from '../../src/protocol/diff.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { is, promptsOf, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
let repo: Repository;
let id: string;
let tree: string;
let made = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());
beforeEach(async () => {
  made += 1;
  repo = makeRepository(join(daemon.work, `repo-${made}`));
  id = await startIdle(daemon, `w${made}`, { working_dir: repo.root, worktree: { branch: `x${made}` } });
  tree = (await daemon.session(id)).working_dir;
});

const write = (path: string, text: string) => writeFileSync(join(tree, path), text);
const line = { path: 'README.md', side: 'new', line: 1, quote: 'changed' } as const;
const comment = async (text: string, more: object = {}) =>
  daemon.call<CommentView>('POST', `/sessions/${id}/comments`, { ...line, text, ...more });
const comments = async () =>
  (await daemon.call<{ comments: CommentView[] }>('GET', `/sessions/${id}/comments`)).body.comments;

it('the changes of a worktree are what it has that its base has not, committed or not', async () => {
  write('README.md', 'changed\n');
  repo.gitIn(tree, 'commit', '--quiet', '--all', '-m', 'change');
  write('loose.txt', 'new\n');
  const { stdout } = await daemon.sm('diff', id);
  expect(stdout).toMatch(/^2 files changed since main \([0-9a-f]{9}\), \+2 -1\n/);
  expect(stdout).toContain('\nREADME.md  +1 -1\n@@\n-hello\n+changed\n');
  expect(stdout).toContain('\nloose.txt  +1 -0  (untracked)\n');
  const uncommitted = await daemon.sm('diff', id, '--uncommitted', '--json');
  const { files } = JSON.parse(uncommitted.stdout) as DiffView;
  expect(files.map(({ path }) => path)).toEqual(['loose.txt']);
});

it('a session outside of git says so', async () => {
  const outside = await startIdle(daemon, `outside${made}`);
  const { code, stderr } = await daemon.sm('diff', outside);
  expect(code).toBe(1);
  expect(stderr).toMatch(/The changes of outside\d+ \(\w+\) cannot be shown: not a git repository/);
});

it('comments are kept through kill -9, and go to the agent as one message, once', async () => {
  write('README.md', 'changed\n');
  const { body: first } = await comment('say why');
  await comment('and this', { line: 4, quote: 'more' });
  const { body: third } = await comment('not this one');
  expect((await daemon.call('DELETE', `/sessions/${id}/comments/${third.id}`)).status).toBe(200);
  await daemon.crash();
  await daemon.start();
  const kept = await comments();
  expect(kept.map(({ text }) => text)).toEqual(['say why', 'and this']);
  expect((await daemon.sm('diff', id)).stdout).toMatch(
    /2 comments, not sent yet\n {2}README.md:1, by the user\n {4}> changed\n {4}say why\n/,
  );
  const sent = await daemon.call<{ message_id: string }>('POST', `/sessions/${id}/comments/send`, {
    comments: kept.map((each) => each.id),
    text: 'Please look at these.',
  });
  expect(sent.status).toBe(200);
  await daemon.until(id, is('message answered', { message: sent.body.message_id }));
  const prompts = (await promptsOf(daemon, id)).filter((each) => each.includes('say why'));
  expect(prompts).toHaveLength(1);
  expect(prompts[0]).toContain(
    'Please look at these.\n\n2 comments on your changes:\n\nREADME.md:1\n> changed\nsay why\n\nREADME.md:4\n> more\nand this',
  );
  expect(await comments()).toEqual([]);
  const again = await daemon.call('POST', `/sessions/${id}/comments/send`, { comments: [first.id] });
  expect(again.status).toBe(404);
});

it('another session may read them, and write none', async () => {
  const stranger = await startIdle(daemon, `stranger${made}`);
  const { status, body } = await comment('let me', { requester_session_id: stranger });
  expect([status, body]).toMatchObject([
    403,
    {
      detail: expect.stringMatching(
        /^Only the parent of w\d+ \(\w+\), or a person, may comment on its changes/,
      ),
    },
  ]);
});
