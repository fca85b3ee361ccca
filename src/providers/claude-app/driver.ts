// Drives Claude Code without a terminal. One process per session; it is held by nobody and lives through restarts of
// the daemon.
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Typed } from '../../domain/core/effect.ts';
import type { Look } from '../../domain/core/fact.ts';
import type { Session } from '../../domain/core/session.ts';
import { handAnswer } from '../../headless/answer.ts';
import { attach, type Live } from '../../headless/live.ts';
import { keepLives } from '../../headless/lives.ts';
import { kept } from '../../headless/transport.ts';
import type { DriverDeps, ListeningDriver, SubmitEffect } from '../../ports/driver.ts';
import { record, text } from '../values.ts';
import { type Api, createApi, promptId } from './api.ts';
import { answerTo, questionText } from './questions.ts';
import { type ClaudeReader, readClaude } from './reader.ts';

type Claude = Live<ClaudeReader>;

export function driveClaude(deps: DriverDeps, folderOf: (session: Session) => string): ListeningDriver {
  const { isDead } = deps;
  const lives = keepLives('it', connect, deps);
  const apiOf = ({ connection }: Claude): Api => createApi(connection, deps.uuid);

  function connect(session: Session): Claude {
    const folder = folderOf(session);
    const fileOf = (id: string) => join(folder, 'say', kept(id));
    const reader = readClaude((id) => textIn(fileOf(id)));
    let asksForWindow = false;

    function onHeard(live: Claude): void {
      const api = apiOf(live);
      for (const request of live.reader.unanswerable()) void api.refuse(request, 'sm cannot answer this');
      for (const id of live.reader.settled()) void live.saved().then(() => rm(fileOf(id), { force: true }));
      if (!reader.wantsWindow || !reader.busy || asksForWindow) return;
      asksForWindow = true;
      void api.contextUsage();
    }

    return attach(session.id, { folder, reader, onHeard }, deps);
  }

  async function greet(live: Claude): Promise<string | null> {
    const hello = await apiOf(live).initialize();
    if (hello.is === 'refusal') return `it refused to start: ${hello.message}`;
    return hello.is === 'answer' ? null : 'it does not answer';
  }

  async function look(session: Session): Promise<Look | null> {
    const live = lives.of(session);
    if (!live || (await isDead(session))) return null;
    const here = await apiOf(live).greet();
    await live.catchUp();
    const [question] = live.reader.questions.values();
    if (question) return { says: 'question', text: questionText(question) };
    if (here.is === 'silence' || here.is === 'gone') return { says: 'nothing', why: 'it does not answer' };
    return { says: 'activity', activity: live.reader.busy ? 'working' : 'idle' };
  }

  async function submit(session: Session, { text: words }: SubmitEffect): Promise<Typed> {
    const live = lives.of(session);
    if (!live || !session.attempt || words === null) return 'gone';
    return (await apiOf(live).prompt(promptId(session.id, session.attempt.id), words)) ? 'typed' : 'gone';
  }

  return {
    ...lives.driver,
    begin: (session) => lives.begin(session, greet),
    look,
    submit,
    async escape(session) {
      const live = lives.of(session);
      return live ? lives.told(session, await apiOf(live).interrupt()) : 'gone';
    },
    answersAgain: true,
    answer(session, effect) {
      const live = lives.of(session);
      return handAnswer(live, effect, async (request, asked) =>
        live ? apiOf(live).respond(request, answerTo(asked, effect)) : false,
      );
    },
  };
}

/** What we said in a file that is kept. */
function textIn(path: string): string | null {
  try {
    return text(record(record(JSON.parse(readFileSync(path, 'utf8'))).message).content);
  } catch {
    // It is long done with, or never came from us.
    return null;
  }
}
