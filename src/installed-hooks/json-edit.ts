// Changes to JSON text: each takes a text and one of its nodes and answers the new text, in the manner of the old one.
import type { ArrayNode, Node, ObjectNode } from './json-text.ts';

export function addMember(text: string, node: ObjectNode, key: string, value: unknown): string {
  return insert(
    text,
    node,
    node.members.map(startAndEnd),
    (render) => `${JSON.stringify(key)}: ${render(value)}`,
  );
}

export function addItem(text: string, node: ArrayNode, value: unknown): string {
  return insert(text, node, node.items, (render) => render(value));
}

export function removeMember(text: string, node: ObjectNode, index: number): string {
  return remove(text, node, node.members.map(startAndEnd), index);
}

export function removeItem(text: string, node: ArrayNode, index: number): string {
  return remove(text, node, node.items, index);
}

export function replaceNode(text: string, { start, end }: Place, value: unknown): string {
  return text.slice(0, start) + JSON.stringify(value) + text.slice(end);
}

interface Place {
  readonly start: number;
  readonly end: number;
}

const startAndEnd = ({ start, value }: { start: number; value: Node }): Place => ({ start, end: value.end });

/** Behind the last one, on a line of its own where the others have theirs. */
function insert(
  text: string,
  container: Place,
  parts: readonly Place[],
  write: (render: (value: unknown) => string) => string,
): string {
  const unit = indentUnit(text);
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  const last = parts.at(-1);
  const before = last && text.slice(container.start + 1, parts[0]?.start);
  if (last && !before?.includes('\n')) {
    const added = write((value) => JSON.stringify(value));
    return `${text.slice(0, last.end)}, ${added}${text.slice(last.end)}`;
  }
  const own = last ? indentAt(text, last.start) : indentAt(text, container.start) + unit;
  const added = write((value) => JSON.stringify(value, null, unit).replaceAll('\n', newline + own));
  if (last) return `${text.slice(0, last.end)},${newline}${own}${added}${text.slice(last.end)}`;
  const closing = newline + indentAt(text, container.start);
  return `${text.slice(0, container.start + 1)}${newline}${own}${added}${closing}${text.slice(container.end - 1)}`;
}

/** With the comma that only it needed. */
function remove(text: string, container: Place, parts: readonly Place[], index: number): string {
  const [one, before, after] = [parts[index] as Place, parts[index - 1], parts[index + 1]];
  if (before) return text.slice(0, before.end) + text.slice(one.end);
  if (after) return text.slice(0, one.start) + text.slice(after.start);
  return text.slice(0, container.start + 1) + text.slice(container.end - 1);
}

/** What the line begins with that a place is on. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? '';
}

/** By how much the first level is moved in; two spaces where nothing shows it. */
function indentUnit(text: string): string {
  return /^[^\n]*\{[ \t\r]*\n([ \t]+)"/.exec(text)?.[1] ?? '  ';
}
