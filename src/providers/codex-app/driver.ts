// Drives agents that have no pane, through their app-servers. One app-server per session, so that its tools have the
// session's environment; it is held by nobody and lives through restarts of the daemon.
import type { Typed } from '../../domain/core/effect.ts';
import type { Look } from '../../domain/core/fact.ts';
import { isCommand } from '../../domain/core/parts.ts';
import type { ReviewTarget } from '../../domain/core/review.ts';
import type { Session } from '../../domain/core/session.ts';
import { handAnswer } from '../../headless/answer.ts';
import type { Reply } from '../../headless/connection.ts';
import { attach, type Live } from '../../headless/live.ts';
import { keepLives } from '../../headless/lives.ts';
import type { Opening } from '../../headless/opening.ts';
import type { DriverDeps, LaunchEffect, ListeningDriver, SubmitEffect } from '../../ports/driver.ts';
import { type Api, createApi } from './api.ts';
import { card } from './card.ts';
import type * as protocol from './protocol.ts';
import { answerTo, questionText, takesWords } from './questions.ts';
import { type AppServerReader, readAppServer } from './reader.ts';

interface AppServerOptions {
  readonly folder: (session: Session) => string;
  readonly defaultModel: string | null;
}

type AppServer = Live<AppServerReader>;
type Common = Pick<protocol.ThreadStartParams, 'cwd' | 'model'>;

export function driveAppServers(deps: DriverDeps, options: AppServerOptions): ListeningDriver {
  const { isDead } = deps;
  const lives = keepLives('its app-server', connect, deps);
  const apiOf = ({ connection }: Live): Api => createApi(connection, deps.uuid);

  function connect(session: Session): AppServer {
    const folder = options.folder(session);
    return attach(session.id, { folder, reader: readAppServer(), onHeard: refuseWhatNobodyAnswers }, deps);
  }

  function refuseWhatNobodyAnswers(live: AppServer): void {
    for (const request of live.reader.unanswerable())
      void apiOf(live).refuse(request, 'sm cannot answer this');
  }

  async function greet(live: AppServer, session: Session, launch: LaunchEffect): Promise<string | null> {
    const api = apiOf(live);
    const hello = await api.initialize(deps.version);
    if (hello.is !== 'answer') return because(hello);
    await live.catchUp();
    // We may have died after this was done, and before that was known.
    if (live.reader.hasThread) return null;
    const model = session.model ?? options.defaultModel;
    const common = { cwd: session.workingDir, ...(model && { model }) };
    const opened = await open(api, launch, common);
    return opened.is === 'answer' ? null : because(opened);
  }

  function open(api: Api, { resume, fork, providerId }: LaunchEffect, common: Common): Promise<Reply> {
    if (fork !== undefined)
      return api.open({ how: 'fork' }, { ...common, threadId: fork, excludeTurns: true });
    if (resume && providerId !== null)
      return api.open({ how: 'resume' }, { ...common, threadId: providerId, excludeTurns: true });
    return api.open({ how: 'start' }, { ...common, sessionStartSource: 'startup' });
  }

  async function look(session: Session): Promise<Look | null> {
    const live = lives.of(session);
    const threadId = session.context.providerId;
    if (!live || (await isDead(session))) return null;
    const status = threadId === null ? null : await apiOf(live).status(threadId);
    await live.catchUp();
    const [question] = live.reader.questions.values();
    if (question) return { says: 'question', text: questionText(question) };
    if (!status) return { says: 'nothing', why: 'its app-server does not answer' };
    // The status is a moment ahead of the turn's end.
    const atRest = threadId !== null && live.reader.turn(threadId) ? 'unclear' : 'idle';
    return { says: 'activity', activity: status.type === 'active' ? 'working' : atRest };
  }

  async function submit(session: Session, { text, review }: SubmitEffect): Promise<Typed> {
    const live = lives.of(session);
    const { attempt } = session;
    const threadId = session.context.providerId;
    if (!live || threadId === null || text === null) return 'gone';
    if (attempt && isCommand(attempt)) return command(live, session, threadId, text);
    if (review)
      return lives.told(session, await apiOf(live).review(threadId, review.message, targetOf(review.target)));
    if (!session.turn) return lives.told(session, await apiOf(live).startTurn(threadId, text));
    const turnId = live.reader.turn(threadId);
    if (turnId === null) return 'changed';
    const reply = await apiOf(live).steer(threadId, turnId, text);
    // The agent has it; which turn takes it up is told when it does.
    if (reply.is === 'answer')
      await live.tell(
        { is: 'prompt-submitted', providerId: threadId, turnId, text, transcriptPath: null },
        `${session.id}.steer.${attempt?.id}.${attempt?.step === 'typed' ? attempt.pastes : 0}`,
      );
    return lives.told(session, reply);
  }

  async function command(live: AppServer, session: Session, threadId: string, text: string): Promise<Typed> {
    if (text === card.commandTo.compact) return lives.told(session, await apiOf(live).compact(threadId));
    if (text !== card.commandTo.clear) return 'gone';
    const opening: Opening = { how: 'clear', from: threadId };
    const model = session.model ?? options.defaultModel;
    const params = { cwd: session.workingDir, ...(model && { model }), sessionStartSource: 'clear' as const };
    return lives.told(session, await apiOf(live).open(opening, params));
  }

  return {
    ...lives.driver,
    begin: (session, launch) => lives.begin(session, (live) => greet(live, session, launch)),
    look,
    submit,
    async escape(session) {
      const live = lives.of(session);
      const threadId = session.context.providerId;
      const turnId = threadId === null ? null : live?.reader.turn(threadId);
      if (!live || threadId === null || !turnId) return 'gone';
      return lives.told(session, await apiOf(live).interrupt(threadId, turnId));
    },
    answersAgain: true,
    async answer(session, effect) {
      const live = lives.of(session);
      const threadId = session.context.providerId;
      if (!live || threadId === null) return 'nobody';
      const [, question] = [...live.reader.questions][0] ?? [];
      const turnId = live.reader.turn(threadId);
      // Given first, it is taken up together with the answer.
      if (effect.text && question && turnId && !takesWords(question))
        await apiOf(live).steer(threadId, turnId, effect.text);
      return handAnswer(live, effect, (request, asked) =>
        apiOf(live).respond(request, answerTo(asked, effect)),
      );
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
