// Drives Qwen Code: it is told things by a file that it watches, so that nothing its human has typed is touched. Only an
// interrupt is typed, because there is no other way to it.
import { join } from 'node:path';
import type { Typed } from '../../domain/core/effect.ts';
import type { Look } from '../../domain/core/fact.ts';
import { isCommand } from '../../domain/core/parts.ts';
import type { Session } from '../../domain/core/session.ts';
import { placeIn } from '../../headless/place.ts';
import type { AnswerEffect, DriverDeps, ListeningDriver, SubmitEffect } from '../../ports/driver.ts';
import { paneName, type Screen } from '../../ports/terminal.ts';
import { hookAnswer } from '../common-hooks.ts';
import { type Input, inputFile } from './input.ts';
import { type QwenReader, readQwen } from './reader.ts';
import { readQwenScreen } from './screen.ts';

interface Live {
  readonly pid: number;
  readonly input: Input;
  readonly reader: QwenReader;
  readonly tail: ReturnType<DriverDeps['follow']>;
}

/** An agent that is busy reads its keys late. */
const readLimit = 10_000;
/** Between the hook of a question and its dialog lies what the agent has to do for it. */
const dialogLimit = 10_000;
const pause = 50;
/** What its file takes before the space of what was read is given back. */
const worthKeeping = 1024 * 1024;

