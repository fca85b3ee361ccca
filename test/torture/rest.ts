// From here on everybody behaves: whatever is open must come to its end.
import type { SessionView } from '../../src/protocol/session.ts';
import type { Stage } from './stage.ts';

const patienceMs = 5 * 60_000;

export async function comeToRest(stage: Stage): Promise<void> {
  stage.machine.setMood(null);
  stage.machine.moveClock(0);
  await cancelRecurring(stage);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const views = await Promise.all(stage.ids.map((id) => stage.session(id)));
    const open = views.filter((view) => !isDone(view));
    if (open.length === 0 && !(await isAwaited(stage))) return;
    if (performance.now() > deadline)
      throw new Error(
        `it does not come to rest:\n${(await Promise.all(open.map((each) => described(stage, each)))).join('\n')}`,
      );
    for (const view of open) await help(stage, view);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function cancelRecurring(stage: Stage): Promise<void> {
  for (const { reminder_id, every_seconds } of await pending(stage))
    if (every_seconds !== null) await stage.kept.call('DELETE', `/scheduler/remind/${reminder_id}`);
}

async function pending(stage: Stage) {
  const all = await stage.kept.call<{ reminders: { reminder_id: string; every_seconds: number | null }[] }>(
    'GET',
    '/scheduler/reminders',
  );
  return all?.body.reminders ?? [];
}

/** Something is still to come at its time. */
const isAwaited = async (stage: Stage): Promise<boolean> => (await pending(stage)).length > 0;

/** What a human has back in his composer stays with him. Workers that were killed are done. */
const isDone = ({ phase, waiting, limit, ended, reminder }: SessionView): boolean =>
  ended?.killed === true ||
  (phase === 'idle' &&
    limit === null &&
    reminder === null &&
    (waiting.count === 0 || waiting.held === 'returned'));

async function help(stage: Stage, view: SessionView): Promise<void> {
  const { id, phase, question, waiting } = view;
  if (phase === 'exited' || phase === 'lost') {
    // A worker's own worktree may have been removed.
    await stage.kept.call('POST', `/sessions/${id}/worktree/restore`, {});
    await stage.restore(id);
  } else if (question) {
    const body = { question: question.id, decision: 'deny' };
    const answer = await stage.kept.call('POST', `/sessions/${id}/answer`, body);
    // Its hook may be gone: then the dialog is the human's alone.
    if (answer?.status === 409) await stage.press(id, 'Escape');
  }
  // A draft that is higher than the pane, or the screen that goes back in the conversation: somebody left it open.
  else if (view.screen_unrecognised_since !== null) await stage.press(id, 'C-c', 'Escape');
  // Somebody's line stands there, and nobody comes back to it.
  else if (waiting.count > 0 && waiting.held !== null) await stage.press(id, 'C-u');
  // A reminder for an agent that has nothing to do is taken back by whoever asked for it.
  else if (phase === 'idle' && view.reminder) await stage.kept.call('DELETE', `/sessions/${id}/remind`);
}

async function described(stage: Stage, { id, phase, waiting }: SessionView): Promise<string> {
  const why = await stage.daemon.sm('why', id);
  const last = await stage.daemon.sm('tail', id, '-n', '12');
  return `${id} ${phase} ${JSON.stringify(waiting)}\n${why.stdout}${why.stderr}${last.stdout}`;
}
