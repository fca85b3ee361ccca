// Locks between sessions, on the scripted agent in real tmux: claimed, denied, waited for, and gone with their owner.

import { existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { LockAnswer, LockView, WorkspaceView } from '../../src/protocol/lock.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf } from '../support/talk.ts';

let daemon: TestDaemon;
let repo: string;
let made = 0;
beforeAll(async () => {
  daemon = await startTestDaemon();
});
afterAll(() => daemon.dispose());
beforeEach(() => {
  made += 1;
  mkdirSync(join(daemon.work, `repo-${made}`, '.git'), { recursive: true });
  repo = realpathSync(join(daemon.work, `repo-${made}`));
});

async function start(name: string, more: object = {}): Promise<string> {
  const { status, body } = await daemon.call<{ id: string }>('POST', '/sessions', {
    provider: 'scripted',
    working_dir: repo,
    name: `${name}-${made}`,
    ...more,
  });
  expect(status, JSON.stringify(body)).toBe(200);
  await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
  return body.id;
}
/** Lets it do something, and waits for the end of that turn. */
async function work(id: string, text: string): Promise<string> {
  const after = (await daemon.events(id)).at(-1)?.number ?? 0;
  await daemon.call('POST', `/sessions/${id}/input`, { text });
  return String((await daemon.until(id, is('turn ended'), after)).last_words);
}
const lock = (id: string, more: object = {}) =>
  daemon.call<LockAnswer>('POST', `/sessions/${id}/lock`, { reason: 'mine', ...more });
const unlock = (id: string, by?: string) =>
  daemon.call('DELETE', `/sessions/${id}/lock`, by ? { requester_session_id: by } : undefined);
const holders = async () =>
  (await daemon.call<{ locks: LockView[] }>('GET', '/locks')).body.locks
    .filter(({ workspace }) => workspace === repo)
    .map(({ session_id }) => session_id);

describe('a lock', () => {
  it('is taken with sm lock, seen by all, outlives the turn, and is released with sm unlock', async () => {
    const [owner, other] = [await start('owner'), await start('other')];
    mkdirSync(join(repo, 'src'));
    await work(owner, '[[bash cd src && sm lock moving files]]');
    const { lock: held } = await daemon.session(owner);
    expect(held).toMatchObject({ workspace: repo, reason: 'moving files', enforced: false });
    expect(await lock(other)).toMatchObject({
      status: 409,
      body: { detail: expect.stringContaining(`owner-${made} (${owner}) has held the lock on ${repo} for`) },
    });
    // Advisory: it says who, and hinders nobody.
    await work(other, '[[edit advisory.txt hello]]');
    expect(readFileSync(join(repo, 'advisory.txt'), 'utf8')).toBe('hello');
    const shown = `owner-${made} (${owner}) holds ${repo}: "moving files" for`;
    expect((await daemon.sm('status')).stdout).toContain(shown);
    await work(owner, '[[bash sm unlock]]');
    expect(await holders()).toEqual([]);
    expect(await lock(other)).toMatchObject({ status: 200, body: { status: 'locked' } });
  });

  it('of two that want it at once, one has it', async () => {
    const both = [await start('a'), await start('b')];
    const answers = await Promise.all(both.map((id) => lock(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(await holders()).toHaveLength(1);
  });

  it('is released by a person in a shell, or the parent, and by no stranger; its owner is told', async () => {
    const parent = await start('parent');
    const child = await start('child', { parent_session_id: parent });
    const stranger = await start('stranger');
    await lock(child);
    expect(await unlock(child, stranger)).toMatchObject({ status: 403 });
    expect(await unlock(child, parent)).toMatchObject({ status: 200, body: { workspace: repo } });
    await daemon.until(child, is('turn ended'));
    expect((await promptsOf(daemon, child)).at(-1)).toContain(
      `Your lock on ${repo} was released by your parent`,
    );
    expect(await unlock(child)).toMatchObject({ status: 409 });
    await lock(child);
    expect(await daemon.sm('unlock', child)).toMatchObject({ code: 0, stdout: `Unlocked ${repo}.\n` });
  });

  it('is on one worktree only', async () => {
    const [owner, other] = [await start('owner'), await start('other')];
    mkdirSync(join(repo, 'side/.git'), { recursive: true });
    await lock(owner);
    expect(await lock(other, { path: join(repo, 'side') })).toMatchObject({
      status: 200,
      body: { lock: { workspace: join(repo, 'side') } },
    });
  });
});

describe('an enforced lock', () => {
  it('denies the edits of others in the workspace, and tells them who and why', async () => {
    const [owner, other] = [await start('owner'), await start('other')];
    await lock(owner, { reason: 'do not touch', enforce: true });
    const denied = await work(other, '[[edit new.txt hello]]');
    expect(existsSync(join(repo, 'new.txt'))).toBe(false);
    const transcript = readFileSync(String((await daemon.session(other)).transcript_path), 'utf8');
    expect(transcript, denied).toContain(`owner-${made} (${owner}) has held the lock on ${repo} for`);
    expect(transcript).toContain('do not touch');

    await work(owner, '[[edit own.txt hello]]');
    expect(existsSync(join(repo, 'own.txt'))).toBe(true);
    mkdirSync(join(repo, 'side/.git'), { recursive: true });
    await work(other, `[[edit side/far.txt hello]] [[edit ${join(daemon.work, 'outside.txt')} hello]]`);
    expect(existsSync(join(repo, 'side/far.txt'))).toBe(true);
    expect(existsSync(join(daemon.work, 'outside.txt'))).toBe(true);

    await unlock(owner);
    await work(other, '[[edit new.txt hello]]');
    expect(existsSync(join(repo, 'new.txt'))).toBe(true);
  });

  it('hinders nobody while the daemon is away', async () => {
    const [owner, other] = [await start('owner'), await start('other')];
    await lock(owner, { enforce: true });
    const go = join(repo, 'go');
    await daemon.call('POST', `/sessions/${other}/input`, { text: `[[wait ${go}]] [[edit new.txt hello]]` });
    const { number } = await daemon.until(other, is('turn began'));
    await daemon.crash();
    mkdirSync(go);
    await existing(join(repo, 'new.txt'));
    await daemon.start();
    await daemon.until(other, is('turn ended'), number);
    expect(await holders()).toEqual([owner]);
  });
});

describe('who waits for a lock', () => {
  it('does not have it, is told when it is free, and takes it', async () => {
    const [owner, other] = [await start('owner'), await start('other')];
    await lock(owner);
    await work(other, '[[bash sm lock mine --wait 600 || echo $? >waited]]');
    expect(readFileSync(join(repo, 'waited'), 'utf8')).toBe('1\n');
    expect((await daemon.session(owner)).lock?.waiting_session_ids).toEqual([other]);
    const after = (await daemon.events(other)).at(-1)?.number ?? 0;
    await unlock(owner, owner);
    await daemon.until(other, is('turn ended'), after);
    expect((await promptsOf(daemon, other)).at(-1)).toBe(
      `[sm] The lock on ${repo} is free: owner-${made} (${owner}) released it. Take it with: sm lock "REASON"`,
    );
    expect(await lock(other)).toMatchObject({ status: 200 });
  });

  it('is told when the time is over', async () => {
    const [owner, other] = [await start('owner'), await start('other')];
    await lock(owner);
    expect(await lock(other, { wait_seconds: 1 })).toMatchObject({
      status: 200,
      body: { status: 'waiting', lock: { session_id: owner } },
    });
    await daemon.until(other, is('turn ended'));
    expect(await promptsOf(daemon, other)).toEqual([expect.stringContaining('is not free after 1 second')]);
  });

  it('is told when its holder is lost, also after the daemon was killed', async () => {
    const [owner, other] = [await start('owner'), await start('other')];
    await lock(owner, { enforce: true });
    await lock(other, { wait_seconds: 3_600 });
    await daemon.crash();
    await daemon.tmux('kill-session', '-t', `=sm-${owner}`);
    await daemon.start();
    await daemon.until(other, is('turn ended'));
    expect(await promptsOf(daemon, other)).toEqual([
      expect.stringContaining(`is free: owner-${made} (${owner}) was lost`),
    ]);
    expect(await holders()).toEqual([]);
    await work(other, '[[edit new.txt hello]]');
    expect(existsSync(join(repo, 'new.txt'))).toBe(true);
  });
});

describe('sm alone', () => {
  it('says whether anybody else lives in the workspace', async () => {
    const one = await start('one');
    expect(await work(one, '[[bash sm alone && echo yes >alone]]')).toBeDefined();
    expect(readFileSync(join(repo, 'alone'), 'utf8')).toBe('yes\n');
    const view = () =>
      daemon.call<WorkspaceView>('GET', `/workspace?path=${encodeURIComponent(join(repo, 'x'))}`);
    expect((await view()).body).toMatchObject({ workspace: repo, lock: null, sessions: [{ id: one }] });
    const two = await start('two');
    await work(one, '[[bash sm alone >others || echo $? >code]]');
    expect(readFileSync(join(repo, 'code'), 'utf8')).toBe('1\n');
    expect(readFileSync(join(repo, 'others'), 'utf8')).toContain(two);
    await daemon.call('POST', `/sessions/${two}/kill`);
    expect((await view()).body.sessions).toHaveLength(1);
  });
});

/** Nobody tells of a file while the daemon is away, so it is looked for. */
async function existing(file: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  while (!existsSync(file)) {
    if (Date.now() > deadline) throw new Error(`${file} was never made`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
