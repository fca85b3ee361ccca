// What an agent says by the Agent Client Protocol, in our words. The protocol has no word for a prompt that was taken:
// the first thing that only a turn says proves it, or its answer. Updates that no prompt of ours waits for are no turn:
// when a conversation is loaded, the agent tells all of its history like that.
import type { Fact } from '../../domain/core/fact.ts';
import type { RequestId } from '../../headless/connection.ts';
import { asLine, type Incoming, parseLine } from '../../headless/json-rpc.ts';
import { openingOf, startSource } from '../../headless/opening.ts';
import { inTurn } from '../../headless/questions.ts';
import { type Line, launchMark, type Reader, type Told } from '../../headless/reader.ts';
import { list, number, record, text } from '../values.ts';
import type { Known } from './known.ts';
import { permissionMethod, type UpdateKind, updateMethod } from './protocol.ts';
import { type Asked, callIn, questionText, subjectOf } from './questions.ts';
import { closed, ended, newTurn, spoken, step, type Turn, thought, tool } from './turn.ts';

type Json = Record<string, unknown>;

/** What we know of a request that is on its way, by its id. */
export type Note =
  | {
      readonly what: 'prompt';
      readonly conversation: string;
      readonly text: string;
      readonly messages: readonly string[];
      /** How much the agent had said by then. */
      readonly after: number;
    }
  /** A command of the agent's own, given as a prompt. */
  | { readonly what: 'compact'; readonly conversation: string; readonly after: number }
  | { readonly what: 'hello'; readonly after: number }
  /** The conversation that it loads; null: it makes one. */
  | { readonly what: 'open'; readonly conversation: string | null; readonly after: number };

export type Prompt = Extract<Note, { what: 'prompt' | 'compact' }>;

export interface AcpReader extends Reader {
  /** A prompt of ours is on its way, or has not been answered yet. */
  readonly busy: boolean;
  readonly questions: ReadonlyMap<RequestId, Asked>;
  /** An answer was given: what is to be asked next. */
  answered(id: RequestId): (Told & { readonly of: number })[];
  /** Where this process began; null: none has. */
  readonly launchedAt: number | null;
  /** What it said of itself when it was greeted. */
  readonly hello: Json | null;
  /** The conversation that this process has opened for us, with its settings. */
  readonly opened: { readonly conversation: string; readonly settings: readonly unknown[] } | null;
  /** Requests that nobody here can answer; whoever takes them refuses them. */
  unanswerable(): RequestId[];
  /** Requests whose notes are not needed any more. */
  settled(): string[];
}

