// What the hook before a call of a tool prints: a denial by a rule of the user's or by a lock, or nothing.
import type { SessionId } from '../domain/core/names.ts';
import { aboutCall } from '../domain/policy/call.ts';
import { denial, judge } from '../domain/policy/judge.ts';
import { asWho } from '../domain/turns/rulings.ts';
import type { PlaceCall } from '../intake/calls.ts';
import type { Log } from '../ports/log.ts';
import type { Policies } from '../ports/policies.ts';
import type { HookInput } from '../ports/provider.ts';
import { answerToEdit, type EditDeps } from './locks.ts';

export interface CallDeps extends EditDeps {
  readonly policies: Policies;
  readonly placeCall: PlaceCall;
  readonly log: Log;
}

export async function answerToCall(
  deps: CallDeps,
  sessionId: SessionId,
  factId: string,
  hook: HookInput,
): Promise<string> {
  const { engine, provider, policies, placeCall, now, log } = deps;
  const session = engine.get(sessionId)?.session;
  const calls = session && provider(session.provider)?.calls;
  const told = calls?.read(hook);
  if (!session || !calls || !told) return '';
  const call = await placeCall(told, session.workingDir);
  const { decision, rule } = judge(policies.rules(), asWho(session), call);
  if (decision !== 'deny') return answerToEdit(deps, sessionId, hook);
  const text = `${call.tool}: ${aboutCall(call)}`;
  const fact = { is: 'call-stopped', call, text } as const;
  await engine
    .submit(sessionId, { type: 'fact', id: factId, at: now(), source: 'hook', fact })
    // Denied all the same: only the history has a gap.
    .catch((error: unknown) =>
      log.error({ session: sessionId, error: String(error) }, 'a denial was not stored'),
    );
  return calls.deny(denial(rule, call));
}
