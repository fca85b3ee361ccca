// Whether a tool may do something: the one thing that an agent asks by the protocol. The answer is one of the choices
// that it offers, and no words go with it.
import type { ToldCall } from '../../domain/policy/call.ts';
import { list, present, record, text, textsIn } from '../values.ts';
import type { PermissionOption, RequestPermissionResponse } from './protocol.ts';

export interface Asked {
  readonly params: Record<string, unknown>;
  /** Where its line begins. */
  readonly at: number;
}

type Json = Record<string, unknown>;

const toolCallIn = ({ params }: Asked): Json => record(params.toolCall);

export const subjectOf = (asked: Asked): string | null => text(toolCallIn(asked).toolCallId);

export function questionText(asked: Asked): string {
  const call = toolCallIn(asked);
  const [title, command] = [text(call.title), text(record(call.rawInput).command)];
  const what = command ?? pathsIn(call).join(' ');
  const about = what === '' || what === title ? [] : [what];
  return [...present(title ?? text(call.kind) ?? 'tool'), ...about].join(': ');
}

const optionOf = ({ params }: Asked, kinds: readonly PermissionOption['kind'][]): string | null => {
  const options = list(params.options).map(record);
  const found = kinds.flatMap((kind) => options.filter((option) => option.kind === kind));
  return found.flatMap(({ optionId }) => text(optionId) ?? [])[0] ?? null;
};

/** Null: only a human can answer it. A rule allows one call, and so it must be possible to allow just one. */
export function callIn(asked: Asked): ToldCall | null {
  if (optionOf(asked, ['allow_once']) === null) return null;
  const call = toolCallIn(asked);
  const [input, kind] = [record(call.rawInput), text(call.kind)];
  const tool = text(call.name) ?? kind ?? 'tool';
  return { tool, does: deedOf(kind, call, input), cwd: text(input.cwd) };
}

function deedOf(kind: string | null, call: Json, input: Json): ToldCall['does'] {
  const [command, url] = [text(input.command), text(input.url)];
  if (kind === 'execute' && command !== null) return { is: 'command', command };
  if (kind === 'fetch' && url !== null) return { is: 'fetch', url };
  if (kind === 'edit' || kind === 'delete' || kind === 'move') return { is: 'edit', paths: pathsIn(call) };
  if (kind === 'read') return { is: 'read', paths: pathsIn(call) };
  return { is: 'other', texts: textsIn(input) };
}

/** Every file that it names, wherever it does. */
function pathsIn(call: Json): string[] {
  const input = record(call.rawInput);
  const named = ['file_path', 'filePath', 'filepath', 'fileName', 'path', 'notebook_path'];
  const shown = list(call.content).flatMap((part) => text(record(part).path) ?? []);
  const told = list(call.locations).flatMap((place) => text(record(place).path) ?? []);
  return [...new Set([...named.flatMap((name) => text(input[name]) ?? []), ...shown, ...told])];
}

export function answerTo(asked: Asked, decision: 'allow' | 'deny'): RequestPermissionResponse {
  const kinds: readonly PermissionOption['kind'][] =
    decision === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const optionId = optionOf(asked, kinds);
  return optionId === null ? withdrawn : { outcome: { outcome: 'selected', optionId } };
}

/** What the protocol wants to hear of a question whose turn is cancelled. */
export const withdrawn: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };
