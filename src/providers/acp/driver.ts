// Drives agents that speak the Agent Client Protocol. One process per session; it is held by nobody and lives through
// restarts of the daemon. A second prompt is never given while the first is not answered: agents differ in what they make
// of it, and none tells.
import { statSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Typed } from '../../domain/core/effect.ts';
import type { Look } from '../../domain/core/fact.ts';
import { isCommand } from '../../domain/core/parts.ts';
import type { Session } from '../../domain/core/session.ts';
import { handAnswer } from '../../headless/answer.ts';
import type { Reply } from '../../headless/connection.ts';
import { attach, type Live } from '../../headless/live.ts';
import { keepLives } from '../../headless/lives.ts';
import { tellOnce } from '../../headless/once.ts';
import type { DriverDeps, LaunchEffect, ListeningDriver, SubmitEffect } from '../../ports/driver.ts';
import { present, record, text } from '../values.ts';
import { type Api, createApi } from './api.ts';
import type { Known } from './known.ts';
import { mcpServersIn } from './mcp-servers.ts';
import { version } from './protocol.ts';
import { answerTo, questionText, withdrawn } from './questions.ts';
import { type AcpReader, type Note, readAcp } from './reader.ts';

export interface AcpOptions {
  readonly known: Known;
  readonly clear: string;
  readonly folder: (session: Session) => string;
  readonly defaultModel: string | null;
}

interface Acp extends Live<AcpReader> {
  readonly api: Api;
  /** The conversations that have the settings of the session. */
  readonly settled: Set<string>;
}

