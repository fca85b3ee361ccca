// A daemon that is killed and comes back, a team of agents, and what was asked of them.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionView } from '../../src/protocol/session.ts';
import type { Dice } from '../fuzz/dice.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { type KeptDaemon, keepAlive } from '../support/kept-daemon.ts';
import { startIdle } from '../support/talk.ts';

export interface Stage {
  readonly daemon: TestDaemon;
  readonly kept: KeptDaemon;
  readonly ids: readonly string[];
  /** Counts what happens, by name. */
  note(what: string): void;
  readonly tally: ReadonlyMap<string, number>;
  session(id: string): Promise<SessionView>;
  /** Presses keys in a pane, as a human does; a pane that is gone has none. */
  press(id: string, ...keys: string[]): Promise<void>;
  close(): Promise<void>;
}

/** Hooks that are told twice or late, as some agents do. */
const habits = [
  '',
  '',
  'double-hook:Stop',
  'late-hook:PostToolUse:300',
  'late-hook:Stop:400',
  'double-hook:UserPromptSubmit',
];

export async function openStage(agents: number, d: Dice): Promise<Stage> {
  const daemon = await startTestDaemon({ config: { context_monitor: { enabled: false } } });
  const ids: string[] = [];
  for (let i = 0; i < agents; i += 1) {
    const working_dir = join(daemon.work, `agent-${i}`);
    mkdirSync(working_dir, { recursive: true });
    const parent = i > 0 && !d.once(4) ? { parent_session_id: d.pick(ids) } : {};
    const env = { SCRIPTED_FAULTS: d.pick(habits) };
    ids.push(await startIdle(daemon, `agent-${i}`, { working_dir, env, ...parent }));
  }
  const kept = keepAlive(daemon);
  const tally = new Map<string, number>();
  return {
    daemon,
    kept,
    ids,
    tally,
    note: (what) => tally.set(what, (tally.get(what) ?? 0) + 1),
    session: async (id) => (await kept.call<SessionView>('GET', `/sessions/${id}`))?.body as SessionView,
    press: (id, ...keys) =>
      daemon.tmux('send-keys', '-t', `=sm-${id}:`, ...keys).then(
        () => {},
        () => {},
      ),
    async close() {
      await kept.letGo();
      await daemon.dispose();
    },
  };
}
