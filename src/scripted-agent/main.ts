// The scripted agent: a terminal program that behaves like Claude Code where a session manager touches it,
// and does what the directives in its prompts say. It needs no account and no network.

import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, fire } from './agent.ts';
import { type Options, parseArgs, UsageError } from './args.ts';
import { createAsking } from './asking.ts';
import { claimSession, leaveProcess, unlock } from './claim.ts';
import { trustDialog } from './dialog.ts';
import { parseFaults } from './faults.ts';
import { createHooks } from './hooks.ts';
import { createInput } from './input.ts';
import { readKeyboard } from './keyboard.ts';
import { createLoop } from './loop.ts';
import { openPainter, type Painter } from './painter.ts';
import { createPaths } from './paths.ts';
import { drawAnew, drawFrame, drawGarbage } from './screen.ts';
import { createSession } from './session.ts';
import { readSettings } from './settings.ts';
import { createStatusLine } from './status-line.ts';
import { readLines } from './transcript.ts';
import { version } from './version.ts';
import { createView } from './view.ts';

/** The real program hears no key at first; nor do we, and the box appears when we do. */
const DEAF_MS = 150;
const SESSION_END_MS = 1_500;

async function main(options: Options): Promise<void> {
  const settings = readSettings(options.settings);
  const faults = parseFaults(process.env.SCRIPTED_FAULTS ?? '');
  const cwd = process.cwd();
  const paths = createPaths(process.env, cwd);
  const { id, history } = claimSession(options, paths);

  const view = createView(options.permissionMode);
  view.log.push({
    kind: 'note',
    text: ` ▐▛███▛█   Scripted agent\n▝▜██████▀  ${options.model}\n ▝▝   ▝▝   ${cwd}`,
  });
  view.log.push(...(history?.said ?? []));
  const session = createSession(id, paths.transcript(id), cwd, faults);
  if (options.fork && options.resume !== null) session.copied = readLines(paths.transcript(options.resume));
  session.tokens.input = history?.inputTokens ?? null;
  session.tokens.next = history?.inputTokens ?? session.tokens.next;

  let ready = false;
  const painter = openPainter(process.stdin, process.stdout);
  const hasNewComposer = () => faults.newComposer !== null && !existsSync(faults.newComposer);
  const refresh = atMostOncePerTick(() => {
    const draw = faults.garbageScreen ? drawGarbage : hasNewComposer() ? drawAnew : drawFrame;
    if (ready) painter.paint(draw(view, painter.size, Date.now()));
  });
  if (hasNewComposer()) setInterval(refresh, 100).unref();
  const asking = createAsking(view, refresh);
  const agent: Agent = {
    habits: [],
    account: null,
    options,
    faults,
    paths,
    cwd,
    view,
    session,
    hooks: createHooks(settings, faults, cwd),
    statusLine: createStatusLine(settings.statusLine?.command ?? null),
    started: Promise.resolve(),
    refresh,
    ask: asking.ask,
    exit: (code, reason) => exit(agent, painter, code, reason),
  };

  const loop = createLoop(agent);
  const handle = createInput(agent, loop);
  readKeyboard(process.stdin, (input) => {
    if (ready && !asking.handle(input)) handle(input);
  });
  painter.onResize(refresh);
  process.on('SIGTERM', () => void agent.exit(143, 'other'));
  process.once('SIGHUP', async () => {
    await leave(agent, painter, 'other');
    // Without its terminal Node cannot end by itself in good order: it wants to reset what is gone.
    process.kill(process.pid, 'SIGHUP');
  });

  await pause(faults.slowStartMs);
  setTimeout(
    () => {
      ready = true;
      refresh();
    },
    Math.max(0, DEAF_MS - performance.now()),
  );
  if (faults.trustDialog && !(await agent.ask(trustDialog(cwd)))) {
    unlock(paths, id);
    leaveProcess(paths);
    painter.close();
    process.exit(1);
  }
  const source = !history ? 'startup' : options.fork ? 'fork' : 'resume';
  agent.started = fire(agent, 'SessionStart', { source, model: options.model }, source);
  agent.statusLine.schedule(agent);
  if (options.prompt !== null) loop.submit({ kind: 'prompt', text: options.prompt });
}

async function exit(agent: Agent, painter: Painter, code: number, reason: string): Promise<never> {
  await leave(agent, painter, reason);
  process.exit(code);
}

let leaving = false;

async function leave(agent: Agent, painter: Painter, reason: string): Promise<void> {
  // A second signal, or a key, changes nothing any more.
  if (leaving) return new Promise(() => {});
  leaving = true;
  const tooLong = new Promise((resolve) => setTimeout(resolve, SESSION_END_MS));
  await Promise.race([fire(agent, 'SessionEnd', { reason }, reason), tooLong]);
  unlock(agent.paths, agent.session.id);
  leaveProcess(agent.paths);
  painter.close();
}

function atMostOncePerTick(action: () => void): () => void {
  let pending = false;
  return () => {
    if (pending) return;
    pending = true;
    setImmediate(() => {
      pending = false;
      action();
    });
  };
}

function fail(error: unknown): never {
  process.stderr.write(`${error instanceof UsageError ? error.message : error}\n`);
  process.exit(1);
}

try {
  if (process.argv.includes('--version')) process.stdout.write(`${version} (Scripted agent)\n`);
  else main(parseArgs(process.argv.slice(2))).catch(fail);
} catch (error) {
  fail(error);
}
