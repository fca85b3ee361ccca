// Handoffs of Codex in a pane: a clear that is proven by a new thread, then the prompt, by its own rollouts.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { jsonLines } from '../support/json-lines.ts';
import { is, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { prepareCodexHome } from './codex-home.ts';
import { codexRollout } from './codex-rollout.ts';

const { root, keep } = tidy('codex-handoff');
const crashAt = join(root, 'crash-at');
let daemon: TestDaemon;
let model: Awaited<ReturnType<typeof startResponsesServer>>;
let home: ReturnType<typeof prepareCodexHome>;

beforeAll(async () => {
  model = keep(await startResponsesServer());
  home = prepareCodexHome(root, model.url);
  daemon = keep(
    await startTestDaemon({
      config: { codex: { command: process.env.SM_TEST_CODEX } },
      env: { SM_CRASH_AT: `@${crashAt}` },
    }),
  );
}, 60_000);

const document = (name: string, text: string): string => {
  const path = join(home.cwd, name);
  writeFileSync(path, text);
  return path;
};
const promptFor = (path: string) => `Read ${path} and continue from where you left off.`;

async function start(): Promise<string> {
  const id = await startWith(daemon, 'hello [[say ready]]', {
    provider: 'codex',
    working_dir: home.cwd,
    env: home.env,
  });
  await daemon.until(id, is('turn ended'));
  return id;
}

/** What it has been given in its present thread. */
const promptsOf = async (id: string): Promise<string[]> =>
  codexRollout.taken(jsonLines((await daemon.session(id)).transcript_path as string));

/** It asks for the handoff itself, and goes on until it may end its turn. */
async function handOver(id: string, name: string, meanwhile: () => Promise<void> = async () => {}) {
  const path = document(`${name}.md`, `Go on with ${name}.`);
  const wait = `for i in $(seq 600); do [ ! -e go-${name} ] || break; timeout 0.1 tail -f /dev/null; done`;
  const work = await sendText(daemon, id, `work [[bash sm handoff ${name}.md && ${wait}]] [[say bye]]`);
  await daemon.until(id, is('handoff scheduled', { path }));
  await meanwhile();
  document(`go-${name}`, '');
  return { path, work: work.message_id };
}

describe('a handoff of Codex', () => {
  it('clears on the proof of a new thread, reads the document there, and what waits comes after', async () => {
    const id = await start();
    const before = await daemon.session(id);
    let waits = '';
    const { path, work } = await handOver(id, 'one', async () => {
      waits = (await sendText(daemon, id, 'next [[say still here]]')).message_id;
    });
    const done = await daemon.until(id, is('handoff done', { path }));
    await daemon.until(id, is('message answered', { message: work }));
    await daemon.until(id, is('message answered', { message: waits }));
    const after = await daemon.session(id);
    expect(after).toMatchObject({
      phase: 'idle',
      last_handoff_path: path,
      context: { number: before.context.number + 1 },
    });
    expect(after.context.provider_id).not.toBe(before.context.provider_id);
    expect(after.transcript_path).toContain(after.context.provider_id);
    expect(await promptsOf(id)).toEqual([
      promptFor(path),
      `[sm] from the user #${waits}:\nnext [[say still here]]`,
    ]);
    await daemon.until(id, is('turn ended', { last_words: 'still here' }), done.number);
  });

  it('--auto: it writes its document when it is nearly full, and is rotated without a further call', async () => {
    const id = await start();
    // One from before does not count; what its model is to do when it is asked stands in the name.
    const path = document('auto [[bash sh write]].md', 'Old.');
    document('write', `echo Step two is next. > 'auto [[bash sh write]].md'`);
    await sendText(daemon, id, 'prepare [[bash sm handoff --auto auto*]] [[say prepared]]');
    await daemon.until(id, is('turn ended', { last_words: 'prepared' }));
    await sendText(daemon, id, 'fill [[usage 130000]] [[say full]]');
    const done = await daemon.until(id, is('handoff done', { path }));
    await daemon.until(id, is('turn ended'), done.number);
    expect(await promptsOf(id)).toEqual([promptFor(path)]);
    expect((await daemon.sm('handoff', '--show', id)).stdout).toBe('Step two is next.\n');
  });

  it.each(['submit:before', 'submit:after', 'publish-document:after'])(
    'gets its prompt once when the daemon dies at %s',
    async (point) => {
      const id = await start();
      const { path, work } = await handOver(id, point.replace(':', '-'), async () =>
        writeFileSync(crashAt, `effect:${point}`),
      );
      await daemon.death();
      rmSync(crashAt);
      await daemon.start();
      await daemon.until(id, is('message answered', { message: work }));
      const events = await daemon.events(id);
      expect(events.filter(is('context began'))).toHaveLength(2);
      expect(events.filter(is('handoff done'))).toHaveLength(1);
      expect(await promptsOf(id)).toEqual([promptFor(path)]);
      await daemon.untilSession(id, ({ phase }) => phase === 'idle');
    },
  );

  it('is given its document back after a compaction', async () => {
    const id = await start();
    const { work } = await handOver(id, 'kept');
    await daemon.until(id, is('message answered', { message: work }));
    expect((await daemon.sm('slash', id, '/compact')).code).toBe(0);
    await daemon.until(id, is('compaction ended'));
    await sendText(daemon, id, 'what now? [[say I know]]');
    const asked = await model.waitForRequest(({ prompt }) => prompt.includes('what now?'));
    const input = JSON.stringify(asked.body.input);
    expect(input).toContain('Go on with kept.');
    await daemon.until(id, is('turn ended', { last_words: 'I know' }));
  });
});
