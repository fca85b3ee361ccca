// Drives agents that have no pane, through their app-servers. One app-server per session, so that its tools have the
// session's environment; it is held by nobody and lives through restarts of the daemon.
import type { Typed } from '../../domain/core/effect.ts';
import type { Look, Reading } from '../../domain/core/fact.ts';
import type { ReviewTarget } from '../../domain/core/review.ts';
import type { Session } from '../../domain/core/session.ts';
import type { Driver, LaunchEffect, SubmitEffect } from '../../ports/driver.ts';
import type { Opening } from './api.ts';
import type { Reply } from './connection.ts';
import { attach, type Live, type LiveDeps } from './live.ts';
import type * as protocol from './protocol.ts';
import { answerTo, questionText, takesWords } from './questions.ts';

export interface AppServerOptions extends LiveDeps {
  readonly folder: (session: Session) => string;
  /** Whether this driver is the one for a session. */
  readonly isMine: (session: Session) => boolean;
  /** Whether the session's process has ended. */
  readonly isDead: (session: Session) => Promise<boolean>;
  readonly defaultModel: string | null;
  readonly version: string;
}

export interface AppServers extends Driver {
  /** Follows, or stops to follow, as the session's state asks for. */
  attend(session: Session): void;
  catchUp(id: string): Promise<void>;
  close(): Promise<void>;
}

const reachLimit = 5_000;
const pause = 25;

export function driveAppServers(options: AppServerOptions): AppServers {
  const { clock, log } = options;
  const lives = new Map<string, Live>();

  function connect(session: Session): Live {
    const live = lives.get(session.id) ?? attach(session.id, options.folder(session), options);
    lives.set(session.id, live);
    return live;
  }

  function drop(id: string): void {
    const live = lives.get(id);
    lives.delete(id);
    void live
      ?.catchUp()
      .then(live.settle)
      .catch((error: unknown) => log.warn({ session: id, error: String(error) }, 'not read to its end'))
      .then(() => live.close());
  }

  async function begin(session: Session, launch: LaunchEffect): Promise<string | null> {
    // What was open to an earlier process leads nowhere.
    await lives.get(session.id)?.close();
    lives.delete(session.id);
    const live = connect(session);
    let over = false;
    const died = async (): Promise<null> => {
      while (!over && !(await options.isDead(session))) await sleep(10 * pause);
      return null;
    };
    const why = await Promise.race([greet(live, session, launch), died()]);
    over = true;
    // How it ended says more than what we did not get.
    return why === null || (await options.isDead(session)) ? null : why;
  }

  async function greet(live: Live, session: Session, launch: LaunchEffect): Promise<string | null> {
    for (let waited = 0; !(await live.reach()); waited += pause) {
      if (waited > reachLimit) return 'its app-server does not read what it is told';
      await sleep(pause);
    }
    const hello = await live.api.initialize(options.version);
    if (hello.is !== 'answer') return because(hello);
    await live.catchUp();
    // We may have died after this was done, and before that was known.
    if (live.reader.hasThread) return null;
    const model = session.model ?? options.defaultModel;
    const common = { cwd: session.workingDir, ...(model && { model }) };
    const opened =
      launch.resume && launch.providerId !== null
        ? await live.api.open(
            { how: 'resume' },
            { ...common, threadId: launch.providerId, excludeTurns: true },
          )
        : await live.api.open({ how: 'start' }, { ...common, sessionStartSource: 'startup' });
    return opened.is === 'answer' ? null : because(opened);
  }

  async function look(session: Session): Promise<Look | null> {
    const live = lives.get(session.id);
    const threadId = session.context.providerId;
    if (!live || (await options.isDead(session))) return null;
    const status = threadId === null ? null : await live.api.status(threadId);
    await live.catchUp();
    return {
      ...seen(live, threadId, status?.type ?? null),
      canStash: false,
      copyMode: false,
      humanActiveAt: null,
    };
  }

  async function submit(session: Session, { text, review }: SubmitEffect): Promise<Typed> {
    const live = lives.get(session.id);
    const threadId = session.context.providerId;
    if (!live || threadId === null || text === null) return 'gone';
    if (session.attempt?.command) return command(live, session, threadId, text);
    if (review)
      return told(session, await live.api.review(threadId, review.message, targetOf(review.target)));
    if (!session.turn) return told(session, await live.api.startTurn(threadId, text));
    const turnId = live.reader.turn(threadId);
    if (turnId === null) return 'changed';
    const reply = await live.api.steer(threadId, turnId, text);
    // The agent has it; which turn takes it up is told when it does.
    if (reply.is === 'answer')
      await live.tell(
        { is: 'prompt-submitted', providerId: threadId, turnId, text, transcriptPath: null },
        `${session.id}.steer.${session.attempt?.id}.${session.attempt?.pastes}`,
      );
    return told(session, reply);
  }

  async function command(live: Live, session: Session, threadId: string, text: string): Promise<Typed> {
    if (text === '/compact') return told(session, await live.api.compact(threadId));
    if (text !== '/clear') return 'gone';
    const opening: Opening = { how: 'clear', from: threadId };
    const model = session.model ?? options.defaultModel;
    const params = { cwd: session.workingDir, ...(model && { model }), sessionStartSource: 'clear' as const };
    return told(session, await live.api.open(opening, params));
  }

  function told(session: Session, reply: Reply): Typed {
    if (reply.is === 'refusal')
      log.warn({ session: session.id, why: reply.message }, 'an app-server refused');
    return { answer: 'typed', refusal: 'changed', silence: 'unknown', gone: 'gone' }[reply.is] as Typed;
  }

  const sleep = (ms: number) => new Promise<void>((resolve) => clock.timer(ms, resolve));

  return {
    begin,
    look,
    submit,
    async escape(session) {
      const live = lives.get(session.id);
      const threadId = session.context.providerId;
      const turnId = threadId === null ? null : live?.reader.turn(threadId);
      if (!live || threadId === null || !turnId) return 'gone';
      return told(session, await live.api.interrupt(threadId, turnId));
    },
    answersAgain: true,
    async answer(session, effect) {
      const live = lives.get(session.id);
      const threadId = session.context.providerId;
      if (!live || threadId === null) return 'nobody';
      const [, question] = [...live.reader.questions][0] ?? [];
      const turnId = live.reader.turn(threadId);
      // Given first, it is taken up together with the answer.
      if (effect.text && question && turnId && !takesWords(question))
        await live.api.steer(threadId, turnId, effect.text);
      const given = await live.answer(effect.fact, (id) => {
        const asked = live.reader.questions.get(id);
        return asked ? answerTo(asked, effect) : null;
      });
      if (given) return 'taken';
      return live.reader.questions.size > 0 ? 'later' : 'nobody';
    },
    // It has no pane, and the door says so before it comes to this.
    press: async () => 'gone',
    async leaveCopyMode() {},
    attend(session) {
      if (!options.isMine(session)) return;
      const { state } = session.process;
      if (state === 'running' && !lives.has(session.id)) connect(session);
      if (state === 'exited' || state === 'lost') drop(session.id);
    },
    async catchUp(id) {
      const session = options.session(id);
      if (session && options.isMine(session) && session.process.state === 'running') connect(session);
      await lives.get(id)?.catchUp();
    },
    async close() {
      await Promise.all([...lives.values()].map((live) => live.close()));
      lives.clear();
    },
  };
}

