// One thing at a time: what is submitted runs now, or waits for the running turn; an interrupt cuts it.
// The order of transcript lines around an interrupt is the real program's, odd as it is: a prompt that comes
// before the interrupted turn has settled lends its id to the interrupt's lines.

import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, fire, notify, say } from './agent.ts';
import { runCommand } from './commands.ts';
import { isEmpty, setDraft } from './composer.ts';
import { playTurn, type TurnHost } from './play.ts';
import { newId } from './session.ts';
import { startSpinner } from './spinner.ts';
import { Refused, rejectToolUse } from './tool.ts';
import { runShell } from './tools.ts';
import { createTurn, type Turn } from './turn.ts';

export interface Work {
  kind: 'prompt' | 'command' | 'shell' | 'notification';
  text: string;
}

export interface Lane {
  submit(work: Work): void;
  /** False when there is nothing to interrupt. */
  interrupt(): boolean;
}

interface Job {
  /** Null for a slash command. */
  turn: Turn | null;
  settled: Promise<void>;
}

/** How long the real program takes to let go of a request or a tool that was cut. */
const SETTLE_MS = 20;
const IDLE_NOTICE_MS = 60_000;

export function createLane(agent: Agent): Lane {
  const { view } = agent;
  const queue: Work[] = [];
  let current: Job | null = null;
  let idleNotice: NodeJS.Timeout | undefined;
  const spinner = startSpinner(agent);

  function submit(work: Work): void {
    if (current && !current.turn?.abort.signal.aborted) enqueue(work);
    else start([work], 'typed');
  }

  function enqueue(work: Work): void {
    queue.push(work);
    agent.session.transcript.note({ type: 'queue-operation', operation: 'enqueue', content: work.text });
    showQueue();
    if (work.kind === 'prompt') void fire(agent, 'UserPromptSubmit', { prompt: work.text });
  }

  function start(batch: Work[], origin: 'typed' | 'queued'): void {
    clearTimeout(idleNotice);
    const predecessor = current;
    const job: Job = {
      turn: batch[0]!.kind === 'command' ? null : createTurn(batch.at(-1)!.text),
      settled: Promise.resolve(),
    };
    current = job;
    agent.session.promptId = job.turn?.promptId ?? newId();
    spinner.spin();
    job.settled = perform(job, batch, origin, predecessor).then((next) => {
      if (current !== job) return;
      current = null;
      spinner.stop();
      if (next.length > 0) start(next, 'queued');
    });
  }

  /** Runs to the end, and returns what is to be taken up next. */
  async function perform(job: Job, batch: Work[], origin: string, predecessor: Job | null): Promise<Work[]> {
    const { turn } = job;
    await agent.started;
    if (!turn) {
      await runCommand(agent, batch[0]!.text);
      return takeBatch();
    }
    const logged = view.log.length;
    try {
      const prompt = await open(turn, batch, origin, predecessor);
      await playTurn(agent, turn, prompt, host);
    } catch (error) {
      if (error instanceof Refused) return settle(job, logged, true);
      if (turn.abort.signal.aborted) return settle(job, logged, false);
      throw error;
    }
    const next = takeBatch();
    writeDuration(turn);
    idleNotice = setTimeout(
      () => notify(agent, 'idle_prompt', 'Claude is waiting for your input'),
      IDLE_NOTICE_MS,
    );
    return next;
  }

  /** Makes the batch part of the conversation, and returns what there is to answer. */
  async function open(turn: Turn, batch: Work[], origin: string, predecessor: Job | null): Promise<string> {
    if (!predecessor?.turn?.toolUse) await predecessor?.settled;
    for (const { kind, text } of batch)
      if (kind === 'shell') say(agent, 'shell', text.slice(1));
      else say(agent, 'prompt', text);
    if (origin === 'typed' && batch[0]!.kind === 'prompt')
      await fire(agent, 'UserPromptSubmit', { prompt: turn.prompt });
    turn.abort.signal.throwIfAborted();
    for (const { kind, text } of batch.slice(0, -1)) writePrompt(newId(), kind, text, origin);
    const prompt = await openLast(turn, batch.at(-1)!, origin);
    await predecessor?.settled;
    turn.abort.signal.throwIfAborted();
    return prompt;
  }

  /** Of several prompts taken up together each has an id of its own, and the turn goes by the last one's. */
  async function openLast(turn: Turn, { kind, text }: Work, origin: string): Promise<string> {
    if (kind !== 'shell') {
      writePrompt(turn.promptId, kind, text, origin);
      return text;
    }
    const command = text.slice(1);
    writePrompt(turn.promptId, kind, `<bash-input>${command}</bash-input>`, origin);
    const { stdout, stderr } = await runShell(command, agent.cwd, turn.abort.signal);
    const output = `<bash-stdout>${stdout}</bash-stdout><bash-stderr>${stderr}</bash-stderr>`;
    writePrompt(turn.promptId, kind, output, origin);
    say(agent, 'result', [stdout, stderr].filter(Boolean).join('\n') || '(No output)');
    return output;
  }

  function writePrompt(promptId: string, kind: Work['kind'], content: string, promptSource: string): void {
    agent.session.transcript.add({
      type: 'user',
      promptId,
      message: { role: 'user', content },
      permissionMode: agent.options.permissionMode,
      origin: { kind: kind === 'notification' ? 'task-notification' : 'human' },
      promptSource,
    });
  }

  function interrupt(): boolean {
    const turn = current?.turn;
    if (!turn || turn.ending || turn.abort.signal.aborted) return false;
    turn.abort.abort();
    spinner.stop();
    // A tool takes its time to die: what was enqueued does not wait for it.
    if (turn.toolUse && queue.length > 0) start(takeBatch(), 'queued');
    return true;
  }

  /** Leaves the traces of an interrupt, and returns what was enqueued meanwhile: it is sent at once. */
  async function settle(job: Job, logged: number, refused: boolean): Promise<Work[]> {
    const turn = job.turn!;
    await turn.toolUse?.stopped;
    await pause(SETTLE_MS);
    const alone = current === job && queue.length === 0;
    if (!turn.answered && alone && isEmpty(view.composer)) {
      view.composer = setDraft(view.composer, turn.prompt);
      view.log.length = logged;
      agent.refresh();
      return [];
    }
    const next = current === job ? takeBatch() : [];
    if (turn.toolUse) rejectToolUse(agent, turn.toolUse.id);
    agent.session.transcript.add({
      type: 'user',
      promptId: agent.session.promptId,
      message: {
        role: 'user',
        content: [
          { type: 'text', text: `[Request interrupted by user${turn.toolUse ? ' for tool use' : ''}]` },
        ],
      },
      ...(turn.toolUse && !refused ? { interruptedMessageId: turn.toolUse.messageId } : {}),
    });
    say(agent, 'result', 'Interrupted · What should Claude do instead?');
    if (refused) writeDuration(turn);
    return next;
  }

  function writeDuration(turn: Turn): void {
    const durationMs = Date.now() - turn.startedAt;
    agent.session.transcript.add({ type: 'system', subtype: 'turn_duration', durationMs, isMeta: false });
  }

  /** Prompts that wait in a row are taken up together; everything else goes alone. */
  function takeBatch(): Work[] {
    const others = queue.findIndex((work) => work.kind !== 'prompt');
    const batch = queue.splice(0, others < 0 ? queue.length : Math.max(1, others));
    for (const _ of batch) agent.session.transcript.note({ type: 'queue-operation', operation: 'dequeue' });
    showQueue();
    return batch;
  }

  function showQueue(): void {
    view.queued = queue.map((work) => work.text);
    agent.refresh();
  }

  const host: TurnHost = {
    absorb(writeResult) {
      const prompts = queue.filter((work) => work.kind === 'prompt').map((work) => work.text);
      queue.splice(0, queue.length, ...queue.filter((work) => work.kind !== 'prompt'));
      const { transcript } = agent.session;
      for (const content of prompts)
        transcript.note({
          type: 'queue-operation',
          operation: 'remove',
          content,
          reason: 'absorbed_mid_turn',
        });
      writeResult();
      for (const prompt of prompts) {
        const attachment = {
          type: 'queued_command',
          prompt,
          commandMode: 'prompt',
          origin: { kind: 'human' },
        };
        transcript.add({ type: 'attachment', attachment });
        say(agent, 'prompt', prompt);
      }
      showQueue();
      return prompts;
    },
    backgroundDone(description, id) {
      const summary = `Background command "${description}" completed (exit code 0)`;
      submit({
        kind: 'notification',
        text: `<task-notification>\n<task-id>${id}</task-id>\n<status>completed</status>\n<summary>${summary}</summary>\n</task-notification>`,
      });
    },
  };

  return { submit, interrupt };
}
