// What teams do all day, and what their human does in between.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../fuzz/dice.ts';
import type { Stage } from './stage.ts';

type Deed = (stage: Stage, d: Dice, number: number) => Promise<void>;

/** How often, compared with the others. */
const deeds: readonly (readonly [number, string, Deed])[] = [
  [60, 'message', send],
  [6, 'draft', draft],
  [4, 'escape', (stage, d) => stage.press(d.pick(stage.ids), 'Escape')],
  [10, 'answer', answer],
  [3, 'clear', (stage, d, n) => act(stage, d, 'clear', { prompt: `begin anew ${n} [[say new]]` })],
  [3, 'interrupt', (stage, d) => act(stage, d, 'interrupt', {})],
  [3, 'compaction', (stage, d) => act(stage, d, 'slash', { command: '/compact' })],
  [3, 'reminder', (stage, d) => act(stage, d, 'remind', { soft_threshold: 2, hard_threshold: 4 })],
  [3, 'status', (stage, d) => act(stage, d, 'agent-status', { text: 'going on' })],
  [3, 'wait', wait],
  [2, 'handoff', handoff],
  [2, 'withdrawal', withdraw],
  [2, 'restore', restore],
];
const total = deeds.reduce((sum, [weight]) => sum + weight, 0);

export async function liveOn(stage: Stage, d: Dice, number: number): Promise<void> {
  let at = d.below(total);
  for (const [weight, name, deed] of deeds) {
    at -= weight;
    if (at >= 0) continue;
    stage.note(name);
    return deed(stage, d, number);
  }
}

const works = [
  '',
  '[[sleep 0.1]]',
  '[[sleep 0.6]]',
  '[[bash true]]',
  '[[think 0.2]]',
  '[[ask true]]',
  '[[bash sleep 0.3]]',
];

async function send(stage: Stage, d: Dice, number: number): Promise<void> {
  const [to, from] = [d.pick(stage.ids), d.pick(stage.ids)];
  const mode = d.pick(['sequential', 'sequential', 'sequential', 'important', 'urgent']);
  await stage.kept.call('POST', `/sessions/${to}/input`, {
    text: `do ${number} ${d.pick(works)} ${d.once(3) ? d.pick(works) : ''} [[say did ${number}]]`,
    delivery_mode: mode,
    ...(from !== to && d.once(2) ? { sender_session_id: from, notify_on_stop: true } : {}),
    ...(d.once(12) ? { timeout_seconds: 2 } : {}),
  });
}

/** A line that somebody types, and sends, deletes, or leaves for a moment. */
async function draft(stage: Stage, d: Dice, number: number): Promise<void> {
  const id = d.pick(stage.ids);
  await stage.press(id, '-l', `human ${number}`);
  await new Promise((resolve) => setTimeout(resolve, d.below(800)));
  await stage.press(id, d.once(2) ? 'Enter' : 'C-u');
}

async function answer(stage: Stage, d: Dice): Promise<void> {
  for (const id of stage.ids) {
    const { question } = await stage.session(id);
    if (question && d.once(2))
      await act(stage, d, 'answer', { question: question.id, decision: d.pick(['allow', 'deny']) }, id);
  }
}

async function act(stage: Stage, d: Dice, what: string, body: object, id = d.pick(stage.ids)): Promise<void> {
  const answer = await stage.kept.call('POST', `/sessions/${id}/${what}`, body);
  // What is malformed would never do anything: that is a fault of this file.
  if (answer?.status === 400) throw new Error(`${what}: ${JSON.stringify(answer.body)}`);
  if (answer?.status !== 200) stage.note(`${what} refused`);
}

async function wait(stage: Stage, d: Dice): Promise<void> {
  const query = `watcher_session_id=${d.pick(stage.ids)}&timeout_seconds=${1 + d.below(10)}`;
  await stage.kept.call('POST', `/sessions/${d.pick(stage.ids)}/watch?${query}`);
}

async function handoff(stage: Stage, d: Dice, number: number): Promise<void> {
  const file_path = join(stage.daemon.work, `handoff-${number}.md`);
  writeFileSync(file_path, `# Handoff ${number}\n\nGo on.\n`);
  const id = d.pick(stage.ids);
  await act(stage, d, 'handoff', { file_path, requester_session_id: id }, id);
}

async function withdraw(stage: Stage, d: Dice): Promise<void> {
  const id = d.pick(stage.ids);
  const queue = await stage.kept.call<{ messages?: { id: string }[] }>('GET', `/sessions/${id}/queue`);
  const [first] = queue?.body.messages ?? [];
  if (first) await stage.kept.call('POST', `/messages/${first.id}/withdraw`, {});
}

async function restore(stage: Stage): Promise<void> {
  for (const id of stage.ids) {
    const { phase } = await stage.session(id);
    if (phase === 'exited' || phase === 'lost') await stage.kept.call('POST', `/sessions/${id}/restore`, {});
  }
}
