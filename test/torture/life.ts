// What teams do all day, and what their human does in between.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../fuzz/dice.ts';
import { humanDeeds } from './human.ts';
import type { Stage } from './stage.ts';
import { habits } from './stage.ts';

export type Deed = (stage: Stage, d: Dice, number: number) => Promise<void>;
export type Deeds = Readonly<Record<string, { readonly weight: number; readonly do: Deed }>>;

const times = (weight: number, deed: Deed) => ({ weight, do: deed });

export const deeds: Deeds = {
  ...humanDeeds,
  message: times(60, send),
  'message by command': times(2, sendByCommand),
  'answer by the person': times(4, (stage, d) => answer(stage, d, () => ({}))),
  'answer by the parent': times(4, (stage, d) =>
    answer(stage, d, (parent) => (parent ? { requester_session_id: parent } : {})),
  ),
  'answer by command': times(1, answerByCommand),
  clear: times(2, (stage, d, n) =>
    act(stage, someone(stage, d), 'clear', { prompt: `begin anew ${n} [[say new ${n}]]` }),
  ),
  interrupt: times(3, (stage, d) => act(stage, someone(stage, d), 'interrupt', {})),
  compaction: times(2, (stage, d) => act(stage, someone(stage, d), 'slash', { command: '/compact' })),
  reminder: times(3, (stage, d) =>
    act(stage, someone(stage, d), 'remind', { soft_threshold: 2, hard_threshold: 4 }),
  ),
  'one-shot': times(3, remindOnce),
  'reminder cancelled': times(1, cancel),
  status: times(3, (stage, d) => act(stage, someone(stage, d), 'agent-status', { text: 'going on' })),
  wait: times(3, wait),
  lock: times(4, lock),
  unlock: times(3, unlock),
  handoff: times(3, handoff),
  withdrawal: times(2, withdraw),
  worker: times(1, startWorker),
  'worker killed': times(1, (stage, d) => killed(stage, d, stage.ids.slice(stage.team.length))),
  'killed and restored': times(1, killAndRestore),
  restore: times(3, restoreAll),
  'worktree removed': times(1, (stage, d) => worktree(stage, d, 'remove')),
};

/** The whole team, in places that are the same in every run of the seed; workers come and go. */
const someone = (stage: Stage, d: Dice): string => d.pick(stage.team);
const anyone = (stage: Stage, d: Dice): string => (d.once(6) ? d.pick(stage.ids) : d.pick(stage.team));

/** What a turn has to do on its way. */
const works = [
  '',
  '[[sleep 0.1]]',
  '[[sleep 0.6]]',
  '[[bash true]]',
  '[[ask true]]',
  '[[bash sleep 0.3]]',
  '[[edit notes.txt more]]',
  '[[fail overloaded]]',
  '[[background 1]]',
];

const textOf = (d: Dice, number: number): string =>
  `do ${number}. ${d.pick(works)} ${d.once(3) ? d.pick(works) : ''} [[say did ${number}.]]${d.once(9) ? `\n${'and more\n'.repeat(40)}` : ''}`;

async function send(stage: Stage, d: Dice, number: number): Promise<void> {
  const [to, from] = [anyone(stage, d), someone(stage, d)];
  const delivery_mode = d.pick(['sequential', 'sequential', 'sequential', 'important', 'urgent']);
  const text = textOf(d, number);
  const notices = {
    notify_on_stop: true,
    notify_on_delivery: d.once(5),
    ...(d.once(8) && { notify_after_seconds: 1 }),
  };
  const sender = from !== to && d.once(2) ? { sender_session_id: from, ...notices } : {};
  const more = {
    ...(d.once(12) && { timeout_seconds: 2 }),
    ...(d.once(12) && { remind_soft_threshold: 2, remind_hard_threshold: 4 }),
  };
  const body = { text, delivery_mode, ...sender, ...more };
  const told = await stage.kept.call('POST', `/sessions/${to}/input`, body);
  if (told?.status === 400) throw new Error(`message: ${JSON.stringify(told.body)}`);
  const answer = told === null ? 'unknown' : told.status === 200 ? 'ok' : 'refused';
  stage.asked.push({ words: `do ${number}.`, to, answer });
}

async function sendByCommand(stage: Stage, d: Dice, number: number): Promise<void> {
  const to = someone(stage, d);
  const { code } = await stage.daemon.sm('send', to, textOf(d, number));
  stage.asked.push({ words: `do ${number}.`, to, answer: code === 0 ? 'ok' : 'unknown' });
}

async function answer(stage: Stage, d: Dice, by: (parent: string | null) => object): Promise<void> {
  for (const id of stage.ids) {
    const { question, parent_session_id: parent } = await stage.session(id);
    const decision = d.pick(['allow', 'deny']);
    if (question && d.once(2))
      await act(stage, id, 'answer', { question: question.id, decision, ...by(parent) });
  }
}

