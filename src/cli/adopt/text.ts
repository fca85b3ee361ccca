// Conversations of the agents' own records, in words.
import type { ConversationView } from '../../protocol/conversation.ts';
import type { Io } from '../io.ts';
import { coloursFor } from '../text/colours.ts';
import { directory } from '../text/directory.ts';
import { oneLine } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';
import { ago } from '../text/time.ts';
import { cut } from '../text/width.ts';

/** `numbered`: to choose one by. */
export function conversationLines(
  io: Io,
  conversations: readonly ConversationView[],
  { numbered }: { readonly numbered: boolean },
): string[] {
  const rows = conversations.map((each, at) => [
    numbered ? String(at + 1) : '',
    each.id,
    each.provider,
    ago(each.modified_at, io.now()),
    directory(each.working_dir),
    whose(each),
    oneLine(each.first_words),
  ]);
  const heading = [
    '#',
    'CONVERSATION',
    { title: 'AGENT', leaves: 2 },
    'USED',
    { title: 'DIRECTORY', leaves: 1, cutAt: 'start' as const },
    'OWNER',
    'FIRST WORDS',
  ];
  const [head = '', ...lines] = tableLines(heading, rows, io.columns);
  return [coloursFor(io).dim(head), ...lines];
}

/** Who has it now, so that nobody else may; empty: nobody. */
function whose({ session, open }: ConversationView): string {
  if (session) return `${oneLine(session.name)} (${session.id})${session.killed ? ', killed' : ''}`;
  if (!open) return '';
  return open.pid === null ? 'open elsewhere' : `open (pid ${open.pid})`;
}

/** `"fix the login" (claude, in ~/shop)` */
export const called = (io: Io, { first_words, provider, working_dir }: ConversationView): string =>
  `"${cut(oneLine(first_words), Math.min(60, io.columns ?? 60))}" (${provider}, in ${directory(working_dir)})`;
