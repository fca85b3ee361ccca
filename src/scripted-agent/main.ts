// The scripted agent: a terminal program that behaves like Claude Code where a session manager touches it,
// and does what the directives in its prompts say. It needs no account and no network.

import type { Agent } from './agent.ts';
import { fire } from './agent.ts';
import { parseArgs, UsageError } from './args.ts';
import { answerDialog, type Dialog, trustDialog } from './dialog.ts';
import { parseFaults } from './faults.ts';
import { createHooks } from './hooks.ts';
import { createInput } from './input.ts';
import { createKeyDecoder, type Input } from './keys.ts';
import { createLane } from './lane.ts';
import { openPainter } from './painter.ts';
import { createPaths, inUse, lock, unlock } from './paths.ts';
import { drawFrame, type Frame } from './screen.ts';
import { createSession, newId } from './session.ts';
import { readSettings } from './settings.ts';
import { createStatusLine } from './status-line.ts';
import { type History, readHistory } from './transcript.ts';
import { createView } from './view.ts';

/** The real program hears no key at first; nor do we, and the box appears when we do. */
const DEAF_MS = 150;
/** A lone ESC that no sequence follows within this time is the Escape key. */
const ESCAPE_MS = 20;
const SESSION_END_MS = 1_500;

const FOOTERS: Record<string, string> = {
  bypassPermissions: '⏵⏵ bypass permissions on (shift+tab to cycle)',
  acceptEdits: '⏵⏵ accept edits on (shift+tab to cycle)',
  auto: '⏵⏵ auto mode on (shift+tab to cycle)',
  plan: '⏸ plan mode on (shift+tab to cycle)',
  default: '⏸ manual mode on',
};

async function main(): Promise<void> {
  const options = parseArgs(process.argv.slice(2));
  const settings = readSettings(options.settings);
  const faults = parseFaults(process.env.SCRIPTED_FAULTS ?? '');
  const cwd = process.cwd();
  const paths = createPaths(process.env, cwd);
  const { sessionId, history } = identify();
  lock(paths, sessionId);

  const painter = openPainter(process.stdin, process.stdout);
  const view = createView(FOOTERS[options.permissionMode] ?? '');
  view.log.push({
    kind: 'note',
    text: ` ▐▛███▛█   Scripted agent\n▝▜██████▀  ${options.model}\n ▝▝   ▝▝   ${cwd}`,
  });
  view.log.push(...(history?.said ?? []));

  let dialog: { answer(input: Input): void } | null = null;
  let painted = true;
  let ready = false;
  let exiting = false;

  const agent: Agent = {
    options,
    faults,
    paths,
    cwd,
    view,
    hooks: createHooks(settings, faults, cwd),
    statusLine: createStatusLine(settings.statusLine?.command ?? null),
    session: createSession(sessionId, paths.transcript(sessionId), cwd),
    started: Promise.resolve(),
    refresh() {
      if (!painted) return;
      painted = false;
      setImmediate(() => {
        painted = true;
        if (ready)
          painter.paint(
            faults.garbageScreen ? garbage(painter.size.rows) : drawFrame(view, painter.size, Date.now()),
          );
      });
    },
    ask: (question, signal) =>
      new Promise((resolve) => {
        const close = () => {
          view.dialog = null;
          dialog = null;
          agent.refresh();
        };
        signal.addEventListener('abort', close, { once: true });
        view.dialog = question;
        dialog = {
          answer(input) {
            const step = answerDialog(view.dialog as Dialog<Awaited<ReturnType<typeof agent.ask>>>, input);
            if ('dialog' in step) view.dialog = step.dialog;
            else {
              close();
              resolve(step.answer as never);
            }
            agent.refresh();
          },
        };
        agent.refresh();
      }),
    async exit(code, reason) {
      if (!exiting) {
        exiting = true;
        const late = new Promise((resolve) => setTimeout(resolve, SESSION_END_MS));
        await Promise.race([fire(agent, 'SessionEnd', { reason }, reason), late]);
        unlock(paths, agent.session.id);
        painter.close();
        process.exit(code);
      }
      return new Promise<never>(() => {});
    },
  };
  if (history) agent.session.tokens.input = history.inputTokens;
  if (history?.inputTokens) agent.session.tokens.next = history.inputTokens;

  const lane = createLane(agent);
  const handle = createInput(agent, lane);
  readKeys((input) => {
    if (!ready) return;
    if (dialog) dialog.answer(input);
    else handle(input);
  });
  for (const signal of ['SIGTERM', 'SIGHUP'] as const)
    process.on(signal, () => void agent.exit(signal === 'SIGTERM' ? 143 : 129, 'other'));
  painter.onResize(agent.refresh);

  setTimeout(
    () => {
      ready = true;
      agent.refresh();
    },
    Math.max(DEAF_MS - performance.now(), faults.slowStartMs),
  );
  if (faults.trustDialog && !(await agent.ask(trustDialog(cwd), new AbortController().signal)))
    return agent.exit(1, 'other');
  const source = options.resume === null ? 'startup' : 'resume';
  agent.started = fire(agent, 'SessionStart', { source, model: options.model }, source);
  agent.statusLine.schedule(agent);
  await agent.started;
  if (options.prompt !== null) lane.submit({ kind: 'prompt', text: options.prompt });

  function identify(): { sessionId: string; history: History | null } {
    if (options.resume !== null) {
      const history = readHistory(paths.transcript(options.resume));
      if (!history) throw new UsageError(`No conversation found with session ID: ${options.resume}`);
      return { sessionId: options.resume, history };
    }
    const sessionId = options.sessionId ?? newId();
    if (inUse(paths, sessionId)) throw new UsageError(`Error: Session ID ${sessionId} is already in use.`);
    return { sessionId, history: null };
  }
}

function readKeys(handle: (input: Input) => void): void {
  const decoder = createKeyDecoder();
  let timer: NodeJS.Timeout | undefined;
  process.stdin.on('data', (chunk: Buffer) => {
    clearTimeout(timer);
    decoder.push(chunk).forEach(handle);
    if (decoder.pending) timer = setTimeout(() => decoder.flush().forEach(handle), ESCAPE_MS);
  });
}

function garbage(rows: number): Frame {
  return {
    rows: Array.from({ length: rows }, (_, y) => '▚▞'.repeat(((y * 7) % 13) + 3)),
    cursor: { x: 0, y: 0 },
  };
}

main().catch((error: unknown) => {
  if (!(error instanceof UsageError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