async function answerByCommand(stage: Stage, d: Dice): Promise<void> {
  for (const id of stage.team) {
    const { question } = await stage.session(id);
    if (!question) continue;
    await stage.daemon.sm('answer', id, d.pick(['allow', 'deny']));
    return;
  }
}

export async function act(stage: Stage, id: string, what: string, body: object): Promise<void> {
  const answer = await stage.kept.call('POST', `/sessions/${id}/${what}`, body);
  // What is malformed would never do anything: that is a fault of this file.
  if (answer?.status === 400) throw new Error(`${what}: ${JSON.stringify(answer.body)}`);
  if (answer?.status !== 200) stage.note(`${what} refused`);
}

async function remindOnce(stage: Stage, d: Dice, number: number): Promise<void> {
  const every = d.once(4) ? { every_seconds: 10 } : {};
  const body = {
    session_id: someone(stage, d),
    delay_seconds: 1 + d.below(8),
    message: `remember ${number}.`,
    ...every,
  };
  const told = await stage.kept.call('POST', '/scheduler/remind', body);
  if (told?.status === 400) throw new Error(`one-shot: ${JSON.stringify(told.body)}`);
}

async function cancel(stage: Stage): Promise<void> {
  const all = await stage.kept.call<{ reminders: { reminder_id: string }[] }>('GET', '/scheduler/reminders');
  for (const { reminder_id } of all?.body.reminders ?? [])
    await stage.kept.call('DELETE', `/scheduler/remind/${reminder_id}`);
}

async function wait(stage: Stage, d: Dice): Promise<void> {
  const query = `watcher_session_id=${someone(stage, d)}&timeout_seconds=${1 + d.below(10)}`;
  await stage.kept.call('POST', `/sessions/${anyone(stage, d)}/watch?${query}`);
}

/** Three workspaces for all of them. */
async function lock(stage: Stage, d: Dice, number: number): Promise<void> {
  const path = join(stage.daemon.work, `agent-${d.below(Math.min(3, stage.team.length))}`);
  const id = someone(stage, d);
  const more = d.once(2) ? { wait_seconds: 1 + d.below(10) } : {};
  await act(stage, id, 'lock', { reason: `work ${number}`, path, requester_session_id: id, ...more });
}

async function unlock(stage: Stage, d: Dice): Promise<void> {
  const id = someone(stage, d);
  await stage.kept.call('DELETE', `/sessions/${id}/lock`, d.once(2) ? { requester_session_id: id } : {});
}

async function handoff(stage: Stage, d: Dice, number: number): Promise<void> {
  const file_path = join(stage.daemon.work, `handoff-${number}.md`);
  writeFileSync(file_path, `# Handoff ${number}\n\nGo on.\n`);
  const id = someone(stage, d);
  await act(stage, id, 'handoff', { file_path, requester_session_id: id });
  // Some agents tidy up too early.
  if (d.once(8)) rmSync(file_path);
}

async function withdraw(stage: Stage, d: Dice): Promise<void> {
  const path = `/sessions/${someone(stage, d)}/send-queue`;
  const queue = await stage.kept.call<{ pending_messages: { id: string }[] }>('GET', path);
  const [first] = queue?.body.pending_messages ?? [];
  if (first) await stage.kept.call('POST', `/messages/${first.id}/withdraw`, {});
}

/** One more session, in a worktree of its own. */
async function startWorker(stage: Stage, d: Dice, number: number): Promise<void> {
  if (stage.ids.length >= 2 * stage.team.length) return;
  const parent = someone(stage, d);
  const env = stage.launch(d.pick(habits));
  const body = {
    ...{ prompt: `do ${number}. [[say did ${number}.]]`, provider: 'scripted', worktree: {}, env },
    ...{ name: `worker-${number}`, working_dir: stage.repository, parent_session_id: parent },
  };
  const told = await stage.kept.call<{ session_id: string }>('POST', '/sessions/spawn', body);
  if (told?.status === 400) throw new Error(`worker: ${JSON.stringify(told.body)}`);
  if (told?.status === 200) stage.join(told.body.session_id, env);
}

async function killed(stage: Stage, d: Dice, among: readonly string[]): Promise<void> {
  if (among.length > 0) await act(stage, d.pick(among), 'kill', {});
}

async function killAndRestore(stage: Stage, d: Dice): Promise<void> {
  const id = someone(stage, d);
  const { parent_session_id: parent } = await stage.session(id);
  await act(stage, id, 'kill', parent && d.once(2) ? { requester_session_id: parent } : {});
  await new Promise((resolve) => setTimeout(resolve, d.below(3_000)));
  await stage.restore(id);
}

async function restoreAll(stage: Stage): Promise<void> {
  for (const id of stage.team) {
    const { phase } = await stage.session(id);
    if (phase === 'exited' || phase === 'lost') await stage.restore(id);
  }
}

async function worktree(stage: Stage, d: Dice, what: 'remove'): Promise<void> {
  const workers = stage.ids.slice(stage.team.length);
  if (workers.length > 0) await stage.kept.call('POST', `/sessions/${d.pick(workers)}/worktree/${what}`, {});
}
