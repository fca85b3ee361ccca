// What opencode's server tells, in our words. It holds only what its later lines need; it can be built again from any
// line at which nothing was under way.
import type { Fact } from '../../domain/core/fact.ts';
import type { RequestId } from '../../headless/connection.ts';
import { objectIn } from '../../headless/json-rpc.ts';
import { openingOf, startSource } from '../../headless/opening.ts';
import { inTurn } from '../../headless/questions.ts';
import { type Line, launchMark, longestWords, type Reader, type Told } from '../../headless/reader.ts';
import { number, record, text } from '../values.ts';
import { type Conversation, endOf, newConversation, newTurn, type Turn, usage } from './conversation.ts';
import { type Asked, callIn, questionText, subjectOf } from './questions.ts';
import { isOurs } from './wire.ts';

export interface OpencodeReader extends Reader {
  /** A turn runs in a conversation. */
  isBusy(conversation: string): boolean;
  /** The conversation that this process has opened for us. */
  readonly opened: string | null;
  readonly questions: ReadonlyMap<RequestId, Asked>;
  /** Prompts of ours that no turn took up: whoever takes them removes them, since they are given again. */
  dropped(): { conversation: string; message: string }[];
  /** How large the contexts may be is not known yet. */
  readonly wantsWindows: boolean;
}

type Json = Record<string, unknown>;

