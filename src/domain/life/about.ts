// What is known about a session: its task, what it says of itself, its agent and its checkout.
import type { Change } from '../core/change.ts';
import { type Checkout, sameCheckout } from '../core/checkout.ts';

export function report(c: Change, text: string): undefined {
  c.update({ status: { text, at: c.now } });
  c.emit({ type: 'status-reported', text });
  c.announce({ is: 'reported' });
}

export function setTask(c: Change, task: string): undefined {
  c.update({ task });
  c.emit({ type: 'task-set', task });
}

/** The agent's own word is better than what its program said when it was asked beside the launch. */
export function versionSaid(c: Change, version: string): void {
  if (version === c.session.agentVersion) return;
  c.update({ agentVersion: version });
  c.emit({ type: 'agent-version', version });
}

/** What the agent calls it while it works is better than what it starts with, which may be an id. */
export function modelSaid(c: Change, model: string | null, isStart = false): void {
  const known = c.session.agentModel;
  if (model === null || model === known || (isStart && known !== null)) return;
  c.update({ agentModel: model });
  c.emit({ type: 'agent-model', model });
}

export function checkoutSeen(c: Change, checkout: Checkout | null): undefined {
  if (sameCheckout(c.session.checkout, checkout)) return;
  c.update({ checkout });
  const { repository = null, branch = null, commit = null } = checkout ?? {};
  c.emit({ type: 'checked-out', repository, branch, commit });
}
