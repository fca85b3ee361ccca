// One real Claude Code for one test: a stand-in model, a recorder on every hook, a pane of its own. All of it
// is gone when the test is over, however it ends.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ModelServer, startModelServer } from '../model/anthropic.ts';
import { jsonLines } from '../support/json-lines.ts';
import { until } from '../support/until.ts';
import { type HomeOptions, prepareClaudeHome } from './claude-home.ts';
import { composer } from './claude-screen.ts';
import { launchPane, type Pane } from './pane.ts';
import { type Fact, type Recorder, startRecorder } from './recorder.ts';

export interface ClaudeSession {
  pane: Pane;
  recorder: Recorder;
  model: ModelServer;
  /** The SessionStart that this launch began with. */
  started: Fact;
  /** Pastes the text, presses Enter, and waits until the agent says that it has it. */
  prompt(text: string): Promise<Fact>;
  /** Waits for the first line of the session's transcript that the predicate accepts. */
  line(what: string, wanted: (line: TranscriptLine) => boolean): Promise<TranscriptLine>;
  transcript(): TranscriptLine[];
  /** Starts the program again in the same home, after the old one has gone; does not wait for its start. */
  relaunch(...args: string[]): Promise<Pane>;
  /** The same, and waits until it is ready. */
  again(...args: string[]): Promise<ClaudeSession>;
}

// biome-ignore lint/suspicious/noExplicitAny: the lines differ by type, and a test reads one field or two
export type TranscriptLine = { type: string; [field: string]: any };

export interface SessionOptions {
  args?: readonly string[];
  home?: HomeOptions;
  /** Without this, tools run unasked. */
  asksPermission?: boolean;
  /** Events whose hook waits for `recorder.answer`. */
  held?: readonly string[];
}

// A model whose window is 200,000 tokens, so that percentages can be foretold.
const model200k = 'claude-sonnet-4-5-20250929';

export async function startClaude(options: SessionOptions = {}): Promise<ClaudeSession> {
  return ready(await launchClaude(options));
}

/** Launches without waiting for anything: for what happens instead of a start. */
export async function launchClaude(options: SessionOptions = {}) {
  const dir = mkdtempSync(join(tmpdir(), 'sm-claude-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true, maxRetries: 5 }));
  const model = await startModelServer();
  onTestFinished(() => model.close());
  const recorder = startRecorder(dir, { held: options.held ?? [] });
  onTestFinished(() => recorder.close());
  const home = prepareClaudeHome(dir, model.url, options.home);

  const permission = options.asksPermission
    ? ['--permission-mode', 'manual']
    : ['--dangerously-skip-permissions'];
  const always = [program(), ...permission, '--settings', recorder.settings, '--model', model200k];
  const launch = async (args: readonly string[]) => {
    const pane = await launchPane({ argv: [...always, ...args], env: home.env, cwd: home.cwd });
    onTestFinished(() => pane.close());
    return pane;
  };
  return { pane: await launch(options.args ?? []), recorder, model, launch };
}

type Bare = Awaited<ReturnType<typeof launchClaude>>;

async function ready(bare: Bare, after = 0): Promise<ClaudeSession> {
  const { pane, recorder, model } = bare;
  await pane.shows('an empty composer', (screen) => composer(screen) === '');
  const started = await recorder.waitFor('SessionStart', { after });
  // A clear goes on in a file of its own.
  const path = () => recorder.facts().at(-1)!.transcript_path;
  const transcript = () => jsonLines<TranscriptLine>(path());
  const relaunch = async (...args: string[]) => {
    await pane.ended();
    return bare.launch(args);
  };

  return {
    pane,
    recorder,
    model,
    started,
    transcript,
    prompt: async (text) => {
      const before = recorder.mark();
      await pane.submit(text);
      return recorder.waitFor('UserPromptSubmit', { after: before });
    },
    line: (what, wanted) =>
      until(`a transcript line: ${what}`, () => transcript().find(wanted), {
        instead: () =>
          transcript()
            .map((line) => JSON.stringify(line).slice(0, 200))
            .join('\n'),
      }),
    relaunch,
    again: async (...args) => {
      const before = recorder.mark();
      return ready({ ...bare, pane: await relaunch(...args) }, before);
    },
  };
}

function program(): string {
  const path = process.env.SM_TEST_CLAUDE;
  if (!path) throw new Error('these tests need the real agent: run them with `npm run test:agents`');
  return path;
}
