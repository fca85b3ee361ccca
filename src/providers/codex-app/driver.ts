// Drives agents that have no pane, through their app-servers. One app-server per session, so that its tools have the
// session's environment; it is held by nobody and lives through restarts of the daemon.
import type { Typed } from '../../domain/core/effect.ts';
import type { Look } from '../../domain/core/fact.ts';
import { isCommand } from '../../domain/core/parts.ts';
import type { ReviewTarget } from '../../domain/core/review.ts';
import type { Session } from '../../domain/core/session.ts';
import type { DriverDeps, LaunchEffect, ListeningDriver, SubmitEffect } from '../../ports/driver.ts';
import type { Opening } from './api.ts';
import { card } from './card.ts';
import type { Reply } from './connection.ts';
import { attach, type Live } from './live.ts';
import type * as protocol from './protocol.ts';
import { answerTo, questionText, takesWords } from './questions.ts';

interface AppServerOptions {
  readonly folder: (session: Session) => string;
  readonly defaultModel: string | null;
}

type Common = Pick<protocol.ThreadStartParams, 'cwd' | 'model'>;

const reachLimit = 5_000;
const pause = 25;

export function driveAppServers(deps: DriverDeps, options: AppServerOptions): ListeningDriver {
  const { clock, log, isDead } = deps;
  const lives = new Map<string, Live>();

  function connect(session: Session): Live {
    const live = lives.get(session.id) ?? attach(session.id, options.folder(session), deps);
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
      while (!over && !(await isDead(session))) await sleep(10 * pause);
      return null;
    };
    const why = await Promise.race([greet(live, session, launch), died()]);
    over = true;
    // How it ended says more than what we did not get.
    return why === null || (await isDead(session)) ? null : why;
  }

  async function greet(live: Live, session: Session, launch: LaunchEffect): Promise<string | null> {
    for (let waited = 0; !(await live.reach()); waited += pause) {
      if (waited > reachLimit) return 'its app-server does not read what it is told';
      await sleep(pause);
    }
    const hello = await live.api.initialize(deps.version);
    if (hello.is !== 'answer') return because(hello);
    await live.catchUp();
    // We may have died after this was done, and before that was known.
    if (live.reader.hasThread) return null;
    const model = session.model ?? options.defaultModel;
    const common = { cwd: session.workingDir, ...(model && { model }) };
    const opened = await open(live, launch, common);
    return opened.is === 'answer' ? null : because(opened);
  }

  function open(live: Live, { resume, fork, providerId }: LaunchEffect, common: Common): Promise<Reply> {
    if (fork !== undefined)
      return live.api.open({ how: 'fork' }, { ...common, threadId: fork, excludeTurns: true });
    if (resume && providerId !== null)
      return live.api.open({ how: 'resume' }, { ...common, threadId: providerId, excludeTurns: true });
    return live.api.open({ how: 'start' }, { ...common, sessionStartSource: 'startup' });
  }

  async function look(session: Session): Promise<Look | null> {
    const live = lives.get(session.id);
    const threadId = session.context.providerId;
    if (!live || (await isDead(session))) return null;
    const status = threadId === null ? null : await live.api.status(threadId);
    await live.catchUp();
    const [question] = live.reader.questions.values();
    if (question) return { says: 'question', text: questionText(question) };
    if (!status) return { says: 'nothing', why: 'its app-server does not answer' };
    // The status is a moment ahead of the turn's end.
    const atRest = threadId !== null && live.reader.turn(threadId) ? 'unclear' : 'idle';
    return { says: 'activity', activity: status.type === 'active' ? 'working' : atRest };
  }

  async function submit(session: Session, { text, review }: SubmitEffect): Promise<Typed> {
    const live = lives.get(session.id);
    const { attempt } = session;
    const threadId = session.context.providerId;
    if (!live || threadId === null || text === null) return 'gone';
    if (attempt && isCommand(attempt)) return command(live, session, threadId, text);
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
        `${session.id}.steer.${attempt?.id}.${attempt?.step === 'typed' ? attempt.pastes : 0}`,
      );
    return told(session, reply);
  }

  async function command(live: Live, session: Session, threadId: string, text: string): Promise<Typed> {
    if (text === card.commandTo.compact) return told(session, await live.api.compact(threadId));
    if (text !== card.commandTo.clear) return 'gone';
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
      const { state } = session.process;
      if (state === 'running' && !lives.has(session.id)) connect(session);
      if (state === 'exited' || state === 'lost') drop(session.id);
    },
    async catchUp(id) {
      const session = deps.session(id);
      if (session?.process.state === 'running') connect(session);
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
