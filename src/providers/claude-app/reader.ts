// What Claude Code without a terminal says, in our words. It holds only what its later lines need; it can be built again
// from any line at which nothing was under way.
import type { Fact } from '../../domain/core/fact.ts';
import type { RequestId } from '../../headless/connection.ts';
import { objectIn } from '../../headless/json-rpc.ts';
import { inTurn } from '../../headless/questions.ts';
import { type Line, launchMark, longestWords, type Reader, type Told } from '../../headless/reader.ts';
import { list, number, record, text } from '../values.ts';
import { type Asked, callIn, questionText, subjectOf } from './questions.ts';
import { limitReached, limitsTold, spentIn } from './usage.ts';

export interface ClaudeReader extends Reader {
  /** A turn runs, or something waits for the next one. */
  readonly busy: boolean;
  readonly questions: ReadonlyMap<RequestId, Asked>;
  /** Requests that nobody here can answer; whoever takes them refuses them. */
  unanswerable(): RequestId[];
  /** Prompts of ours that the agent is done with. */
  settled(): string[];
  /** How large the context may be is not known yet. */
  readonly wantsWindow: boolean;
}

interface Turn {
  /** The id of its first prompt; of one that nobody asked for, that of its first line. */
  readonly id: string;
  /** A command of the agent's own that has not made the model speak (yet): no turn for us. */
  silent: string | null;
}

type Json = Record<string, unknown>;

