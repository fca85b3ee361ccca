// Drives opencode through its server. One server per session, in the process whose terminal the human sees; what we say
// never goes by way of the terminal, so that nothing that he types can be touched.
import type { Typed } from '../../domain/core/effect.ts';
import type { Look } from '../../domain/core/fact.ts';
import { isCommand } from '../../domain/core/parts.ts';
import type { Session } from '../../domain/core/session.ts';
import { handAnswer } from '../../headless/answer.ts';
import type { Reply } from '../../headless/connection.ts';
import { attach, type Live } from '../../headless/live.ts';
import { keepLives } from '../../headless/lives.ts';
import type { Opening } from '../../headless/opening.ts';
import type { DriverDeps, LaunchEffect, ListeningDriver, SubmitEffect } from '../../ports/driver.ts';
import { record, text } from '../values.ts';
import { type Api, createApi } from './api.ts';
import { card } from './card.ts';
import { modelNamed, sessionSettings } from './options.ts';
import { answerTo, questionText } from './questions.ts';
import { type OpencodeReader, readOpencode } from './reader.ts';

interface OpencodeOptions {
  readonly folder: (session: Session) => string;
  readonly defaultModel: string | null;
}

type Opencode = Live<OpencodeReader>;

export function driveOpencode(deps: DriverDeps, options: OpencodeOptions): ListeningDriver {
  const { isDead } = deps;
  const lives = keepLives('it', connect, deps);
  const apiOf = ({ connection }: Opencode): Api => createApi(connection, deps.uuid);

  function connect(session: Session): Opencode {
    const reader = readOpencode(session.context.providerId);
    let asksForWindows = false;
    function onHeard(live: Opencode): void {
      for (const { conversation, message } of reader.dropped())
        void apiOf(live).remove(conversation, message);
      if (asksForWindows || !reader.wantsWindows || reader.atRest) return;
      asksForWindows = true;
      void apiOf(live).windows();
    }
    return attach(session.id, { folder: options.folder(session), reader, onHeard }, deps);
  }

  async function greet(live: Opencode, session: Session, launch: LaunchEffect): Promise<string | null> {
    const api = apiOf(live);
    const hello = await api.hello();
    if (hello.is !== 'answer') return because(hello);
    await live.catchUp();
    // We may have died after this was done, and before that was known.
    const { opened } = live.reader;
    if (opened !== null) return because(await api.show(opened));
    return because(await open(api, session, openingFor(launch), launch.fork ?? launch.providerId));
  }

  /** The terminal shows it, so that the human sees what we say there. */
  async function open(api: Api, session: Session, opening: Opening, from: string | null): Promise<Reply> {
    const settings = opening.how === 'fork' ? {} : sessionSettings(session);
    const opened = await api.open(opening, from, settings);
    const id = opened.is === 'answer' ? text(record(opened.result).id) : null;
    if (id === null) return opened;
    const shown = await api.show(id);
    return shown.is === 'answer' ? opened : shown;
  }

  async function look(session: Session): Promise<Look | null> {
    const live = lives.of(session);
    if (!live || (await isDead(session))) return null;
    const busy = await apiOf(live).busy();
    await live.catchUp();
    const [question] = live.reader.questions.values();
    if (question) return { says: 'question', text: questionText(question) };
    if (!busy) return { says: 'nothing', why: 'it does not answer' };
    const id = session.context.providerId ?? '';
    if (busy.includes(id)) return { says: 'activity', activity: 'working' };
    // It is a moment ahead of the turn's end.
    return { says: 'activity', activity: live.reader.isBusy(id) ? 'unclear' : 'idle' };
  }

  async function submit(session: Session, { text: words }: SubmitEffect): Promise<Typed> {
    const live = lives.of(session);
    const { attempt } = session;
    const id = session.context.providerId;
    if (!live || !attempt || id === null || words === null) return 'gone';
    const api = apiOf(live);
    if (!isCommand(attempt)) {
      const model = modelNamed(session.model ?? options.defaultModel);
      return lives.told(session, await api.prompt(id, attempt.id, words, model));
    }
    if (words === card.commandTo.compact) return lives.told(session, await api.compact(id));
    if (words !== card.commandTo.clear) return 'gone';
    return lives.told(session, await open(api, session, { how: 'clear', from: id }, null));
  }

  return {
    ...lives.driver,
    begin: (session, launch) => lives.begin(session, (live) => greet(live, session, launch)),
    look,
    submit,
    async escape(session) {
      const live = lives.of(session);
      const id = session.context.providerId;
      return live && id !== null ? lives.told(session, await apiOf(live).abort(id)) : 'gone';
    },
    answersAgain: true,
    answer(session, effect) {
      const live = lives.of(session);
      return handAnswer(live, effect, async (request, asked) => {
        const reply = live && (await apiOf(live).respond(...answerTo(String(request), asked, effect)));
        return reply?.is === 'answer';
      });
    },
  };
}

function openingFor({ fork, resume, providerId }: LaunchEffect): Opening {
  if (fork !== undefined) return { how: 'fork' };
  return { how: resume && providerId !== null ? 'resume' : 'start' };
}

function because(reply: Reply): string | null {
  if (reply.is === 'refusal') return `its server refused: ${reply.message}`;
  return reply.is === 'answer' ? null : 'its server does not answer';
}
