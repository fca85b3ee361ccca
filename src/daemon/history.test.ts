// What is forgotten, and when, in virtual time on a real store and real files.
import { existsSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  batch,
  event,
  killed,
  message,
  messageStates,
  session,
} from '../../test/conformance/store/records.ts';
import { settled } from '../../test/support/engine.ts';
import type { Process, Session } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import { type VirtualClock, virtualClock } from '../engine/virtual-clock.ts';
import { silentLog } from '../ports/log.ts';
import type { Store } from '../ports/store.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { forgetHistory, type History } from './history.ts';
import { forgetFiles } from './old-files.ts';
import { resolvePaths } from './paths.ts';

const day = 24 * 3_600_000;
const now = 1_700_000_000_000;
const keepDays = 30;
const old = now - (keepDays + 1) * day;
const young = now - (keepDays - 5) * day;

let folder: string;
let store: Store;
let clock: VirtualClock;
let sessions: Session[];
let panes: string[];
let history: History | null;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sm-history-'));
  store = openSqliteStore(join(folder, 'sm.db'));
  clock = virtualClock(now);
  sessions = [];
  panes = [];
  history = null;
});
afterEach(async () => {
  await history?.stop();
  await store.close();
  rmSync(folder, { recursive: true });
});

function begin(files = forgetsFiles()): History {
  const engine = { all: () => sessions.map((each) => ({ session: each })) } as unknown as Engine;
  history = forgetHistory({
    store,
    engine,
    clock,
    log: silentLog,
    keepDays,
    forgetFiles: files,
    forgetWords: () => {},
  });
  return history;
}

const forgetsFiles = () =>
  forgetFiles({
    paths: resolvePaths({ SM_HOME: folder }, '/dist'),
    session: async (id) => (await store.state(id))?.session ?? null,
    isMessage: async (id) => (await store.message(id)) !== null,
    panes: async () => panes,
  });

/** Lets time pass, and whatever it brings, until that is over. */
async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) {
    clock.advance(10);
    await settled();
  }
}

/** One pass, to its end. */
async function forgotten(): Promise<void> {
  let done = false;
  const files = forgetsFiles();
  begin(async (before, between) => {
    await files(before, between);
    done = true;
  });
  clock.advance(5_000);
  await until(() => done);
}

const ended = (at: number): Process => ({ ...killed, at }) as Process;
const countEvents = async () => (await store.events({ after: 0, limit: 5_000 })).length;

describe('what is older than is to be known', () => {
  it('is forgotten soon after the start, and then day by day', async () => {
    await store.commit(batch({ events: [event('s1', old), event('s1', old + 2 * day), event('s1', young)] }));
    begin();
    clock.advance(4_999);
    await settled();
    expect(await countEvents()).toBe(3);
    clock.advance(1);
    await until(async () => (await countEvents()) === 2);
    clock.advance(day);
    await until(async () => (await countEvents()) === 1);
  });

  it('is forgotten in steps, with room for everybody else between them', async () => {
    await store.commit(batch({ events: Array.from({ length: 500 }, () => event('s1', old)) }));
    begin();
    clock.advance(5_000);
    await settled();
    const counts = [await countEvents()];
    while (counts.at(-1)) {
      await settled();
      // Nothing more happens until time passes.
      expect(await countEvents()).toBe(counts.at(-1));
      clock.advance(10);
      await settled();
      counts.push(await countEvents());
    }
    expect(counts.length).toBeGreaterThanOrEqual(10);
    for (const [i, count] of counts.entries()) expect((counts[i - 1] ?? 500) - count).toBeLessThanOrEqual(50);
  });

  it('stays where it is when the daemon stops, and nothing touches the store any more', async () => {
    await store.commit(batch({ events: Array.from({ length: 500 }, () => event('s1', old)) }));
    const { stop } = begin();
    clock.advance(5_010);
    await settled();
    await stop();
    const left = await countEvents();
    expect(left).toBeGreaterThan(300);
    clock.advance(3 * day);
    await settled();
    expect(await countEvents()).toBe(left);
  });

  it('is no fact of a turn that still runs: after a restart it is told once more', async () => {
    const running = session('s1');
    sessions = [{ ...running, turn: { beganAt: old - 1_000 } as Session['turn'] }];
    await store.commit(
      batch({
        events: [event('s1', old)],
        facts: [
          { id: 'before', at: old - 1_001 },
          { id: 'told', at: old },
        ],
      }),
    );
    await forgotten();
    expect(await countEvents()).toBe(0);
    expect(await store.knownFacts(['before', 'told'])).toEqual(new Set(['told']));
  });
});

