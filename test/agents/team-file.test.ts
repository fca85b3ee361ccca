// A team in a file, both members real: Claude Code and Codex, each in a worktree of its own, started by a profile with a first
// prompt; their work comes home, and they come back with their conversations.
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { SessionView } from '../../src/protocol/session.ts';
import { startModelServer } from '../model/anthropic.ts';
import { startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository, type Repository } from '../support/repository.ts';
import { is, sendText } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { prepareCodexHome } from './codex-home.ts';

const { root, keep } = tidy('team-file');
let daemon: TestDaemon;
let claude: Awaited<ReturnType<typeof startModelServer>>;
let codex: Awaited<ReturnType<typeof startResponsesServer>>;
let env: Record<string, string>;
let repo: Repository;

beforeAll(async () => {
  claude = keep(await startModelServer());
  codex = keep(await startResponsesServer());
  const codexHome = prepareCodexHome(join(root, 'codex'), codex.url);
  repo = makeRepository(codexHome.cwd);
  // It asks for each worktree whether it is trusted, whatever lies above it.
  const cwd = `${repo.root}.worktrees/sm-pair.first`;
  const claudeHome = prepareClaudeHome(join(root, 'claude'), claude.url, { cwd });
  rmSync(cwd, { recursive: true });
  env = { ...codexHome.env, ...claudeHome.env };
  daemon = keep(
    await startTestDaemon({
      config: {
        claude: { command: process.env.SM_TEST_CLAUDE, args: ['--dangerously-skip-permissions'] },
        codex: { command: process.env.SM_TEST_CODEX },
        profiles: {
          writer: {
            agent: 'claude',
            model: 'claude-sonnet-4-5-20250929',
            env: { PEN: 'blue' },
            tags: ['pair'],
          },
          coder: { agent: 'codex', env: { PEN: 'red' }, worktree: true, tags: ['pair'] },
        },
      },
    }),
  );
  const work = (name: string) =>
    `Do it [[bash echo $PEN > ${name}.txt; git add .; git commit -qm ${name}]] [[say ${name} is done]]`;
  writeFileSync(
    join(repo.root, 'team.yaml'),
    JSON.stringify({
      team: 'pair',
      workers: {
        first: { profile: 'writer', worktree: true, prompt: work('first') },
        second: { profile: 'coder', prompt: work('second') },
      },
    }),
  );
}, 60_000);

const up = (...more: string[]) =>
  daemon.smWith(env, 'team', 'up', join(repo.root, 'team.yaml'), '--json', ...more);
const member = async (name: string): Promise<SessionView> => daemon.session(`pair.${name}`);

describe('a team of Claude Code and Codex in a file', () => {
  it('comes up in worktrees, with profiles, tags and first prompts', async () => {
    const { code, stdout, stderr } = await up();
    expect(code, stdout + stderr).toBe(0);
    for (const [name, pen, provider] of [
      ['first', 'blue', 'claude'],
      ['second', 'red', 'codex'],
    ] as const) {
      const { id, working_dir: tree, tags, provider: kind } = await member(name);
      const { last_words: words } = await daemon.until(id, is('turn ended'));
      expect(words).toContain(`${name} is done`);
      expect([kind, tags]).toEqual([provider, ['pair']]);
      expect(tree).toBe(`${repo.root}.worktrees/sm-pair.${name}`);
      expect(repo.gitIn(tree, 'show', `HEAD:${name}.txt`)).toBe(pen);
    }
    expect(repo.git('log', '--format=%s')).toBe('first');
  });

  it('brings its work home', async () => {
    for (const [name, how] of [
      ['first', '--merge'],
      ['second', '--rebase'],
    ] as const) {
      const { code, stderr } = await daemon.sm('finish', `pair.${name}`, how, '--yes');
      expect(code, stderr).toBe(0);
    }
    expect(repo.git('log', '--format=%s').split('\n')).toEqual(['second', 'first', 'first']);
    expect(existsSync(join(repo.root, 'second.txt'))).toBe(true);
  });

  it('goes down, and comes back with its conversations', async () => {
    const before = [await member('first'), await member('second')];
    expect((await daemon.sm('team', 'down', 'pair', '--yes')).code).toBe(0);
    const { code, stdout, stderr } = await up('--restore');
    expect(code, stdout + stderr).toBe(0);
    for (const { id, name, working_dir, context } of before) {
      const now = await daemon.untilSession(id, ({ phase }) => phase === 'idle');
      expect(now, name).toMatchObject({ working_dir, context: { provider_id: context.provider_id } });
      const { message_id } = await sendText(daemon, id, 'still there? [[say still here]]');
      await daemon.until(id, is('message answered', { message: message_id }));
    }
  });
});