export function driveAcp(deps: DriverDeps, options: AcpOptions): ListeningDriver {
  const { log, isDead } = deps;
  const { known, clear } = options;
  const lives = keepLives('it', connect, deps);

  function connect(session: Session): Acp {
    const folder = options.folder(session);
    const once = tellOnce<Note>(folder, () => live.connection);
    const reader = readAcp(known, once.notes);
    const onHeard = () => {
      for (const request of reader.unanswerable()) void api.refuse(request, 'sm cannot answer this');
    };
    const onSettled = async () => {
      await Promise.all(reader.settled().map(once.settle));
    };
    const live = attach<AcpReader>(session.id, { folder, reader, onHeard, onSettled }, deps);
    const api = createApi(live.connection, once, deps.uuid, () => lengthOf(join(folder, 'out')));
    return { ...live, api, settled: new Set() };
  }

  async function greet(live: Acp, session: Session, launch: LaunchEffect): Promise<string | null> {
    const { api, reader } = live;
    await live.catchUp();
    const process = reader.launchedAt ?? 0;
    const hello = reader.hello ?? (await api.initialize(process, deps.version));
    await live.catchUp();
    if (!reader.hello) return because(hello as Reply);
    const spoken = reader.hello.protocolVersion;
    if (spoken !== version)
      return `it speaks version ${String(spoken)} of the protocol, and sm speaks ${version}`;
    await writeFile(
      join(options.folder(session), 'agent.json'),
      JSON.stringify({ loads: record(reader.hello.agentCapabilities).loadSession === true }),
      { mode: 0o600 },
    );
    // We may have died after this was done, and before that was known.
    if (!reader.opened) {
      const load = launch.resume ? launch.providerId : null;
      const how = load === null ? 'start' : 'resume';
      const opened = await api.open({ how }, String(process), await placeOf(session), load ?? undefined);
      await live.catchUp();
      if (!reader.opened) return because(opened);
    }
    return settle(live, session);
  }

  const placeOf = async ({ workingDir, options: { mcpConfigs } }: Session) => ({
    cwd: workingDir,
    mcpServers: await mcpServersIn(mcpConfigs),
  });

  /** The model and the permission mode are of a conversation. Says why they are not as they should be. */
  async function settle(live: Acp, session: Session): Promise<string | null> {
    const { opened } = live.reader;
    const id = opened?.conversation ?? session.context.providerId;
    if (id === null || live.settled.has(id)) return null;
    for (const wanted of wantedOf(session, opened?.settings ?? null)) {
      if ('missing' in wanted) return wanted.missing;
      const reply = await live.api.set(id, ...wanted.setting);
      if (reply.is !== 'answer') return `${wanted.setting.join(' ')}: ${because(reply)}`;
    }
    live.settled.add(id);
    return null;
  }

  function wantedOf(session: Session, settings: readonly unknown[] | null): Wanted[] {
    const model = session.model ?? options.defaultModel;
    const mode = session.options.permissionMode;
    return [
      ...(model === null ? [] : [modelSetting(model, settings)]),
      ...present(mode === null ? null : (known.modes[mode] ?? null)).map((setting) => ({ setting })),
    ];
  }

  async function look(session: Session): Promise<Look | null> {
    const live = lives.of(session);
    if (!live || (await isDead(session))) return null;
    const here = await live.api.isHere();
    await live.catchUp();
    const asked = deps.session(session.id)?.question;
    const [question] = live.reader.questions.values();
    if (question && asked && !asked.hook?.answer) return { says: 'question', text: questionText(question) };
    if (!here) return { says: 'nothing', why: 'it does not answer' };
    return { says: 'activity', activity: live.reader.busy ? 'working' : 'idle' };
  }

  async function submit(session: Session, { text: words }: SubmitEffect): Promise<Typed> {
    const live = lives.of(session);
    const { attempt } = session;
    const conversation = session.context.providerId;
    if (!live || !attempt || conversation === null || words === null) return 'gone';
    const id = `prompt:${attempt.id}`;
    if (live.reader.busy && !live.api.isOnItsWay(id)) return 'changed';
    if (isCommand(attempt) && words === clear) return openAnother(live, session, conversation, attempt.id);
    const fault = await settle(live, session);
    if (fault !== null) {
      log.warn({ session: session.id, why: fault }, 'an agent does not take its settings');
      return 'changed';
    }
    const went = isCommand(attempt)
      ? live.api.command(id, conversation, words)
      : live.api.prompt(id, conversation, words, attempt.messages);
    return (await went) ? 'typed' : 'gone';
  }

  /** A conversation with another id is the proof that the context is new. */
  async function openAnother(live: Acp, session: Session, from: string, attempt: string): Promise<Typed> {
    const opened = await live.api.open({ how: 'clear', from }, attempt, await placeOf(session));
    if (opened.is === 'answer') void live.api.close(from);
    return lives.told(session, opened);
  }

  return {
    ...lives.driver,
    begin: (session, launch) => lives.begin(session, (live) => greet(live, session, launch)),
    look,
    submit,
    async escape(session) {
      const live = lives.of(session);
      const id = session.context.providerId;
      if (!live || id === null || !live.reader.busy) return 'gone';
      for (const request of live.reader.questions.keys()) void live.api.respond(request, withdrawn);
      return (await live.api.cancel(id)) ? 'typed' : 'gone';
    },
    answersAgain: true,
    answer(session, effect) {
      const live = lives.of(session);
      return handAnswer(live, effect, async (request, asked) => {
        if (!live || !(await live.api.respond(request, answerTo(asked, effect.decision)))) return false;
        await live.tellOf(live.reader.answered(request));
        return true;
      });
    },
  };
}

type Wanted = { readonly setting: readonly [setting: string, value: string] } | { readonly missing: string };

/** `settings`: null where they are not known any more; what was right at the start is right then. */
function modelSetting(model: string, settings: readonly unknown[] | null): Wanted {
  if (settings === null) return { setting: ['model', model] };
  const setting = settings.map(record).find(({ category }) => category === 'model');
  const id = setting ? text(setting.id) : null;
  if (id !== null) return { setting: [id, model] };
  return { missing: `it offers no choice of a model, so that it cannot use ${model}` };
}

function because(reply: Reply): string | null {
  if (reply.is === 'refusal') return `it refused: ${reply.message}`;
  return reply.is === 'answer' ? null : 'it does not answer';
}

/** Whether its conversations can be taken up again, as it said when it was last greeted. */
export async function loads(folder: string): Promise<boolean> {
  try {
    return record(JSON.parse(await readFile(join(folder, 'agent.json'), 'utf8'))).loads === true;
  } catch {
    // It was never greeted.
    return false;
  }
}

function lengthOf(path: string): number {
  try {
    return statSync(path).size;
  } catch {
    return 0;
  }
}