export function driveQwen(deps: DriverDeps, folderOf: (session: Session) => string): ListeningDriver {
  const { clock, terminal, hearOut } = deps;
  const lives = new Map<string, Live>();

  /** The files are those of the process that runs, and of no other. */
  function liveOf(session: Session): Live | null {
    const pid = session.process.state === 'running' ? session.process.pid : null;
    const known = lives.get(session.id);
    if (known && known.pid !== pid) drop(session.id);
    if (pid === null) return null;
    const live = lives.get(session.id) ?? connect(session, pid);
    lives.set(session.id, live);
    return live;
  }

  function connect(session: Session, pid: number): Live {
    const folder = join(folderOf(session), String(pid));
    const output = join(folder, 'out');
    const reader = readQwen();
    const place = placeIn(output, join(folder, 'offset'));
    let kept = place.from;
    // Where it was read from before, it had said so.
    if (kept > 0) reader.line('{"type":"system","subtype":"session_start"}');
    const tail = deps.follow(output, place.from, async (line, offset) => {
      const subject = reader.line(line);
      if (subject !== null) await goesOn(session.id, `${pid}@${offset}`, subject);
      if (reader.asked.size > 0 || offset - kept < worthKeeping) return;
      kept = offset;
      await place.keep(offset).catch(() => undefined);
    });
    return { pid, input: inputFile(join(folder, 'in')), reader, tail };
  }

  async function goesOn(id: string, at: string, subject: string): Promise<void> {
    const session = deps.session(id);
    const providerId = session?.context.providerId ?? null;
    if (!session || providerId === null) return;
    await deps.tell(id, {
      type: 'fact',
      id: `${id}.qwen.${at}`,
      at: clock.now(),
      source: 'notification',
      fact: { is: 'activity', providerId, turnId: session.turn?.id ?? null, subject },
    });
  }

  function drop(id: string): void {
    const live = lives.get(id);
    lives.delete(id);
    void live?.tail.close();
  }

  async function look(session: Session): Promise<Look | null> {
    const screen = await terminal.look(paneName(session.id));
    await hearOut(session.id);
    const live = liveOf(session);
    if (!screen || screen.dead || !live) return null;
    if (!live.reader.ready) return { says: 'nothing', why: 'it starts' };
    const { activity, composer, armed, pending } = readQwenScreen(screen);
    const text = screen.lines.join('\n');
    if (activity === 'asking') return { says: 'question', text: text.trim() };
    if (!composer) return { says: 'nothing', why: 'its screen has no composer' };
    // To interrupt it, we type.
    const toBeCut = (deps.session(session.id) ?? session).turn?.interrupt != null;
    if (toBeCut && activity === 'working') {
      if (!composer.isEmpty) return { says: 'nothing', why: 'draft' };
      if (armed) return { says: 'activity', activity: 'unclear' };
    }
    const { copyMode, humanActiveAt, cursor } = screen;
    const reading = { shows: 'composer', draft: '', activity, stash: false, pending, cursor } as const;
    return toBeCut
      ? { reading, copyMode, humanActiveAt, text }
      : { reading, copyMode: false, humanActiveAt: null, text };
  }

  async function submit(session: Session, { text }: SubmitEffect): Promise<Typed> {
    const live = liveOf(session);
    const { attempt } = session;
    if (!live?.reader.ready || !attempt || text === null) return 'gone';
    const said = await live.input.say(attempt.id, { type: 'submit', text });
    if (said === 'before' && isCommand(attempt)) return 'typed';
    return said === 'gone' ? 'gone' : said === 'torn' ? 'changed' : 'typed';
  }

  /**
   * Escape would put the prompt back into the composer, and at times take it out of the conversation; and with a text in
   * the composer it does nothing. Ctrl+C with a text there only cuts the turn, and empties the composer.
   */
  async function cut(session: Session): Promise<Typed> {
    const name = paneName(session.id);
    const before = await terminal.look(name);
    if (!before || before.dead) return 'gone';
    if (!mayBeCut(before)) return 'changed';
    const blank = await terminal.type(name, {
      onlyIf: { cursor: before.cursor },
      steps: [{ key: 'Space' }],
    });
    if (blank !== 'typed') return blank;
    // Keys are read in their order: once the blank stands there, no Ctrl+C of before is still to be read.
    const seen = await untilRead(name, before);
    if (!seen || !mayBeCut(seen)) return 'typed';
    const typed = await terminal.type(name, { onlyIf: { cursor: seen.cursor }, steps: [{ key: 'C-c' }] });
    if (typed === 'typed') await tellDropped(session);
    return 'typed';
  }

  function mayBeCut(screen: Screen): boolean {
    const { activity, composer, armed } = readQwenScreen(screen);
    return activity === 'working' && composer?.isEmpty === true && !armed;
  }

  async function untilRead(name: string, { cursor }: Screen): Promise<Screen | null> {
    for (let waited = 0; waited < readLimit; waited += pause) {
      const screen = await terminal.look(name);
      if (!screen || screen.dead) return null;
      if (screen.cursor.x !== cursor.x || screen.cursor.y !== cursor.y) return screen;
      await sleep(pause);
    }
    return null;
  }

  /** What waited in the agent is gone with its turn. */
  async function tellDropped(session: Session): Promise<void> {
    const { providerId } = session.context;
    if (session.enqueued.length === 0 || providerId === null) return;
    for (let waited = 0; waited < readLimit; waited += pause) {
      const screen = await terminal.look(paneName(session.id));
      if (!screen || readQwenScreen(screen).activity === 'idle') break;
      await sleep(pause);
    }
    await deps.tell(session.id, {
      type: 'fact',
      id: `${session.id}.qwen.dropped.${session.turn?.id}.${session.enqueued.join('.')}`,
      at: clock.now(),
      source: 'notification',
      fact: { is: 'prompts-dropped', providerId },
    });
  }

  const sleep = (ms: number) => new Promise<void>((resolve) => clock.timer(ms, resolve));

  async function answer(session: Session, effect: AnswerEffect): Promise<'taken' | 'later' | 'nobody'> {
    // A rule answers the hook, before there is a dialog.
    if ((await deps.answerHook(effect.fact, hookAnswer(effect))) === 'taken') return 'taken';
    const live = liveOf(session);
    const subject = session.question?.subject ?? null;
    if (!live || subject === null) return 'nobody';
    for (let waited = 0; waited < dialogLimit; waited += pause) {
      await live.tail.catchUp();
      const request = [...live.reader.asked].find(([, about]) => about === subject)?.[0];
      if (request !== undefined) return respond(live, request, effect);
      const now = deps.session(session.id);
      if (now?.question?.subject !== subject) return 'nobody';
      await sleep(pause);
    }
    return 'later';
  }

  /** A no ends the turn, so that words can only go behind it, as its human would type them. */
  async function respond(live: Live, request: string, effect: AnswerEffect) {
    const allowed = effect.decision === 'allow';
    const words = effect.text ? [{ type: 'submit', text: effect.text }] : [];
    const answer = { type: 'confirmation_response', request_id: request, allowed };
    const said = await live.input.say(`answer ${request}`, ...words, answer);
    return said === 'gone' || said === 'torn' ? ('later' as const) : ('taken' as const);
  }

  return {
    begin: async () => null,
    look,
    submit,
    escape: cut,
    answersAgain: true,
    answer,
    // Those of its pane take their place.
    press: async () => 'gone',
    async leaveCopyMode() {},
    attend: (session) => void liveOf(session),
    leave: drop,
    async catchUp(id) {
      const session = deps.session(id);
      await (session && liveOf(session))?.tail.catchUp();
    },
    async close() {
      await Promise.all([...lives.values()].map(({ tail }) => tail.close()));
      lives.clear();
    },
  };
}
