// What an agent has written down itself, in its own order: which prompts it took, in which turn, and how its turns ended.
import { readFileSync } from 'node:fs';

export type Entry = {
  readonly conversation: string;
} /** It began a turn, or was taken up in one that runs. */ & (
  | { readonly is: 'prompt'; readonly turn: string; readonly text: string }
  | { readonly is: 'absorbed'; readonly text: string }
  /** A piece of its answer, empty if that is a call of a tool; `last` if it had no more to say. */
  | { readonly is: 'said'; readonly text: string; readonly last: boolean }
  | { readonly is: 'stopped' | 'failed' | 'interrupted' }
);

/** How a turn ended, by the log alone; nothing: it does not tell. */
export type LoggedEnd = 'stopped' | 'failed' | 'interrupted';

export interface LoggedTurn {
  readonly id: string;
  readonly conversation: string;
  /** All that it took, its prompt first. */
  readonly texts: string[];
  readonly said: string[];
  /** Its last words are there, though perhaps no end. */
  closed: boolean;
  readonly ends: Set<LoggedEnd>;
  /** It surely ended so: what was taken up together with it may have died before. */
  isSure: boolean;
}

export function readLog(path: string): Entry[] {
  const conversation = path.replace(/^.*\/|\.jsonl$/g, '');
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line) => entriesOf(parsed(line), conversation));
}

/** Behind a line that was torn by a death the next one begins in its middle. */
function parsed(line: string): Line | null {
  for (const from of [0, line.lastIndexOf('{"parentUuid"'), line.lastIndexOf('{"type"')]) {
    if (from < 0) continue;
    try {
      const value = JSON.parse(line.slice(from));
      if (typeof value?.type === 'string') return value;
    } catch {
      // Torn.
    }
  }
  return null;
}

interface Line {
  readonly type: string;
  readonly subtype?: string;
  readonly promptId?: string;
  readonly isMeta?: boolean;
  readonly isCompactSummary?: boolean;
  readonly isApiErrorMessage?: boolean;
  readonly attachment?: { readonly type: string; readonly prompt: string };
  readonly message?: {
    readonly content?: string | readonly { readonly type: string; readonly text?: string }[];
    readonly stop_reason?: string | null;
  };
}

function entriesOf(line: Line | null, conversation: string): Entry[] {
  if (!line) return [];
  const { type, message, attachment } = line;
  const content = message?.content;
  if (
    type === 'user' &&
    line.promptId &&
    typeof content === 'string' &&
    !line.isMeta &&
    !line.isCompactSummary
  )
    return [{ conversation, is: 'prompt', turn: line.promptId, text: content }];
  if (attachment?.type === 'queued_command')
    return [{ conversation, is: 'absorbed', text: attachment.prompt }];
  if (type === 'system' && line.subtype === 'stop_hook_summary') return [{ conversation, is: 'stopped' }];
  if (!Array.isArray(content)) return [];
  const texts = content.flatMap((block) => (block.type === 'text' ? [String(block.text)] : []));
  if (type === 'user')
    return texts.some((text) => text.startsWith('[Request interrupted'))
      ? [{ conversation, is: 'interrupted' }]
      : [];
  if (line.isApiErrorMessage) return [{ conversation, is: 'failed' }];
  const last = message?.stop_reason === 'end_turn';
  if (texts.length === 0) return [{ conversation, is: 'said', text: '', last: false }];
  return texts.map((text) => ({ conversation, is: 'said', text, last }));
}

/**
 * The turns of a log. Prompts that were taken up together end together; but one that died unanswered looks the same, so
 * that only the last of them has surely ended so. The line of an interrupt may stand behind the next prompt: then it is
 * of the turn before.
 */
export function turnsIn(log: readonly Entry[]): LoggedTurn[] {
  const turns: LoggedTurn[] = [];
  let late: LoggedTurn[] = [];
  let open: LoggedTurn[] = [];
  let conversation = '';
  const end = (how: LoggedEnd, of: readonly LoggedTurn[]) => {
    for (const turn of of) turn.ends.add(how);
    const last = of.at(-1);
    if (last) last.isSure = true;
    late = [];
    open = open.filter((turn) => !of.includes(turn));
  };
  const isAnswered = () => open.some(({ said }) => said.length > 0);
  for (const entry of log) {
    if (entry.conversation !== conversation) [late, open] = [[], []];
    conversation = entry.conversation;
    switch (entry.is) {
      case 'prompt': {
        if (isAnswered()) [late, open] = [open, []];
        const turn: LoggedTurn = {
          id: entry.turn,
          conversation,
          texts: [entry.text],
          said: [],
          closed: false,
          ends: new Set(),
          isSure: false,
        };
        turns.push(turn);
        open.push(turn);
        break;
      }
      case 'absorbed':
        open.at(-1)?.texts.push(entry.text);
        break;
      case 'said': {
        const turn = open.at(-1);
        turn?.said.push(entry.text);
        if (turn) turn.closed = entry.last;
        break;
      }
      case 'interrupted':
        end(entry.is, late.length > 0 && !isAnswered() ? late : open);
        break;
      default:
        end(entry.is, open);
    }
  }
  return turns;
}