/** `current`: the conversation of the session where the reading begins. */
export function readOpencode(current: string | null): OpencodeReader {
  let present = current;
  const conversations = new Map<string, Conversation>();
  const questions = inTurn<Asked>({
    asked: tellQuestion,
    over: (id, asked) => working(conversationIn(asked), turnIn(asked), subjectOf(asked) ?? String(id)),
  });
  /** Conversations that somebody has begun, and that we have not opened. */
  const strangers = new Set<string>();
  /** Copies that are still told message by message, although they are there. */
  const copies = new Set<string>();
  let dropped: { conversation: string; message: string }[] = [];
  let windows: Json | null = null;
  let opened: string | null = null;

  function line(words: string): Line {
    const said = objectIn(words);
    if (said === null) return { told: [], nonsense: true };
    const id = text(said.id);
    if (id !== null) return answered(id, said);
    return { told: take(text(said.type) ?? text(said.method), record(said.properties)) };
  }

  function answered(id: string, { status, body }: Json): Line {
    const code = number(status) ?? 0;
    if (code < 200 || code > 299)
      return { told: [], answers: { id, heard: { is: 'refusal', message: refusalIn(code, body) } } };
    if (id.startsWith('windows:')) windows = record(body);
    return { told: opening(id, record(body)), answers: { id, heard: { is: 'answer', result: body } } };
  }

  function opening(id: string, body: Json): Told[] {
    const what = openingOf(id);
    const providerId = text(body.id);
    if (!what || providerId === null) return [];
    opened = providerId;
    present = providerId;
    strangers.delete(providerId);
    conversations.delete(providerId);
    if (what.how === 'fork') copies.add(providerId);
    const started = began(providerId, startSource[what.how]);
    return what.how === 'clear' ? [...left(what.from), ...started] : started;
  }

  const fact = (fact: Fact): Told[] => [{ fact }];
  const began = (providerId: string, source: (typeof startSource)[keyof typeof startSource]): Told[] =>
    fact({ is: 'agent-started', providerId, source, transcriptPath: null, model: null });
  function left(providerId: string): Told[] {
    conversations.delete(providerId);
    return fact({ is: 'context-ended', providerId, reason: 'clear' });
  }

  function take(type: string | null, said: Json): Told[] {
    if (type === launchMark) {
      conversations.clear();
      questions.drop();
      strangers.clear();
      copies.clear();
      dropped = [];
      opened = null;
      return [];
    }
    const providerId = text(said.sessionID);
    if (providerId === null) return [];
    // It is shown when it is whole, and of that the server tells in its turn.
    if (type === 'tui.session.select') copies.delete(providerId);
    if (copies.has(providerId)) return [];
    const now = conversationOf(providerId);
    switch (type) {
      case 'session.created':
        // What we have opened is told before its answer, or after it.
        if (text(record(said.info).parentID) === null && providerId !== present) strangers.add(providerId);
        return [];
      case 'session.status':
        return record(said.status).type === 'busy' && strangers.delete(providerId) ? wentTo(providerId) : [];
      case 'session.error':
        if (now.turn) now.turn.error ??= record(said.error);
        return [];
      case 'session.idle':
        return idle(providerId, now);
      case 'session.compacted':
        return compacted(providerId, now);
      case 'message.updated':
        return message(providerId, now, record(said.info));
      case 'message.part.updated':
        return part(providerId, now, record(said.part));
      case 'permission.asked':
        return asked('permission', said);
      case 'question.asked':
        return asked('question', said);
      case 'permission.replied':
      case 'question.replied':
      case 'question.rejected':
        return questions.over(text(said.requestID));
      default:
        return [];
    }
  }

  function conversationOf(id: string): Conversation {
    const known = conversations.get(id) ?? newConversation();
    conversations.set(id, known);
    return known;
  }

  /** The human has begun another conversation in the terminal, and it works: it is the session's from now on. */
  function wentTo(providerId: string): Told[] {
    const { turn, waiting } = conversationOf(providerId);
    const words = turn ? (waiting.get(turn.id) ?? '') : '';
    const before = present === null ? [] : left(present);
    present = providerId;
    return [...before, ...began(providerId, 'clear'), ...(turn ? submitted(providerId, turn.id, words) : [])];
  }

  const submitted = (providerId: string, turnId: string, words: string): Told[] =>
    fact({ is: 'prompt-submitted', providerId, turnId, text: words, transcriptPath: null });
  function message(providerId: string, now: Conversation, info: Json): Told[] {
    const id = text(info.id);
    if (id === null) return [];
    if (info.role !== 'user') return info.role === 'assistant' ? answer(providerId, now, id, info) : [];
    if (id > now.newestPrompt) now.prompts.add(id);
    return [];
  }

  function answer(providerId: string, now: Conversation, id: string, info: Json): Told[] {
    const isDone = number(record(info.time).completed) !== null;
    if (info.summary === true) {
      if (isDone) now.summaries.delete(id);
      else now.summaries.add(id);
      return [];
    }
    const model = [text(info.providerID), text(info.modelID)];
    if (!model.includes(null)) now.model = model.join('/');
    if (!now.turn && isDone) return [];
    const isNew = !isDone && !now.turn?.open.has(id);
    // One that nobody has asked for.
    now.turn ??= newTurn(text(info.parentID) ?? id);
    if (isDone) now.turn.open.delete(id);
    else now.turn.open.add(id);
    if (info.error !== undefined) now.turn.error = record(info.error);
    if (text(info.finish) !== null) now.turn.finished = true;
    if (isNew)
      return [
        ...takenUp(providerId, now, text(info.parentID) ?? ''),
        ...working(providerId, now.turn.id, null),
      ];
    return isDone
      ? usage(providerId, now.model, id, record(info.tokens), windows).map((fact) => ({ fact }))
      : [];
  }

  /** An answer is to everything up to the message that it names. */
  function takenUp(providerId: string, now: Conversation, upTo: string): Told[] {
    const taken = [...now.waiting].filter(([id]) => id <= upTo);
    for (const [id] of taken) now.waiting.delete(id);
    const turnId = now.turn?.id ?? null;
    return taken
      .filter(([id]) => id !== turnId)
      .flatMap(([, words]) => fact({ is: 'prompt-absorbed', providerId, turnId, text: words }));
  }

  const working = (providerId: string, turnId: string | null, subject: string | null): Told[] =>
    fact({ is: 'activity', providerId, turnId, subject });

  function part(providerId: string, now: Conversation, said: Json): Told[] {
    const id = text(said.messageID) ?? '';
    switch (said.type) {
      case 'text':
        return now.prompts.has(id) ? prompted(providerId, now, id, said) : spoken(providerId, now, id, said);
      case 'compaction':
        now.prompts.delete(id);
        now.compacting = true;
        return fact({
          is: 'compaction-began',
          providerId,
          trigger: said.auto === true ? 'auto' : 'manual',
        });
      case 'tool':
        return now.turn ? tool(providerId, now.turn, text(said.callID) ?? '', record(said.state).status) : [];
      default:
        return [];
    }
  }

  function prompted(providerId: string, now: Conversation, id: string, said: Json): Told[] {
    if (said.synthetic === true) return [];
    now.prompts.delete(id);
    now.newestPrompt = id;
    const words = text(said.text) ?? '';
    now.waiting.set(id, words);
    if (now.turn) return fact({ is: 'prompt-enqueued', providerId, text: words });
    now.turn = newTurn(id);
    return submitted(providerId, id, words);
  }

  function spoken(providerId: string, { turn, summaries }: Conversation, id: string, said: Json): Told[] {
    const words = text(said.text) ?? '';
    const isWhole = number(record(said.time).end) !== null;
    if (!turn || summaries.has(id) || !isWhole || words.trim() === '') return [];
    turn.lastWords = words;
    return fact({ is: 'said', providerId, turnId: turn.id, text: words.slice(0, longestWords) });
  }

  function tool(providerId: string, turn: Turn, id: string, status: unknown): Told[] {
    const step = (name: 'tool-began' | 'tool-ended', subject: string | null): Told[] =>
      fact({ is: 'activity', providerId, turnId: turn.id, subject, step: name });
    if (status === 'running' && !turn.tools.has(id)) {
      turn.tools.add(id);
      return step('tool-began', null);
    }
    const isOver = status === 'completed' || status === 'error';
    return isOver && turn.tools.delete(id) ? step('tool-ended', id) : [];
  }

  function compacted(providerId: string, now: Conversation): Told[] {
    if (!now.compacting) return [];
    now.compacting = false;
    return fact({ is: 'compaction-ended', providerId });
  }

  /** It says so once before an answer that was cut is closed, and once after that. */
  function idle(providerId: string, now: Conversation): Told[] {
    const { turn, waiting } = now;
    if (!turn) return compacted(providerId, now);
    if (turn.open.size > 0) return [];
    now.turn = null;
    questions.drop();
    const passedOver = [...waiting.keys()].filter((id) => id !== turn.id);
    waiting.clear();
    now.prompts.clear();
    dropped.push(...passedOver.filter(isOurs).map((each) => ({ conversation: providerId, message: each })));
    return [
      ...compacted(providerId, now),
      ...fact(endOf(providerId, turn)),
      ...(passedOver.length > 0 ? fact({ is: 'prompts-dropped', providerId }) : []),
    ];
  }

  function asked(kind: Asked['kind'], about: Json): Told[] {
    const id = text(about.id);
    return id === null ? [] : questions.ask(id, { kind, about });
  }

  const conversationIn = ({ about }: Asked): string => text(about.sessionID) ?? '';
  const turnIn = (asked: Asked): string | null => conversationOf(conversationIn(asked)).turn?.id ?? null;

  function tellQuestion(id: RequestId, question: Asked): Told[] {
    const about = { subject: subjectOf(question) ?? String(id), text: questionText(question) };
    const asks = { providerId: conversationIn(question), turnId: turnIn(question), ...about };
    return [{ fact: { is: 'permission-asked', ...asks }, asked: id, call: callIn(question) }];
  }

  const atWork = ({ turn, compacting, waiting }: Conversation) =>
    turn !== null || compacting || waiting.size > 0;

  return {
    line,
    isBusy: (id) => conversations.get(id)?.turn != null,
    get opened() {
      return opened;
    },
    questions: questions.open,
    dropped() {
      const taken = dropped;
      dropped = [];
      return taken;
    },
    get wantsWindows() {
      return windows === null;
    },
    get atRest() {
      const quiet =
        strangers.size === 0 && copies.size === 0 && questions.open.size === 0 && dropped.length === 0;
      return quiet && ![...conversations.values()].some(atWork);
    },
  };
}

function refusalIn(status: number, body: unknown): string {
  const { data, message } = record(body);
  return text(record(data).message) ?? text(message) ?? text(body) ?? `status ${status}`;
}
