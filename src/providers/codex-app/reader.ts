// What an app-server says, in our words. It holds only what its later lines need; it can be built again from any line
// at which nothing was under way.
import type { Fact } from '../../domain/core/fact.ts';
import { beyond, type Tokens } from '../../domain/core/spending.ts';
import type { RequestId } from '../../headless/connection.ts';
import { asLine, type Incoming, parseLine } from '../../headless/json-rpc.ts';
import { openingOf, startSource } from '../../headless/opening.ts';
import { inTurn } from '../../headless/questions.ts';
import { type Line, launchMark, longestWords, type Reader, type Told } from '../../headless/reader.ts';
import { limitWindow, windowName } from '../limits.ts';
import { list, number, record, text } from '../values.ts';
import { reviewOf } from './api.ts';
import type { HeardMethod } from './protocol.ts';
import { type Asked, callIn, isQuestion, questionText } from './questions.ts';

export interface AppServerReader extends Reader {
  /** The turn that runs in a thread. */
  turn(threadId: string): string | null;
  readonly questions: ReadonlyMap<RequestId, Asked>;
  /** This process has opened a thread for us. */
  readonly hasThread: boolean;
  /** Requests that nobody here can answer; whoever takes them refuses them. */
  unanswerable(): RequestId[];
}

interface Turn {
  readonly id: string;
  prompted: boolean;
  /** It takes no text: what is told of its prompt and its tools is its own business. */
  review: boolean;
  /** What can be interrupted, when it is not the turn itself. */
  inner: string | null;
  compacting: boolean;
  lastWords: string | null;
  readonly tools: Set<string>;
}

/** Items that are the model's own output, which a text would cut; while any other runs, the model waits for it. */
const speech = new Set(['agentMessage', 'reasoning', 'plan']);
/** Items that are neither output nor work. */
const silent = new Set(['hookPrompt', 'functionCallOutput', 'enteredReviewMode', 'exitedReviewMode']);

