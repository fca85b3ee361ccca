// From here on everybody behaves: whatever is open must come to its end.
import type { SessionView } from '../../src/protocol/session.ts';
import type { Stage } from './stage.ts';

const patienceMs = 5 * 60_000;

export async function comeToRest(stage: Stage): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const views = await Promise.all(stage.ids.map((id) => stage.session(id)));
    const open = views.filter((view) => !isDone(view));
    if (open.length === 0) return;
    if (Date.now() > deadline)
      throw new Error(
        `it does not come to rest:\n${(await Promise.all(open.map((each) => described(stage, each)))).join('\n')}`,
      );
    for (const view of open) await help(stage, view);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

/** What a human has back in his composer stays with him. */
const isDone = ({ phase, waiting, limit }: SessionView): boolean =>
  phase === 'idle' && limit === null && (waiting.count === 0 || /composer/.test(waiting.held ?? ''));

async function help(stage: Stage, { id, phase, question, waiting }: SessionView): Promise<void> {
  if (phase === 'exited' || phase === 'lost') await stage.kept.call('POST', `/sessions/${id}/restore`, {});
  else if (question) {
    const body = { question: question.id, decision: 'deny' };
    const answer = await stage.kept.call('POST', `/sessions/${id}/answer`, body);
    // Its hook may be gone: then the dialog is the human's alone.
    if (answer?.status === 409) await stage.press(id, 'Escape');
  }
  // Somebody's line stands there, and nobody comes back to it.
  else if (waiting.count > 0 && waiting.held !== null) await stage.press(id, 'C-u');
}

async function described(stage: Stage, { id, phase, waiting }: SessionView): Promise<string> {
  const why = await stage.daemon.sm('why', id);
  const last = await stage.daemon.sm('tail', id, '-n', '12');
  return `${id} ${phase} ${JSON.stringify(waiting)}\n${why.stdout}${why.stderr}${last.stdout}`;
}
