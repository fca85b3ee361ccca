// Two agents and a daemon that is killed at a named point of what it does for them, started again, and judged by what
// the agents themselves have: their transcripts. The agents live on from case to case, so that whatever a case leaves
// behind spoils the next one.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EventView } from '../../src/protocol/event.ts';
import { eventName } from '../../src/protocol/event-name.ts';
import type { SessionView } from '../../src/protocol/session.ts';
import { startTestDaemon, type TestDaemon } from './daemon.ts';
import { jsonLines } from './json-lines.ts';

/** The agent that is sent to, if it is a real one. */
export interface Hand {
  readonly provider: string;
  readonly config: object;
  readonly env: Record<string, string>;
  readonly workingDir: string;
  /** Every text that it has taken, in all its conversations. */
  taken(): string[];
}

export interface CrashWorld {
  readonly daemon: TestDaemon;
  /** Sends, and is told. It is the other one's parent. */
  readonly boss: string;
  /** Is sent to. */
  readonly hand: string;
  /** Does this, and once more after a restart if the daemon dies over it: it must be safe to do twice. */
  surely<T>(work: () => Promise<T>): Promise<T>;
  /** Waits for an event of a session that came after the case began, over deaths of the daemon. */
  event(session: string, name: string | string[], more?: Record<string, unknown>): Promise<EventView>;
  /** The events of a session since the case began. */
  events(session: string): Promise<EventView[]>;
  /** Asks for something, unless the daemon has it already though it died before it could say so. */
  ask(path: string, body: object, isStored: (event: EventView) => boolean): Promise<void>;
  /** Where the one that is sent to works. */
  readonly handDir: string;
  /** Lets an agent go on that waits for this. */
  release(file: string): void;
  /** What stands in both panes, to tell why a case did not come to its end. */
  screens(): Promise<string>;
  screen(session: string, fits: (rows: string) => boolean): Promise<void>;
  /** Every text that an agent has taken, in all its conversations. */
  taken(session: string): string[];
  /** How many conversations an agent has had: one more with each clear. */
  conversations(session: string): number;
  /** From here on the daemon dies at this point (of `boss` or `hand`: `commit:after@hand#2`), once; null: nowhere. */
  begin(point: string | null): Promise<void>;
  /** Nothing is left to do for anybody. Tells whether the daemon died on the way, and what it passed. */
  end(): Promise<{ died: boolean; passed: string[] }>;
}

const connectionErrors = new Set(['ECONNRESET', 'ECONNREFUSED', 'ENOENT', 'EPIPE']);

export async function createCrashWorld(real?: Hand): Promise<CrashWorld> {
  // The contexts of agents that live through many cases grow, which is no matter of theirs.
  const config = { ...real?.config, context_monitor: { enabled: false } };
  const daemon = await startTestDaemon({ config });
  try {
    return await populate(daemon, real);
  } catch (error) {
    await daemon.dispose();
    throw error;
  }
}

async function populate(daemon: TestDaemon, real?: Hand): Promise<CrashWorld> {
  const file = join(dirname(daemon.home), 'crash-at');
  const env = { SM_CRASH_AT: `@${file}` };
  let died = false;
  let mark = 0;

  async function surely<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!connectionErrors.has((error as NodeJS.ErrnoException).code ?? '')) throw error;
      await daemon.death();
      died = true;
      rmSync(file, { force: true });
      await daemon.start(env);
      return surely(work);
    }
  }

  async function start(name: string, working_dir: string, more: object): Promise<string> {
    mkdirSync(working_dir, { recursive: true });
    const { status, body } = await daemon.call<{ id: string }>('POST', '/sessions', {
      provider: 'scripted',
      name,
      working_dir,
      ...more,
    });
    if (status !== 200) throw new Error(JSON.stringify(body));
    await daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
    return body.id;
  }

  const eventsOf = async (query: string) =>
    (await daemon.call<{ events: EventView[] }>('GET', `/events?${query}`)).body.events;
  const events = (session: string) => surely(() => eventsOf(`limit=1000&after=${mark}&session=${session}`));

  await daemon.crash();
  await daemon.start(env);
  const boss = await start('boss', join(daemon.work, 'boss'), {});
  const handDir = real?.workingDir ?? join(daemon.work, 'hand');
  const hand = await start('hand', handDir, {
    parent_session_id: boss,
    ...(real && { provider: real.provider, env: real.env }),
  });
  const folders = new Map<string, string>();

  return {
    daemon,
    boss,
    hand,
    surely,
    events,
    event: (session, name, more = {}) =>
      surely(() =>
        daemon.until(
          session,
          (event) =>
            [name].flat().includes(eventName(event)) &&
            Object.entries(more).every(([key, value]) => event[key] === value),
          mark,
        ),
      ),
    async ask(path, body, isStored) {
      await surely(async () => {
        if ((await events(hand)).some(isStored)) return;
        const answer = await daemon.call('POST', path, body);
        if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
      });
    },
    handDir,
    release: (name) => writeFileSync(join(handDir, name), ''),
    async screen(session, fits) {
      const deadline = Date.now() + 60_000;
      for (;;) {
        const rows = await daemon.tmux('capture-pane', '-p', '-t', `=sm-${session}:`);
        if (fits(rows)) return;
        if (Date.now() > deadline) throw new Error(`the screen never showed what was waited for:\n${rows}`);
      }
    },
    async screens() {
      const panes = [boss, hand].map((session) => daemon.tmux('capture-pane', '-p', '-t', `=sm-${session}:`));
      return (await Promise.all(panes)).map((rows) => rows.replace(/\n+/g, '\n')).join('\n');
    },
    taken(session) {
      if (real && session === hand) return real.taken();
      const folder = folders.get(session);
      return folder === undefined || !existsSync(folder)
        ? []
        : readdirSync(folder).flatMap((name) => promptsIn(join(folder, name)));
    },
    conversations: (session) => readdirSync(folders.get(session) as string).length,
    async begin(point) {
      for (const session of [boss, hand]) {
        const { transcript_path: path } = await daemon.session(session);
        if (path) folders.set(session, dirname(path));
      }
      mark = (await eventsOf('last=true&limit=1'))[0]?.number ?? 0;
      died = false;
      rmSync(`${file}.passed`, { force: true });
      writeFileSync(file, (point ?? 'nowhere').replace('@boss', `@${boss}`).replace('@hand', `@${hand}`));
    },
    async end() {
      for (const session of [boss, hand])
        await surely(() => daemon.untilSession(session, (each) => isDone(each)));
      rmSync(file, { force: true });
      // It may have died over the very last thing that it did.
      await surely(() => daemon.session(hand));
      const passed = existsSync(`${file}.passed`) ? readFileSync(`${file}.passed`, 'utf8').trim() : '';
      return { died, passed: passed.replaceAll(boss, 'boss').replaceAll(hand, 'hand').split('\n') };
    },
  };
}

const isDone = ({ phase, waiting }: SessionView): boolean => phase === 'idle' && waiting.count === 0;

function promptsIn(file: string): string[] {
  return jsonLines(file).flatMap((line) => {
    if (line.type === 'user' && line.promptId && typeof line.message?.content === 'string')
      return [line.message.content];
    return line.attachment?.type === 'queued_command' ? [line.attachment.prompt] : [];
  });
}