export function readAppServer(): AppServerReader {
  const turns = new Map<string, Turn>();
  const models = new Map<string, string>();
  const questions = inTurn<Asked>({
    asked: tellQuestion,
    over: (id, { params: { threadId, turnId, itemId } }) =>
      working(text(threadId), text(turnId), text(itemId) ?? String(id)),
  });
  /** Which files a change is about: its question does not say. */
  const changes = new Map<string, string[]>();
  let refused: RequestId[] = [];
  let hasThread = false;

  function line(words: string): Line {
    const incoming = parseLine(words);
    return asLine(incoming, take(incoming));
  }

  function take(incoming: Incoming): Told[] {
    switch (incoming.is) {
      case 'answer':
        return [
          ...opened(incoming.id, record(incoming.result)),
          ...reviewing(incoming.id, record(incoming.result)),
        ];
      case 'request':
        return asked(incoming.id, incoming.method, record(incoming.params));
      case 'notification':
        return notified(incoming.method, record(incoming.params));
      case 'refusal':
      case 'nonsense':
        return [];
    }
  }

  function opened(id: RequestId, result: Record<string, unknown>): Told[] {
    const opening = openingOf(id);
    const thread = record(result.thread);
    const providerId = text(thread.id);
    if (!opening || providerId === null) return [];
    hasThread = true;
    const model = text(result.model);
    if (model !== null) models.set(providerId, model);
    const started: Fact = {
      is: 'agent-started',
      providerId,
      source: startSource[opening.how],
      transcriptPath: text(thread.path),
      model,
    };
    if (opening.how !== 'clear') return [{ fact: started }];
    turns.delete(opening.from);
    return [{ fact: { is: 'context-ended', providerId: opening.from, reason: 'clear' } }, { fact: started }];
  }

  function reviewing(id: RequestId, result: Record<string, unknown>): Told[] {
    const message = reviewOf(id);
    const [providerId, turnId] = [text(result.reviewThreadId), text(record(result.turn).id)];
    if (message === null || providerId === null || turnId === null) return [];
    Object.assign(turnIn(providerId, { turnId }), { prompted: true, review: true });
    const told = { providerId, turnId, text: '', transcriptPath: null, messages: [message] };
    return [{ fact: { is: 'prompt-submitted', ...told } }];
  }

  function asked(id: RequestId, method: string, params: Record<string, unknown>): Told[] {
    if (isQuestion(method)) return questions.ask(id, { method, params });
    refused.push(id);
    return [];
  }

  function tellQuestion(asked: RequestId, question: Asked): Told[] {
    const { threadId, turnId, itemId } = question.params;
    const providerId = text(threadId);
    if (providerId === null) return [];
    const fact: Fact = {
      is: 'permission-asked',
      providerId,
      turnId: text(turnId),
      subject: text(itemId) ?? String(asked),
      text: questionText(question),
    };
    return [{ fact, asked, call: callIn(question, changes.get(text(itemId) ?? '') ?? []) }];
  }

  const working = (providerId: string | null, turnId: string | null, subject: string | null): Told[] =>
    providerId === null ? [] : [{ fact: { is: 'activity', providerId, turnId, subject } }];
  const toolStep = (
    providerId: string,
    turn: Turn,
    id: string,
    step: 'tool-began' | 'tool-ended',
  ): Told[] => {
    const subject = step === 'tool-ended' ? id : null;
    return [{ fact: { is: 'activity', providerId, turnId: turn.id, subject, step } }];
  };

  function notified(method: string, params: Record<string, unknown>): Told[] {
    const threadId = text(params.threadId);
    if (method === launchMark) {
      turns.clear();
      questions.drop();
      refused = [];
      hasThread = false;
      return [];
    }
    if (method === 'account/rateLimits/updated') return limitsTold(record(params.rateLimits));
    if (threadId === null) return [];
    switch (method as HeardMethod) {
      case 'turn/started': {
        const { id, rootTurnId } = record(params.turn);
        const outer = turns.get(threadId);
        if (outer && outer.id === rootTurnId) outer.inner = text(id);
        return [];
      }
      case 'turn/completed':
        return turnOver(threadId, record(params.turn));
      case 'item/started':
        return itemBegan(threadId, turnIn(threadId, params), record(params.item));
      case 'item/completed':
        return itemEnded(threadId, turns.get(threadId), params);
      case 'thread/tokenUsage/updated':
        return used(threadId, record(params.tokenUsage));
      case 'serverRequest/resolved':
        return questions.over(params.requestId as RequestId);
      default:
        return [];
    }
  }

  function turnIn(threadId: string, params: Record<string, unknown>): Turn {
    const id = text(params.turnId) ?? '';
    const known = turns.get(threadId);
    if (known?.id === id) return known;
    const turn: Turn = {
      id,
      prompted: false,
      review: false,
      inner: null,
      compacting: false,
      lastWords: null,
      tools: new Set(),
    };
    turns.set(threadId, turn);
    return turn;
  }

  function itemBegan(providerId: string, turn: Turn, item: Record<string, unknown>): Told[] {
    const [type, id] = [text(item.type) ?? '', text(item.id) ?? ''];
    if (type === 'enteredReviewMode') turn.review = true;
    if (type === 'userMessage' && turn.review) return [];
    if (type === 'userMessage') return [{ fact: prompt(providerId, turn, item) }];
    if (type === 'contextCompaction') {
      turn.compacting = true;
      const trigger = turn.prompted ? 'auto' : 'manual';
      return [{ fact: { is: 'compaction-began', providerId, trigger } }];
    }
    if (silent.has(type)) return [];
    if (speech.has(type) || turn.review) return working(providerId, turn.id, null);
    if (type === 'fileChange')
      changes.set(
        id,
        list(item.changes).map((change) => text(record(change).path) ?? ''),
      );
    turn.tools.add(id);
    return toolStep(providerId, turn, id, 'tool-began');
  }

  /** The first text of a turn begins it; whatever comes after it was given while it ran, and is taken up now. */
  function prompt(providerId: string, turn: Turn, item: Record<string, unknown>): Fact {
    const words = list(item.content)
      .map((part) => text(record(part).text) ?? '')
      .join('\n');
    if (turn.prompted) return { is: 'prompt-absorbed', providerId, turnId: turn.id, text: words };
    turn.prompted = true;
    return { is: 'prompt-submitted', providerId, turnId: turn.id, text: words, transcriptPath: null };
  }

  /** A command may outlive its turn: that it ends says nothing of the turn that runs by then. */
  function itemEnded(providerId: string, turn: Turn | undefined, params: Record<string, unknown>): Told[] {
    if (!turn || turn.id !== text(params.turnId)) return [];
    const item = record(params.item);
    const [type, id] = [text(item.type) ?? '', text(item.id) ?? ''];
    if (type === 'contextCompaction') {
      turn.compacting = false;
      return [{ fact: { is: 'compaction-ended', providerId } }];
    }
    if (type === 'agentMessage') {
      const words = text(item.text) ?? '';
      turn.lastWords = words;
      return [{ fact: { is: 'said', providerId, turnId: turn.id, text: words.slice(0, longestWords) } }];
    }
    changes.delete(id);
    return turn.tools.delete(id) ? toolStep(providerId, turn, id, 'tool-ended') : [];
  }

  function turnOver(providerId: string, { id, status, error }: Record<string, unknown>): Told[] {
    const turnId = text(id);
    const turn = turns.get(providerId);
    turns.delete(providerId);
    changes.clear();
    questions.drop(({ params }) => params.turnId === turnId || params.turnId === turn?.inner);
    const ended: Told[] = turn?.compacting ? [{ fact: { is: 'compaction-ended', providerId } }] : [];
    // A turn of its own, as a compaction is one, was never told to begin.
    if (turn?.id !== turnId || !turn?.prompted) return ended;
    return [...ended, { fact: end(turn, status, error) }, { fact: { is: 'prompts-dropped', providerId } }];

    function end(turn: Turn, status: unknown, error: unknown): Fact {
      if (status === 'interrupted') return { is: 'turn-ended', end: 'interrupted', providerId, turnId };
      if (status === 'failed') {
        const isLimit = record(error).codexErrorInfo === 'usageLimitExceeded';
        const limit = isLimit ? { limit: { resetsAt: null } } : {};
        return { is: 'turn-ended', end: 'failed', providerId, turnId, lastWords: errorIn(error), ...limit };
      }
      return { is: 'turn-ended', end: 'ended', providerId, turnId, lastWords: turn.lastWords, stillRuns: 0 };
    }
  }

  function used(providerId: string, usage: Record<string, unknown>): Told[] {
    const tokens = number(record(usage.last).totalTokens);
    const windowSize = number(usage.modelContextWindow);
    const percentage = tokens !== null && windowSize ? (100 * tokens) / windowSize : null;
    const model = models.get(providerId) ?? null;
    const total = tokensIn(record(usage.total));
    const before = beyond(total, tokensIn(record(usage.last)));
    return [
      { fact: { is: 'usage', providerId, usage: { percentage, tokens, windowSize, model, costUsd: null } } },
      { fact: { is: 'spent', providerId, meter: providerId, before, tokens: total, model } },
    ];
  }

  return {
    line,
    turn(threadId) {
      const turn = turns.get(threadId);
      return turn?.inner ?? turn?.id ?? null;
    },
    questions: questions.open,
    get hasThread() {
      return hasThread;
    },
    unanswerable() {
      const taken = refused;
      refused = [];
      return taken;
    },
    get atRest() {
      return turns.size === 0 && questions.open.size === 0 && refused.length === 0;
    },
  };
}

function limitsTold({ primary, secondary }: Record<string, unknown>): Told[] {
  const windows = [record(primary), record(secondary)].flatMap((window) =>
    limitWindow(windowName(number(window.windowDurationMins) ?? 0), window.usedPercent, window.resetsAt),
  );
  return windows.length > 0 ? [{ fact: { is: 'limits', windows } }] : [];
}

/** Its input counts what came from a cache as well. */
function tokensIn(told: Record<string, unknown>): Tokens {
  const cacheRead = number(told.cachedInputTokens) ?? 0;
  const cacheWrite = number(told.cacheWriteInputTokens) ?? 0;
  const input = Math.max(0, (number(told.inputTokens) ?? 0) - cacheRead - cacheWrite);
  return { input, cacheRead, cacheWrite, output: number(told.outputTokens) ?? 0 };
}

/** What the model's server said is often JSON inside the message. */
function errorIn(error: unknown): string {
  const message = text(record(error).message) ?? 'unknown error';
  try {
    return text(record(record(JSON.parse(message)).error).message) ?? message;
  } catch {
    return message;
  }
}
