// What a session is called, what it is to do, and what it says that it does.
import type { Draft } from '../core/change.ts';
import { isName } from '../core/ids.ts';
import type { Refusal, World } from '../core/input.ts';
import { heeded } from '../promises/reminders.ts';

export function rename(d: Draft, name: string, world: World): Refusal | undefined {
  const bad = checkName(name, d.session.id, world);
  if (bad) return bad;
  d.update({ friendlyName: name });
  d.emit({ type: 'session-renamed', name });
  return undefined;
}

export function report(d: Draft, text: string): undefined {
  d.update({ status: { text, at: d.now } });
  d.emit({ type: 'status-reported', text });
  heeded(d);
}

export function setTask(d: Draft, task: string): undefined {
  d.update({ task });
  d.emit({ type: 'task-set', task });
}

/** In headers and notices these are the person and ourselves. */
const reserved = /^(the[ _-]?)?user$|^sm$|^(a|the)[ _-]human$|^human$/i;

/** The agent's own word is better than what its program said when it was asked beside the launch. */
export function versionSaid(d: Draft, version: string): void {
  if (version === d.session.agentVersion) return;
  d.update({ agentVersion: version });
  d.emit({ type: 'agent-version', version });
}

export function checkName(name: string, id: string, world: World): Refusal | undefined {
  if (!isName(name)) {
    return {
      code: 'invalid',
      message: 'A name has 1 to 64 letters, digits, spaces or . _ @ : + - and begins with a letter or digit.',
    };
  }
  if (reserved.test(name))
    return {
      code: 'invalid',
      message: `No session can be called "${name}": it would be taken for who it is not.`,
    };
  if (world.isNameTaken(name, id))
    return { code: 'conflict', message: `The name "${name}" is taken by another session.` };
  return undefined;
}

/** While it was away another session may have taken its name; then it goes by its first one again. */
export function yieldTakenName(d: Draft, world: World): void {
  const { friendlyName, id, name } = d.session;
  if (friendlyName === null || !world.isNameTaken(friendlyName, id)) return;
  d.update({ friendlyName: null });
  d.emit({ type: 'session-renamed', name });
}