/** `textOf`: what we said under an id. */
export function readClaude(textOf: (id: string) => string | null): ClaudeReader {
  let turn: Turn | null = null;
  let compacting = false;
  let stillRuns = 0;
  let model: string | null = null;
  let version: string | null = null;
  let windowSize: number | null = null;
  let tokens: number | null = null;
  const waiting = new Set<string>();
  const questions = inTurn<Asked>({
    asked: tellQuestion,
    over: (_, asked) => (conversation === null ? [] : working(conversation, subjectOf(asked))),
  });
  let refused: RequestId[] = [];
  let settled: string[] = [];

  function reset(): void {
    turn = null;
    compacting = false;
    stillRuns = 0;
    waiting.clear();
    questions.drop();
    refused = [];
  }

  function line(words: string): Line {
    const said = objectIn(words);
    if (said === null) return { told: [], nonsense: true };
    if (said.type === 'control_response') return answered(record(said.response));
    return { told: take(said) };
  }

  function answered(response: Json): Line {
    const id = text(response.request_id);
    if (id === null) return { told: [] };
    if (response.subtype === 'error')
      return {
        told: [],
        answers: { id, heard: { is: 'refusal', message: text(response.error) ?? 'unknown error' } },
      };
    const result = response.response ?? {};
    const max = number(record(result).maxTokens);
    if (max !== null) windowSize = max;
    return { told: [], answers: { id, heard: { is: 'answer', result } } };
  }

  function take(said: Json): Told[] {
    const providerId = text(said.session_id);
    switch (said.type ?? said.method) {
      case launchMark:
        reset();
        return [];
      case 'control_request':
        return asked(text(said.request_id), record(said.request));
      case 'control_cancel_request':
        return questions.over(text(said.request_id));
      default:
        return providerId === null || said.parent_tool_use_id ? [] : told(providerId, said);
    }
  }

  let conversation: string | null = null;

  function told(providerId: string, said: Json): Told[] {
    conversation = providerId;
    switch (said.type) {
      case 'command_lifecycle':
        return prompted(providerId, text(said.command_uuid) ?? '', said.state);
      case 'system':
        return system(providerId, said);
      case 'assistant':
        return spoken(providerId, record(said.message));
      case 'user':
        return toolsDone(providerId, record(said.message));
      case 'rate_limit_event':
        return limitsTold(said).map((fact) => ({ fact }));
      case 'result':
        return [...over(providerId, said), ...spentIn(providerId, said).map((fact) => ({ fact }))];
      default:
        return [];
    }
  }

  const fact = (fact: Fact): Told[] => [{ fact }];

  function prompted(providerId: string, id: string, state: unknown): Told[] {
    const words = textOf(id);
    switch (state) {
      case 'queued':
        waiting.add(id);
        if (!turn || words === null || isCommand(words)) return [];
        return fact({ is: 'prompt-enqueued', providerId, text: words });
      case 'started': {
        waiting.delete(id);
        if (turn && turn.silent === null)
          return words === null
            ? []
            : fact({ is: 'prompt-absorbed', providerId, turnId: turn.id, text: words });
        // What we do not know any more was a prompt of ours that has been told, or none.
        turn = { id, silent: words === null || isCommand(words) ? (words ?? '') : null };
        return turn.silent === null ? begun(providerId, words ?? '') : [];
      }
      case 'completed':
      case 'cancelled': {
        settled.push(id);
        const dropped = waiting.delete(id) && words !== null && !isCommand(words);
        return dropped ? fact({ is: 'prompts-dropped', providerId }) : [];
      }
      default:
        return [];
    }
  }

  const begun = (providerId: string, words: string): Told[] =>
    turn
      ? fact({ is: 'prompt-submitted', providerId, turnId: turn.id, text: words, transcriptPath: null })
      : [];

  function system(providerId: string, said: Json): Told[] {
    switch (said.subtype) {
      case 'init':
        model = text(said.model) ?? model;
        version = text(said.claude_code_version) ?? version;
        // One that nobody asked for: a task in the background has ended.
        if (turn) return [];
        turn = { id: text(said.uuid) ?? providerId, silent: null };
        return working(providerId, null);
      case 'session_state_changed':
        return said.state === 'running' && questions.open.size === 1
          ? questions.over([...questions.open.keys()][0])
          : [];
      case 'background_tasks_changed':
        stillRuns = list(said.tasks).length;
        return [];
      case 'status':
        return compaction(providerId, said);
      default:
        return [];
    }
  }

  function compaction(providerId: string, said: Json): Told[] {
    if (said.status === 'compacting' && !compacting) {
      compacting = true;
      return fact({
        is: 'compaction-began',
        providerId,
        trigger: (turn?.silent ?? null) === null ? 'auto' : 'manual',
      });
    }
    if (said.status !== null || !compacting) return [];
    compacting = false;
    return fact({ is: 'compaction-ended', providerId });
  }

  const working = (providerId: string, subject: string | null): Told[] =>
    fact({ is: 'activity', providerId, turnId: turn?.id ?? null, subject });

  function spoken(providerId: string, message: Json): Told[] {
    // What the program says in the model's place, of an error say, is told by the turn's end.
    if (!turn || message.model === '<synthetic>') return [];
    const begins = turn.silent === null ? [] : begun(providerId, turn.silent);
    turn.silent = null;
    const facts = list(message.content).flatMap((block) => {
      const words = text(record(block).text);
      if (record(block).type !== 'text' || words === null) return working(providerId, null);
      return fact({ is: 'said', providerId, turnId: turn?.id ?? null, text: words.slice(0, longestWords) });
    });
    const usage = record(message.usage);
    const used = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens']
      .map((key) => number(usage[key]) ?? 0)
      .reduce((sum, each) => sum + each);
    if (used > 0) tokens = used;
    return [...begins, ...facts, ...(windowSize === null ? [] : usageNow(providerId, null))];
  }

  function usageNow(providerId: string, costUsd: number | null): Told[] {
    const percentage = tokens !== null && windowSize ? Math.round((100 * tokens) / windowSize) : null;
    return fact({
      is: 'usage',
      providerId,
      usage: { percentage, tokens, windowSize, model, costUsd },
      ...(version !== null && { agentVersion: version }),
    });
  }

  function toolsDone(providerId: string, { content }: Json): Told[] {
    return list(content).flatMap((block) => {
      const id = text(record(block).tool_use_id);
      if (id === null) return [];
      const question = [...questions.open].find(([, each]) => subjectOf(each) === id);
      return question ? questions.over(question[0]) : working(providerId, id);
    });
  }

  function over(providerId: string, said: Json): Told[] {
    const ended = turn;
    turn = null;
    questions.drop();
    for (const each of Object.values(record(said.modelUsage)))
      windowSize = number(record(each).contextWindow) ?? windowSize;
    const after: Told[] = compacting ? fact({ is: 'compaction-ended', providerId }) : [];
    compacting = false;
    if (!ended || ended.silent !== null) return after;
    const usage = tokens === null ? [] : usageNow(providerId, number(said.total_cost_usd));
    return [...after, { fact: end(providerId, ended.id, said) }, ...usage];
  }

  function end(providerId: string, turnId: string, said: Json): Fact {
    const reason = text(said.terminal_reason) ?? '';
    const words = text(said.result);
    if (reason.startsWith('aborted')) return { is: 'turn-ended', end: 'interrupted', providerId, turnId };
    if (said.is_error === true)
      return {
        is: 'turn-ended',
        end: 'failed',
        providerId,
        turnId,
        lastWords: words ?? errorsIn(said) ?? 'unknown error',
        ...limitReached(said),
      };
    return { is: 'turn-ended', end: 'ended', providerId, turnId, lastWords: words, stillRuns };
  }

  function asked(id: string | null, request: Json): Told[] {
    if (id === null) return [];
    if (request.subtype === 'can_use_tool') return questions.ask(id, request);
    refused.push(id);
    return [];
  }

  function tellQuestion(id: RequestId, question: Asked): Told[] {
    if (conversation === null) return [];
    const about = { subject: subjectOf(question), text: questionText(question) };
    const fact: Fact = {
      is: 'permission-asked',
      providerId: conversation,
      turnId: turn?.id ?? null,
      ...about,
    };
    return [{ fact, asked: id, call: callIn(question) }];
  }

  return {
    line,
    get busy() {
      return turn !== null || waiting.size > 0;
    },
    questions: questions.open,
    unanswerable() {
      const taken = refused;
      refused = [];
      return taken;
    },
    settled() {
      const taken = settled;
      settled = [];
      return taken;
    },
    get wantsWindow() {
      return windowSize === null;
    },
    get atRest() {
      return turn === null && !compacting && !waiting.size && !questions.open.size && !refused.length;
    },
  };
}

/** Messages have a header, and our own texts a mark: only a command begins like this. */
const isCommand = (words: string): boolean => words.startsWith('/');

function errorsIn({ errors }: Json): string | null {
  const texts = list(errors).flatMap((each) => text(each) ?? []);
  return texts.length ? texts.join('; ') : null;
}