describe('files', () => {
  /** A file in the state directory, last written at that time, as was its folder. */
  function file(name: string, at: number): string {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'x');
    for (const each of [path, dirname(path)]) utimesSync(each, at / 1_000, at / 1_000);
    return name;
  }
  const left = (names: readonly string[]) => names.filter((name) => existsSync(join(folder, name)));

  it('of messages go with them; those that were never sent, by their age', async () => {
    const at = (time: number) => ({ state: { ...messageStates.answered, at: time } as never });
    await store.commit(
      batch({
        sessions: [session('s1')],
        messages: [message('old', 1, at(old)), message('young', 2, at(young)), message('open', 3)],
      }),
    );
    const names = ['old', 'young', 'open', 'unsent'].map((id) => file(`messages/${id}.txt`, old));
    names.push(file('messages/justnow.txt', now));
    await forgotten();
    expect(left(names)).toEqual(['messages/young.txt', 'messages/open.txt', 'messages/justnow.txt']);
  });

  it('of sessions that are forgotten go, in every folder; those of the others stay', async () => {
    await store.commit(
      batch({
        sessions: [
          session('alive'),
          session('old', { process: ended(old) }),
          session('young', { process: ended(young) }),
          session('exited', { process: { ...killed, at: old, killed: false } as Process }),
        ],
      }),
    );
    panes = ['sm-unknown'];
    const ids = ['alive', 'old', 'young', 'exited', 'unknown', 'stranger'];
    const filesOf = (id: string) => [
      `sessions/${id}/settings.json`,
      `handoffs/${id}/recovery.json`,
      `spool/${id}/1-f1.hook`,
      `terminal/sm-${id}.77.run`,
      `terminal/sm-${id}.77.exit`,
    ];
    for (const id of ids) for (const name of filesOf(id)) file(name, old);
    await forgotten();
    for (const id of ['old', 'stranger']) {
      expect(left(filesOf(id))).toEqual([]);
      expect(left([`sessions/${id}`, `handoffs/${id}`, `spool/${id}`])).toEqual([]);
    }
    // Nobody knows one of them, but it runs in a pane.
    for (const id of ['alive', 'young', 'exited', 'unknown']) expect(left(filesOf(id))).toEqual(filesOf(id));
  });

  it('of a session that nobody knows stay for a while', async () => {
    const name = file('spool/stranger/1-f1.hook', young);
    await forgotten();
    expect(left([name])).toEqual([name]);
  });

  it('that a session handed over go when they are old, but for its last document', async () => {
    const handoffs = join(folder, 'handoffs/s1');
    const lastHandoff = {
      path: `${handoffs}/auto.md`,
      copy: `${handoffs}/7.md`,
      at: old,
      context: 7,
      idle: 0,
    };
    await store.commit(batch({ sessions: [session('s1', { lastHandoff })] }));
    const needed = ['recovery.json', 'auto.md', '7.md'].map((name) => file(`handoffs/s1/${name}`, old));
    const recent = file('handoffs/s1/6.md', young);
    const others = ['4.md', '5.md.new'].map((name) => file(`handoffs/s1/${name}`, old));
    await forgotten();
    expect(left([...needed, recent, ...others])).toEqual([...needed, recent]);
  });

  it('that were left behind go when they are old', async () => {
    await store.commit(batch({ sessions: [session('s1')] }));
    const waiting = ['1-f1.hook', 'newest.status'].map((name) => file(`spool/s1/${name}`, old));
    const needed = [...waiting, file('terminal/sm-s1.77.run', old), file('terminal/tmux.conf', old)];
    const others = [
      'spool/s1/1-f2.hook.unreadable',
      'spool/s1/.f3',
      'terminal/sm-s1.start-6b1',
      'terminal/tmux.conf.6b1',
    ].map((name) => file(name, old));
    const recent = file('spool/s1/1-f4.hook.unreadable', young);
    await forgotten();
    expect(left([...needed, recent, ...others])).toEqual([...needed, recent]);
  });
});