/** `notes`: of all that is on its way. */
export function readAcp(known: Known, notes: ReadonlyMap<string, Note>): AcpReader {
  let launchedAt: number | null = null;
  let hello: Json | null = null;
  let opened: AcpReader['opened'] = null;
  let turn: Turn | null = null;
  let compacting = false;
  let model: string | null = null;
  /** What the human said last, in a history that is told. */
  let replayed: { text: string; open: boolean } = { text: '', open: false };
  /** A prompt that the process before was given and did not answer. */
  let orphan: [id: string, Extract<Note, { what: 'prompt' }>] | null = null;
  const done = new Set<string>();
  let refused: RequestId[] = [];
  const questions = inTurn<Asked>({
    asked: tellQuestion,
    over: (_, asked) => working(conversationIn(asked), subjectOf(asked)),
  });

  const conversationIn = ({ params }: Asked): string => text(params.sessionId) ?? '';
  const fact = (fact: Fact): Told[] => [{ fact }];
  const working = (providerId: string, subject: string | null): Told[] =>
    fact({ is: 'activity', providerId, turnId: turn?.id ?? null, subject });

  function line(words: string, at = Number.MAX_SAFE_INTEGER): Line {
    const incoming = parseLine(words);
    const told = take(incoming, at);
    const asks = incoming.is === 'request' && incoming.method === permissionMethod ? incoming.id : null;
    return { ...asLine(incoming, told), ...(asks !== null && { asks }) };
  }

  function take(incoming: Incoming, at: number): Told[] {
    switch (incoming.is) {
      case 'answer':
        return answeredBy(String(incoming.id), record(incoming.result));
      case 'refusal':
        return refusedBy(String(incoming.id), incoming.message);
      case 'request':
        return asked(incoming.id, incoming.method, record(incoming.params), at);
      case 'notification': {
        if (incoming.method === launchMark) return launched(at);
        const { sessionId, update } = record(incoming.params);
        const providerId = text(sessionId);
        return incoming.method === updateMethod && providerId !== null
          ? updated(providerId, record(update), at)
          : [];
      }
      case 'nonsense':
        return [];
    }
  }

  /** Nothing of the process before goes on. */
  function launched(at: number): Told[] {
    launchedAt = at;
    hello = null;
    opened = null;
    turn = null;
    compacting = false;
    replayed = { text: '', open: false };
    questions.drop();
    refused = [];
    for (const [id, note] of notes) {
      if (note.after > at || done.has(id)) continue;
      if (note.what === 'prompt') orphan = [id, note];
      else done.add(id);
    }
    return [];
  }

  const isOpen = (id: string): boolean => !done.has(id) && orphan?.[0] !== id;
  const isPrompt = ({ what }: Note): boolean => what === 'prompt' || what === 'compact';

  /** The prompt that waits for its answer. There is one at the most. */
  function prompting(conversation: string, at: number): [string, Prompt] | null {
    for (const [id, note] of notes)
      if (isPrompt(note) && isOpen(id) && note.after <= at) {
        const prompt = note as Prompt;
        if (prompt.conversation === conversation) return [id, prompt];
      }
    return null;
  }

  function begun(id: string, note: Extract<Note, { what: 'prompt' }>): Told[] {
    if (turn?.id === id) return [];
    turn = newTurn(id);
    const { conversation: providerId, text: words, messages } = note;
    const taken = { providerId, turnId: id, text: words, transcriptPath: null, messages };
    return fact({ is: 'prompt-submitted', ...taken });
  }

  function answeredBy(id: string, result: Json): Told[] {
    const note = notes.get(id);
    if (!note || !isOpen(id)) return [];
    done.add(id);
    switch (note.what) {
      case 'hello':
        hello = result;
        return [];
      case 'open':
        return conversationOpened(id, note.conversation ?? text(result.sessionId), result);
      case 'compact':
        return [...compactionBegan(note.conversation), ...compacted(note.conversation)];
      case 'prompt': {
        const begins = begun(id, note);
        return [...begins, ...over(note.conversation, (now) => ended(note.conversation, now, result, known))];
      }
    }
  }

  function refusedBy(id: string, message: string): Told[] {
    const note = notes.get(id);
    if (!note || !isOpen(id)) return [];
    done.add(id);
    if (note.what === 'compact') return compacted(note.conversation);
    if (note.what !== 'prompt') return [];
    const { conversation: providerId } = note;
    const begins = begun(id, note);
    const failed = { is: 'turn-ended', end: 'failed', providerId, turnId: id, lastWords: message } as const;
    return [...begins, ...over(providerId, (now) => [...closed(providerId, now), { fact: failed }])];
  }

  function over(providerId: string, tell: (turn: Turn) => Told[]): Told[] {
    const now = turn;
    questions.drop();
    const before = compacted(providerId);
    turn = null;
    return now ? [...before, ...tell(now)] : before;
  }

  function conversationOpened(id: string, providerId: string | null, result: Json): Told[] {
    const opening = openingOf(id);
    if (!opening || providerId === null) return [];
    opened = { conversation: providerId, settings: list(result.configOptions) };
    model = modelIn(opened.settings);
    const source = startSource[opening.how];
    const started = fact({ is: 'agent-started', providerId, source, transcriptPath: null, model });
    if (opening.how === 'clear')
      return [...fact({ is: 'context-ended', providerId: opening.from, reason: 'clear' }), ...started];
    return [...whatBecameOf(providerId), ...started];
  }

  /**
   * Whether the last process had taken the prompt that it did not answer: then its own history ends with it. One that
   * it had not taken is given again, like everything that waits.
   */
  function whatBecameOf(providerId: string): Told[] {
    if (!orphan) return [];
    const [id, note] = orphan;
    orphan = null;
    done.add(id);
    const took = note.conversation === providerId && replayed.text.includes(note.text.trim());
    if (!took) return [];
    const begins = begun(id, note);
    turn = null;
    const words = 'It ended before it had answered.';
    return [
      ...begins,
      ...fact({ is: 'turn-ended', end: 'failed', providerId, turnId: id, lastWords: words }),
    ];
  }

  function modelIn(settings: readonly unknown[]): string | null {
    const setting = settings.map(record).find(({ category }) => category === 'model');
    return setting ? text(setting.currentValue) : null;
  }

  function updated(providerId: string, update: Json, at: number): Told[] {
    const kind = update.sessionUpdate as UpdateKind;
    if (kind === 'config_option_update') {
      model = modelIn(list(update.configOptions)) ?? model;
      return [];
    }
    const waits = prompting(providerId, at);
    if (!waits) {
      replay(kind, update);
      return opened && kind === 'usage_update' ? used(providerId, update) : [];
    }
    const [id, note] = waits;
    if (note.what === 'compact')
      return [...compactionBegan(providerId), ...usageIn(providerId, kind, update)];
    const begins = turn || provesTurn(kind) ? begun(id, note) : [];
    return [
      ...begins,
      ...(turn ? turnUpdate(providerId, turn, kind, update) : []),
      ...usageIn(providerId, kind, update),
    ];
  }

  /** A user's message may come in pieces; anything else ends it. */
  function replay(kind: UpdateKind, update: Json): void {
    if (!orphan) return;
    const isHuman = kind === 'user_message_chunk';
    const piece = isHuman ? (text(record(update.content).text) ?? '') : '';
    if (isHuman) replayed.text = replayed.open ? replayed.text + piece : piece;
    replayed.open = isHuman;
  }

  /** Other updates may come at any time, also late. */
  function provesTurn(kind: UpdateKind): boolean {
    switch (kind) {
      case 'agent_message_chunk':
      case 'agent_thought_chunk':
      case 'tool_call':
      case 'tool_call_update':
      case 'plan':
        return true;
      case 'usage_update':
        return known.usageBegins;
      default:
        return false;
    }
  }

  function turnUpdate(providerId: string, now: Turn, kind: UpdateKind, update: Json): Told[] {
    switch (kind) {
      case 'agent_message_chunk':
        return spoken(providerId, now, update);
      case 'agent_thought_chunk':
        return thought(providerId, now);
      case 'tool_call':
      case 'tool_call_update':
        return toolUpdate(providerId, now, update);
      case 'plan':
        return step(providerId, now);
      case 'compaction_update':
        return update.status === 'in_progress' ? compactionBegan(providerId) : compacted(providerId);
      default:
        return [];
    }
  }

  function toolUpdate(providerId: string, now: Turn, update: Json): Told[] {
    const id = text(update.toolCallId) ?? '';
    const { status } = update;
    if (known.compactTool !== null && toolNameIn(update) === known.compactTool) {
      if (status === 'in_progress') return compactionBegan(providerId);
      return status === 'completed' || status === 'failed' ? compacted(providerId) : [];
    }
    const question = [...questions.open].find(([, each]) => subjectOf(each) === id);
    if (question && text(status) !== null && status !== 'pending') return questions.over(question[0]);
    return tool(providerId, now, id, status);
  }

  function compactionBegan(providerId: string): Told[] {
    if (compacting) return [];
    compacting = true;
    return fact({ is: 'compaction-began', providerId, trigger: turn ? 'auto' : 'manual' });
  }

  function compacted(providerId: string): Told[] {
    if (!compacting) return [];
    compacting = false;
    return fact({ is: 'compaction-ended', providerId });
  }

  const usageIn = (providerId: string, kind: UpdateKind, update: Json): Told[] =>
    kind === 'usage_update' ? used(providerId, update) : [];

  function used(providerId: string, update: Json): Told[] {
    const [tokens, windowSize] = [number(update.used), number(update.size)];
    // No context is empty: that is what an agent says when it does not know.
    if (!tokens || !windowSize) return [];
    if (known.modelIn !== null) model = text(record(update._meta)[known.modelIn]) ?? model;
    const { amount, currency } = record(update.cost);
    const costUsd = known.capabilities.tellsCost && currency === 'USD' ? number(amount) : null;
    const percentage = (100 * tokens) / windowSize;
    return fact({ is: 'usage', providerId, usage: { percentage, tokens, windowSize, model, costUsd } });
  }

  function asked(id: RequestId, method: string, params: Json, at: number): Told[] {
    if (method !== permissionMethod) {
      refused.push(id);
      return [];
    }
    const waits = prompting(text(params.sessionId) ?? '', at);
    const begins = waits?.[1].what === 'prompt' ? begun(waits[0], waits[1]) : [];
    return [...begins, ...questions.ask(id, { params, at })];
  }

  function tellQuestion(id: RequestId, question: Asked): Told[] {
    const about = { subject: subjectOf(question) ?? String(id), text: questionText(question) };
    const asks = { providerId: conversationIn(question), turnId: turn?.id ?? null, ...about };
    return [
      { fact: { is: 'permission-asked', ...asks }, asked: id, call: callIn(question), of: question.at },
    ];
  }

  return {
    line,
    get busy() {
      return [...notes].some(([id, note]) => isPrompt(note) && isOpen(id));
    },
    questions: questions.open,
    answered(id) {
      const wasFirst = [...questions.open.keys()][0] === id;
      questions.drop((each) => questions.open.get(id) === each);
      const [next] = questions.open;
      return wasFirst && next ? tellQuestion(...next).map((told) => ({ ...told, of: next[1].at })) : [];
    },
    get launchedAt() {
      return launchedAt;
    },
    get hello() {
      return hello;
    },
    get opened() {
      return opened;
    },
    unanswerable() {
      const taken = refused;
      refused = [];
      return taken;
    },
    settled() {
      for (const id of done) if (!notes.has(id)) done.delete(id);
      return [...done];
    },
    get atRest() {
      const quiet = questions.open.size === 0 && refused.length === 0 && !turn && !compacting;
      return quiet && [...notes.keys()].every((id) => done.has(id));
    },
  };
}

const toolNameIn = ({ _meta }: Json): string | null => text(record(record(_meta).claudeCode).toolName);
