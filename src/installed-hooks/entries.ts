// Our entries in a text of settings: what is there of them, the text with them, and the text without them.
import type { HookGroup } from '../providers/claude/hook-programs.ts';
import { installedStatusLine, isInstalled, userCommandIn } from '../providers/claude/installed.ts';
import { addItem, addMember, removeItem, removeMember, replaceNode } from './json-edit.ts';
import {
  type ArrayNode,
  JsonFault,
  memberOf,
  type Node,
  type ObjectNode,
  parseJsonText,
  type ScalarNode,
} from './json-text.ts';

export interface Wanted {
  /** Where the programs are. */
  readonly directory: string;
  readonly hooks: ReadonlyMap<string, HookGroup>;
}

/** `stale`: it is there in other words, with another path, or more than once. */
export type EntryState = 'current' | 'stale' | 'missing';

export interface Entries {
  readonly hooks: ReadonlyMap<string, EntryState>;
  readonly statusLine: EntryState;
  /** The user has turned off all hooks himself. */
  readonly disabled: boolean;
}

export const statusLineKey = 'statusLine';

export function entriesIn(text: string, wanted: Wanted): Entries {
  const root = settingsOf(text);
  const ours = hooksIn(root).filter(({ hook }) => isInstalled(commandOf(hook)));
  const stateOf = (event: string, { matcher, hooks: [wish] }: HookGroup): EntryState => {
    const [one, ...more] = ours.filter((each) => each.event === event);
    if (!one) return 'missing';
    const same =
      commandOf(one.hook) === wish.command &&
      textOf(one.hook, 'timeout') === wish.timeout &&
      textOf(one.group, 'matcher') === matcher;
    return same && more.length === 0 ? 'current' : 'stale';
  };
  const hooks = new Map([...wanted.hooks].map(([event, hook]) => [event, stateOf(event, hook)]));
  // One that nobody wants any more is a reason to install again, which takes it out.
  for (const { event } of ours) if (!wanted.hooks.has(event)) hooks.set(event, 'stale');
  const line = statusLineOf(root)?.command?.value;
  const lineState = !isInstalled(line)
    ? 'missing'
    : line === installedStatusLine(wanted.directory, userCommandIn(line))
      ? 'current'
      : 'stale';
  return { hooks, statusLine: lineState, disabled: textOf(root, 'disableAllHooks') === true };
}

/** To a text that has none of ours. */
export function withEntries(text: string, wanted: Wanted): string {
  let result = text;
  if (!hooksOf(settingsOf(text))) {
    const all = Object.fromEntries([...wanted.hooks].map(([event, group]) => [event, [group]]));
    result = addMember(text, settingsOf(text), 'hooks', all);
  } else {
    for (const [event, group] of wanted.hooks) {
      const hooks = hooksOf(settingsOf(result)) as ObjectNode;
      const list = memberOf(hooks, event)?.value;
      result = list ? addItem(result, list as ArrayNode, group) : addMember(result, hooks, event, [group]);
    }
  }
  const root = settingsOf(result);
  const line = statusLineOf(root);
  if (!line) {
    const command = installedStatusLine(wanted.directory, null);
    return addMember(result, root, statusLineKey, { type: 'command', command });
  }
  return replaceNode(result, line.command, installedStatusLine(wanted.directory, line.command.value));
}

/** Takes out what is ours, and what is empty for it; what was there empty `before` us stays. */
export function withoutEntries(text: string, before: string | null): string {
  const had = before === null ? null : hooksOf(settingsOf(before));
  let result = text;
  for (;;) {
    const root = settingsOf(result);
    const ours = hooksIn(root).find(({ hook }) => isInstalled(commandOf(hook)));
    if (!ours) break;
    const { event, list, group, hook } = ours;
    const hooks = hooksOf(root) as ObjectNode;
    if (arrayIn(group)!.items.length > 1) result = removeItem(result, ...place(arrayIn(group)!, hook));
    else if (list.items.length > 1 || (had && memberOf(had, event)))
      result = removeItem(result, ...place(list, group));
    else if (hooks.members.length > 1 || had) result = removeMember(result, hooks, indexOf(hooks, event));
    else result = removeMember(result, root, indexOf(root, 'hooks'));
  }
  const root = settingsOf(result);
  const line = statusLineOf(root);
  if (!line || !isInstalled(line.command.value)) return result;
  const own = userCommandIn(line.command.value);
  return own === null
    ? removeMember(result, root, indexOf(root, statusLineKey))
    : replaceNode(result, line.command, own);
}

const place = (list: ArrayNode, item: Node): [ArrayNode, number] => [list, list.items.indexOf(item)];
const indexOf = (node: ObjectNode, key: string) => node.members.findLastIndex((member) => member.key === key);

function settingsOf(text: string): ObjectNode {
  const root = parseJsonText(text);
  if (root.kind !== 'object') throw new JsonFault(root.start, 'the settings are not an object');
  return root;
}

function hooksOf(root: ObjectNode): ObjectNode | null {
  const hooks = memberOf(root, 'hooks')?.value;
  if (!hooks) return null;
  if (hooks.kind !== 'object') throw new JsonFault(hooks.start, '"hooks" is not an object');
  return hooks;
}

interface FoundHook {
  readonly event: string;
  readonly list: ArrayNode;
  readonly group: Node;
  readonly hook: Node;
}

function hooksIn(root: ObjectNode): FoundHook[] {
  return (hooksOf(root)?.members ?? []).flatMap(({ key: event, value: list }) => {
    if (list.kind !== 'array') throw new JsonFault(list.start, `"hooks.${event}" is not a list`);
    return list.items.flatMap((group) =>
      (arrayIn(group)?.items ?? []).map((hook) => ({ event, list, group, hook })),
    );
  });
}

/** The hooks of a group. */
function arrayIn(group: Node): ArrayNode | null {
  const hooks = group.kind === 'object' ? memberOf(group, 'hooks')?.value : undefined;
  return hooks?.kind === 'array' ? hooks : null;
}

const commandOf = (hook: Node) => textOf(hook, 'command');

function textOf(node: Node, key: string): ScalarNode['value'] | undefined {
  const value = node.kind === 'object' ? memberOf(node, key)?.value : undefined;
  return value?.kind === 'scalar' ? value.value : undefined;
}

function statusLineOf(root: ObjectNode): { command: ScalarNode & { value: string } } | null {
  const line = memberOf(root, statusLineKey)?.value;
  if (!line) return null;
  const command = line.kind === 'object' ? memberOf(line, 'command')?.value : undefined;
  if (command?.kind !== 'scalar' || typeof command.value !== 'string')
    throw new JsonFault(line.start, '"statusLine" has no command');
  return { command: command as ScalarNode & { value: string } };
}