function targetOf(target: ReviewTarget): protocol.ReviewTarget {
  switch (target.of) {
    case 'uncommitted':
      return { type: 'uncommittedChanges' };
    case 'base':
      return { type: 'baseBranch', branch: target.branch };
    case 'commit':
      return { type: 'commit', sha: target.commit, title: null };
    case 'custom':
      return { type: 'custom', instructions: target.text };
  }
}

function because(reply: Reply): string | null {
  if (reply.is === 'refusal') return `its app-server refused: ${reply.message}`;
  return reply.is === 'answer' ? null : 'its app-server does not answer';
}

/** What a look at a pane would show: never a draft, because nobody types here. */
function seen(
  live: Live,
  threadId: string | null,
  status: string | null,
): { readonly reading: Reading; readonly text: string } {
  const [question] = live.reader.questions.values();
  if (question) return { reading: { shows: 'dialog', text: questionText(question) }, text: 'asks' };
  const turn = threadId === null ? null : live.reader.turn(threadId);
  if (status === null) {
    const why = 'its app-server does not answer';
    return { reading: { shows: 'unknown', text: why, why }, text: why };
  }
  // The status is a moment ahead of the turn's end.
  const activity = status === 'active' ? 'working' : turn ? 'unclear' : 'idle';
  return {
    reading: { shows: 'composer', draft: '', activity, stash: false, cursor: { x: 0, y: 0 } },
    // Nothing is drawn here, so that nothing can be drawn anew.
    text: '',
  };
}
