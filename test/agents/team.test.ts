// A mixed team, both real: Claude Code leads, Codex works, each on its own stand-in model. What the one does to the other
// it does from its own shell.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { jsonLines } from '../support/json-lines.ts';
import { is, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { prepareCodexHome } from './codex-home.ts';
import { codexRollout } from './codex-rollout.ts';

const { root, keep } = tidy('team');
let daemon: TestDaemon;
let claude: Awaited<ReturnType<typeof startModelServer>>;
let codex: Awaited<ReturnType<typeof startResponsesServer>>;
let env: Record<string, string>;
let cwd: string;

beforeAll(async () => {
  claude = keep(await startModelServer());
  codex = keep(await startResponsesServer());
  const codexHome = prepareCodexHome(join(root, 'codex'), codex.url);
  cwd = codexHome.cwd;
  // What the manager's shell has, the sessions that it spawns have, too.
  env = { ...codexHome.env, ...prepareClaudeHome(join(root, 'claude'), claude.url, { cwd }).env };
  daemon = keep(
    await startTestDaemon({
      config: {
        claude: {
          command: process.env.SM_TEST_CLAUDE,
          args: ['--dangerously-skip-permissions'],
          default_model: 'claude-sonnet-4-5-20250929',
        },
        codex: { command: process.env.SM_TEST_CODEX },
        codex_app: { command: process.env.SM_TEST_CODEX },
      },
    }),
  );
}, 60_000);

async function spawn(provider: string, prompt: string, more: object = {}): Promise<string> {
  return startWith(daemon, prompt, {
    provider,
    working_dir: cwd,
    env,
    ...more,
  });
}

const written = (name: string, text: string): string => {
  const path = join(cwd, name);
  writeFileSync(path, text);
  return path;
};

/** What the worker itself has been given in its present conversation. */
const promptsOf = async (id: string): Promise<string[]> =>
  codexRollout.taken(jsonLines((await daemon.session(id)).transcript_path as string));

describe('a manager on Claude Code and a worker on Codex', () => {
  let manager: string;
  let worker: string;

  /** The manager does it in its own shell, in a turn of its own. */
  async function manage(command: string): Promise<void> {
    const { message_id } = await sendText(
      daemon,
      manager,
      `manage [[bash ${command} > out 2>&1]] [[say ok]]`,
    );
    await daemon.until(manager, is('message answered', { message: message_id }));
  }
  const output = () => readFileSync(join(cwd, 'out'), 'utf8');
  /** The notice has woken it: its model is asked, with these words. */
  const hears = (...words: string[]) =>
    claude.waitForRequest(({ prompt, absorbed }) =>
      [prompt, ...absorbed].some((text) => words.every((word) => text.includes(word))),
    );

  it('spawn: the worker is a child of the manager, which hears of its first turn', async () => {
    written('hello.txt', 'hello [[say ready for work]]');
    manager = await spawn('claude', 'lead [[say at your service]]', { name: 'manager' });
    await daemon.until(manager, is('turn ended'));
    await manage('sm spawn codex --file hello.txt --name worker');
    expect(output()).toContain('Spawned worker');
    const { body } = await daemon.call<{ children: { id: string; provider: string }[] }>(
      'GET',
      `/sessions/${manager}/children`,
    );
    expect(body.children).toMatchObject([{ provider: 'codex' }]);
    worker = body.children[0]?.id as string;
    await hears('[sm] worker stopped:', 'ready for work');
  });

  it('dispatch: a fresh context, a status from its shell, a reminder in its loop, and the end brought back', async () => {
    mkdirSync(join(cwd, '.sm'));
    written(
      '.sm/dispatch_templates.yaml',
      JSON.stringify({
        roles: {
          looper: {
            template:
              'Do {task}. [[bash sm status "half way"]] [[bash for i in $(seq 600); do [ ! -e reminded ] || break; timeout 0.1 tail -f /dev/null; done]] [[say all is mended]]',
          },
        },
      }),
    );
    const before = await daemon.session(worker);
    await manage('sm dispatch worker --role looper --task mending --remind 2');
    expect(output()).toMatch(/^Cleared worker.*\nAccepted by worker/);
    const sent = await daemon.until(worker, is('reminder sent', { kind: 'soft' }));
    expect(await daemon.session(worker)).toMatchObject({
      agent_status_text: 'half way',
      context: { number: before.context.number + 1 },
    });
    await daemon.until(worker, is('message accepted', { message: sent.message }));
    written('reminded', '');
    const reminded = await daemon.until(worker, is('message answered', { message: sent.message }));
    const events = await daemon.events(worker);
    const ends = events.filter(is('turn ended')).map(({ end, last_words }) => [end, last_words]);
    expect(ends).toEqual([
      ['ended', 'ready for work'],
      ['ended', 'all is mended'],
    ]);
    expect(events.filter(is('turn ended')).at(-1)?.turn).toBe(reminded.turn);
    expect(await promptsOf(worker)).toEqual([
      expect.stringContaining('Do mending.'),
      expect.stringContaining('[sm remind] Update your status'),
    ]);
    await hears('[sm] worker stopped:', 'all is mended');
    expect((await daemon.session(worker)).reminder).toBeNull();
  });

  it('compaction: the manager has it compact, hears of it, and what it sends meanwhile comes after', async () => {
    const before = await daemon.session(worker);
    await manage('sm slash worker /compact && sm send worker "and then?"');
    const began = await daemon.until(worker, is('compaction began'));
    const ended = await daemon.until(worker, is('compaction ended'), began.number);
    const { number } = await daemon.until(worker, is('message accepted'), began.number);
    expect(number).toBeGreaterThan(ended.number);
    await daemon.until(worker, is('turn ended'), number);
    expect(await daemon.session(worker)).toMatchObject({
      phase: 'idle',
      context: { number: before.context.number, provider_id: before.context.provider_id },
    });
    await hears('[sm] worker stopped:', 'and then?');
    await hears('[sm context] Compaction fired for worker.');
  });

  it('context: its marks are told to the worker and, after sm em, to the manager', async () => {
    await manage('sm em manager');
    expect(output()).toContain('how full the contexts of your children are: worker');
    const { message_id } = await sendText(daemon, worker, 'much [[usage 100000]] [[say that was much]]');
    await daemon.until(worker, is('message answered', { message: message_id }));
    const { percentage } = await daemon.until(worker, is('usage marked', { mark: 'warning' }));
    expect(percentage).toBe(50);
    await codex.waitForRequest(({ prompt }) => prompt.includes('[sm context] Context at 50%'));
    await hears(`[sm context] worker (${worker}) is at 50% of its context.`);
  });

  it('review: a new session reviews what the worker has done, and the manager hears the result', async () => {
    written('ask.txt', 'Is it mended? [[say It is, but slow]]');
    await manage('sm review worker --custom - < ask.txt');
    expect(output()).toMatch(/for the review\n.*\nYou get the result as a notice\.\n$/);
    await hears('stopped:', 'It is, but slow');
  });
});
