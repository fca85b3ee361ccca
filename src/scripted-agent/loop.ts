// One thing at a time: what is submitted runs now, or waits for the running turn; an interrupt cuts it.
// The order of transcript lines around an interrupt is the real program's, odd as it is: a prompt that comes
// before the interrupted turn has settled lends its id to the interrupt's lines.

import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, fire, notify, say } from './agent.ts';
import { runCommand } from './commands.ts';
import { isEmpty, setDraft } from './composer.ts';
import { announce, type Origin, record } from './opening.ts';
import { playTurn } from './play.ts';
import { createQueue, type Work } from './queue.ts';
import { newId } from './session.ts';
import { createSpinner } from './spinner.ts';
import { Refused, rejectToolUse, type TurnHost } from './tool.ts';
import { createTurn, type Turn, writeAnswer } from './turn.ts';

export interface Loop {
  submit(work: Work): void;
  /** False when there is nothing to interrupt. */
  interrupt(): boolean;
  /** Takes back what waits for the running turn. */
  popQueued(): string[];
}

interface Run {
  /** Null for a slash command. */
  turn: Turn | null;
  settled: Promise<void>;
}

/** How long the real program takes to let go of a request or a tool that was cut. */
const SETTLE_MS = 20;
const IDLE_NOTICE_MS = 60_000;

export function createLoop(agent: Agent): Loop {
  const { view } = agent;
  const queue = createQueue(agent);
  const spinner = createSpinner(agent);
  let current: Run | null = null;
  let idleNotice: NodeJS.Timeout | undefined;

  function submit(work: Work): void {
    if (isFree()) {
      start([work], 'typed');
      return;
    }
    // What is typed during a command (a compaction takes long) is told when it is taken up.
    const told = work.kind === 'prompt' && current?.turn !== null;
    queue.add({ ...work, told });
    if (told) void fire(agent, 'UserPromptSubmit', { prompt: work.text });
  }

  const isFree = () => !current || current.turn?.abort.signal.aborted === true;

  function start(batch: Work[], origin: Origin): void {
    clearTimeout(idleNotice);
    const predecessor = current;
    const turn = batch[0]!.kind === 'command' ? null : createTurn(batch.at(-1)!.text);
    const run: Run = { turn, settled: Promise.resolve() };
    current = run;
    agent.session.promptId = turn?.promptId ?? newId();
    spinner.spin();
    run.settled = perform(run, batch, origin, predecessor).then((next) => {
      if (current !== run) return;
      current = null;
      spinner.stop();
      if (next.length > 0) start(next, 'queued');
    });
  }

  /** Runs to the end, and returns what is to be taken up next. */
  async function perform(run: Run, batch: Work[], origin: Origin, predecessor: Run | null): Promise<Work[]> {
    const { turn } = run;
    await agent.started;
    if (!turn) {
      await runCommand(agent, batch[0]!.text);
      return queue.takeBatch();
    }
    // A tool takes its time to die: what comes after it does not wait to be heard.
    if (!predecessor?.turn?.toolUse) await predecessor?.settled;
    const logged = view.log.length;
    try {
      await announce(agent, turn, batch);
      turn.abort.signal.throwIfAborted();
      const prompt = await record(agent, turn, batch, origin);
      await predecessor?.settled;
      turn.abort.signal.throwIfAborted();
      await playTurn(agent, turn, prompt, host);
    } catch (error) {
      if (error instanceof Refused) return settle(run, logged, true);
      if (turn.abort.signal.aborted) return settle(run, logged, false);
      throw error;
    }
    const next = queue.takeBatch();
    writeDuration(turn);
    say(agent, 'end', `Worked for ${Math.round((Date.now() - turn.startedAt) / 1_000)}s · done`);
    idleNotice = setTimeout(
      () => notify(agent, 'idle_prompt', 'Claude is waiting for your input'),
      IDLE_NOTICE_MS,
    );
    return next;
  }

  function interrupt(): boolean {
    const turn = current?.turn;
    if (!turn || turn.ending || turn.abort.signal.aborted) return false;
    turn.abort.abort();
    spinner.stop();
    if (turn.toolUse && !queue.isEmpty) start(queue.takeBatch(), 'queued');
    return true;
  }

  /** Leaves the traces of an interrupt, and returns what was enqueued meanwhile: it is sent at once. */
  async function settle(run: Run, logged: number, refused: boolean): Promise<Work[]> {
    const turn = run.turn!;
    await turn.toolUse?.stopped;
    await pause(SETTLE_MS);
    const isLast = current === run;
    if (isLast && !turn.answered && queue.isEmpty && isEmpty(view.composer)) {
      view.composer = setDraft(view.composer, turn.prompt);
      view.log.length = logged;
      agent.refresh();
      return [];
    }
    const next = isLast ? queue.takeBatch() : [];
    const cut = turn.toolUse?.messageId ?? writeCutSpeech(turn);
    if (turn.toolUse) rejectToolUse(agent, turn.toolUse.id);
    const text = `[Request interrupted by user${turn.toolUse ? ' for tool use' : ''}]`;
    agent.session.transcript.add({
      type: 'user',
      promptId: agent.session.promptId,
      message: { role: 'user', content: [{ type: 'text', text }] },
      ...(cut !== null && !refused ? { interruptedMessageId: cut } : {}),
    });
    say(agent, 'result', 'Interrupted · What should Claude do instead?');
    if (refused) writeDuration(turn);
    return next;
  }

  function writeCutSpeech({ speech }: Turn): string | null {
    return speech === null ? null : writeAnswer(agent, [{ type: 'text', text: speech }], null);
  }

  function writeDuration(turn: Turn): void {
    const durationMs = Date.now() - turn.startedAt;
    agent.session.transcript.add({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false });
  }

  const host: TurnHost = {
    absorb: queue.absorb,
    backgroundDone(description, id) {
      const summary = `Background command "${description}" completed (exit code 0)`;
      const lines = [
        `<task-id>${id}</task-id>`,
        '<status>completed</status>',
        `<summary>${summary}</summary>`,
      ];
      const text = `<task-notification>\n${lines.join('\n')}\n</task-notification>`;
      // It goes through the queue even when nothing runs.
      queue.add({ kind: 'notification', text });
      if (isFree()) start(queue.takeBatch(), 'queued');
    },
  };

  return { submit, interrupt, popQueued: queue.popAll };
}
