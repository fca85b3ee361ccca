// What a session is called, what it is to do, where it stands, and what it says of itself.
import type { Change } from '../core/change.ts';
import { type Checkout, sameCheckout } from '../core/checkout.ts';
import { isName } from '../core/ids.ts';
import type { Others, Refusal } from '../core/input.ts';

export function rename(c: Change, name: string, others: Others): Refusal | undefined {
  const bad = checkName(name, c.session.id, others);
  if (bad) return bad;
  c.update({ friendlyName: name });
  c.emit({ type: 'session', step: 'renamed', name });
  return undefined;
}

export function report(c: Change, text: string): undefined {
  c.update({ status: { text, at: c.now } });
  c.emit({ type: 'status-reported', text });
  c.announce({ is: 'reported' });
}

export function setTask(c: Change, task: string): undefined {
  c.update({ task });
  c.emit({ type: 'task-set', task });
}

/** In headers and notices these are the person and ourselves; and what begins so names several sessions. */
const reserved = /^(the[ _-]?)?user$|^sm$|^(a|the)[ _-]human$|^human$|^(tag|repo|children|phase):/i;

/** The agent's own word is better than what its program said when it was asked beside the launch. */
export function versionSaid(c: Change, version: string): void {
  if (version === c.session.agentVersion) return;
  c.update({ agentVersion: version });
  c.emit({ type: 'agent-version', version });
}

/** What the agent calls it while it works is better than what it starts with, which may be an id. */
export function modelSaid(c: Change, model: string | null, isStart = false): void {
  const known = c.session.agentModel;
  if (model === null || model === known || (isStart && known !== undefined)) return;
  c.update({ agentModel: model });
  c.emit({ type: 'agent-model', model });
}

export function checkoutSeen(c: Change, checkout: Checkout | null): undefined {
  if (sameCheckout(c.session.checkout ?? null, checkout)) return;
  c.update({ checkout });
  const { repository = null, branch = null, commit = null } = checkout ?? {};
  c.emit({ type: 'checked-out', repository, branch, commit });
}

export function checkName(name: string, id: string, others: Others): Refusal | undefined {
  if (!isName(name)) {
    return {
      code: 'invalid',
      message: 'A name has 1 to 64 letters, digits, spaces or . _ @ : + - and starts with a letter or digit.',
    };
  }
  if (reserved.test(name))
    return {
      code: 'invalid',
      message: `"${name}" is reserved. Choose another name.`,
    };
  if (others.isNameTaken(name, id))
    return {
      code: 'conflict',
      message: `Another session already has the name "${name}". Choose another name.`,
    };
  return undefined;
}

/** While it was away another session may have taken its name; then it goes by its first one again. */
export function yieldTakenName(c: Change, others: Others): void {
  const { friendlyName, id, name } = c.session;
  if (friendlyName === null || !others.isNameTaken(friendlyName, id)) return;
  c.update({ friendlyName: null });
  c.emit({ type: 'session', step: 'renamed', name });
}
