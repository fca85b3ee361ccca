// What Claude Code asks a human by its control protocol: how it reads, and how it is answered.
import type { ToldCall } from '../../domain/policy/call.ts';
import { claudeCalls } from '../claude/calls.ts';
import { questionOf } from '../claude/hooks.ts';
import { list, record, text } from '../values.ts';

/** A request whether a tool may be used. */
export type Asked = Record<string, unknown>;

type Decision = { readonly decision: 'allow' | 'deny'; readonly text: string | null };

const questionTool = 'AskUserQuestion';

const questionsIn = (asked: Asked): string[] =>
  list(record(asked.input).questions).map((question) => text(record(question).question) ?? '');

const isForWords = (asked: Asked): boolean => text(asked.tool_name) === questionTool;

export const subjectOf = (asked: Asked): string | null => text(asked.tool_use_id);

export function questionText(asked: Asked): string {
  if (!isForWords(asked)) return questionOf({ tool_name: asked.tool_name, tool_input: asked.input });
  return list(record(asked.input).questions).map(choiceText).join('\n');
}

function choiceText(question: unknown): string {
  const { question: words, options } = record(question);
  const labels = list(options).flatMap((option) => text(record(option).label) ?? []);
  return [text(words) ?? '', ...(labels.length ? [`(${labels.join(' / ')})`] : [])].join(' ');
}

/** Null: only a human can answer it. */
export const callIn = (asked: Asked): ToldCall | null =>
  isForWords(asked)
    ? null
    : (claudeCalls.read({ tool_name: asked.tool_name, tool_input: asked.input }) ?? null);

export function answerTo(asked: Asked, { decision, text: words }: Decision): object {
  if (decision === 'deny') return { behavior: 'deny', message: words ?? 'The user said no.' };
  const input = record(asked.input);
  if (!isForWords(asked)) return { behavior: 'allow', updatedInput: input };
  const answers = Object.fromEntries(questionsIn(asked).map((question) => [question, words ?? 'yes']));
  return { behavior: 'allow', updatedInput: { ...input, answers } };
}
