// What opencode asks a human: whether a tool may do something, or a question of the model's with answers to choose from.
import type { ToldCall } from '../../domain/policy/call.ts';
import { list, record, text } from '../values.ts';

export interface Asked {
  readonly kind: 'permission' | 'question';
  readonly about: Record<string, unknown>;
}

interface Decision {
  readonly decision: 'allow' | 'deny';
  readonly text: string | null;
}

/** The call of a tool that it is about. */
export const subjectOf = ({ about }: Asked): string | null => text(record(about.tool).callID);

export function questionText({ kind, about }: Asked): string {
  if (kind === 'question') return list(about.questions).map(choiceText).join('\n');
  const [command, url] = [text(record(about.metadata).command), text(record(about.metadata).url)];
  return `${text(about.permission) ?? 'tool'}: ${command ?? url ?? patternsOf(about).join(', ')}`;
}

function choiceText(question: unknown): string {
  const { question: words, options } = record(question);
  const labels = list(options).flatMap((option) => text(record(option).label) ?? []);
  return [text(words) ?? '', ...(labels.length ? [`(${labels.join(' / ')})`] : [])].join(' ');
}

const patternsOf = (about: Record<string, unknown>): string[] =>
  list(about.patterns).flatMap((each) => text(each) ?? []);

/** Null: only a human can answer it. */
export function callIn({ kind, about }: Asked): ToldCall | null {
  const tool = text(about.permission);
  return kind === 'question' || tool === null ? null : { tool, does: deedOf(tool, about), cwd: null };
}

function deedOf(tool: string, about: Record<string, unknown>): ToldCall['does'] {
  const metadata = record(about.metadata);
  const [command, url, file] = [text(metadata.command), text(metadata.url), text(metadata.filepath)];
  if (tool === 'bash' && command !== null) return { is: 'command', command };
  if (tool === 'webfetch' && url !== null) return { is: 'fetch', url };
  const paths = file === null ? patternsOf(about) : [file];
  if (tool === 'edit' || tool === 'write') return { is: 'edit', paths };
  if (tool === 'read' || tool === 'list') return { is: 'read', paths };
  return { is: 'other', texts: patternsOf(about) };
}

/** Where the answer goes, and what it is. Without words, a no would end the turn. */
export function answerTo(id: string, { kind, about }: Asked, given: Decision): [path: string, body: object] {
  if (kind === 'permission') {
    const no = { reply: 'reject', message: given.text ?? 'The user said no.' };
    return [`/permission/${id}/reply`, given.decision === 'allow' ? { reply: 'once' } : no];
  }
  if (given.decision === 'deny') return [`/question/${id}/reject`, {}];
  const answers = list(about.questions).map(() => [given.text ?? 'yes']);
  return [`/question/${id}/reply`, { answers }];
}
