// One tool call: hooks before and after it, the permission dialog in between, its result in the transcript.

import { type Agent, fire, notify, say } from './agent.ts';
import { type Permission, permissionDialog } from './dialog.ts';
import { newId } from './session.ts';
import { answer, type Turn } from './turn.ts';

export interface Tool {
  name: 'Bash' | 'Edit';
  title: string;
  /** What the dialog shows. */
  about: string;
  input: Record<string, unknown>;
  asks: boolean;
  /** Must end soon after the signal says so. */
  run(signal: AbortSignal): Promise<ToolOutcome>;
}

export type ToolOutcome =
  | { ok: true; output: string; response: Record<string, unknown> }
  | { ok: false; error: string };

/** Permission was refused by a human, which interrupts the turn. */
export class Refused extends Error {}

const PERMISSION_NOTICE_MS = 6_000;
const REJECTED =
  "The user doesn't want to proceed with this tool use. The tool use was rejected. STOP what you are doing and wait for the user to tell you how to proceed.";

/** Returns the text of the result. `onResult` writes it, and may put more beside it. */
export async function runTool(
  agent: Agent,
  turn: Turn,
  tool: Tool,
  onResult: (write: () => void) => void,
): Promise<string> {
  const { signal } = turn.abort;
  const id = `toolu_${newId().replaceAll('-', '').slice(0, 24)}`;
  const call = { tool_name: tool.name, tool_input: tool.input };
  const content = [{ type: 'tool_use', id, name: tool.name, input: tool.input }];
  const messageId = answer(agent, turn, content);
  turn.toolUse = { id, messageId, stopped: Promise.resolve() };
  say(agent, 'answer', `${tool.name}(${tool.about})`);

  const started = Date.now();
  const outcome = await attempt();
  signal.throwIfAborted();
  turn.toolUse = null;
  const text = outcome.ok ? outcome.output : outcome.error;
  onResult(() => writeResult(agent, turn, id, text, !outcome.ok));
  say(agent, 'result', text.split('\n')[0]!);
  return text;

  async function attempt(): Promise<ToolOutcome> {
    const denial = await permit(agent, turn, tool, call, id);
    if (denial !== null) return { ok: false, error: denial };
    signal.throwIfAborted();
    const running = tool.run(signal);
    turn.toolUse!.stopped = running;
    const outcome = await running;
    signal.throwIfAborted();
    const common = { ...call, tool_use_id: id, duration_ms: Date.now() - started };
    if (outcome.ok)
      await fire(agent, 'PostToolUse', { ...common, tool_response: outcome.response }, tool.name);
    else
      await fire(
        agent,
        'PostToolUseFailure',
        { ...common, error: outcome.error, is_interrupt: false },
        tool.name,
      );
    return outcome;
  }
}

/** Null when the tool may run, else what the model is told instead. */
async function permit(
  agent: Agent,
  turn: Turn,
  tool: Tool,
  call: Record<string, unknown>,
  id: string,
): Promise<string | null> {
  const before = await fire(agent, 'PreToolUse', { ...call, tool_use_id: id }, tool.name);
  const said = before.map(({ answer }) => ({
    decision: answer.hookSpecificOutput?.permissionDecision ?? answer.decision,
    reason: answer.hookSpecificOutput?.permissionDecisionReason ?? answer.reason,
  }));
  const denied = said.find(({ decision }) => decision === 'deny' || decision === 'block');
  if (denied) return denied.reason ?? 'Denied by a PreToolUse hook';
  if (!tool.asks || said.some(({ decision }) => decision === 'allow')) return null;
  turn.abort.signal.throwIfAborted();

  const verdict = await askPermission(agent, turn, tool, call);
  if (verdict === 'no') throw new Refused();
  return verdict === 'yes' || verdict === 'always' ? null : verdict.denied;
}

/** A human at the dialog and the PermissionRequest hooks answer; who is first wins. */
async function askPermission(
  agent: Agent,
  turn: Turn,
  tool: Tool,
  call: Record<string, unknown>,
): Promise<Permission | { denied: string }> {
  const done = new AbortController();
  const signal = AbortSignal.any([done.signal, turn.abort.signal]);
  const human = agent.ask(permissionDialog(tool.title, tool.about, agent.cwd), signal);
  const notice = setTimeout(
    () => notify(agent, 'permission_prompt', `Claude needs your permission to use ${tool.name}`),
    PERMISSION_NOTICE_MS,
  );
  const hooks = fire(agent, 'PermissionRequest', call, tool.name).then(async (results) => {
    const decision = results.map((result) => result.answer.hookSpecificOutput?.decision).find(Boolean);
    if (!decision) return human;
    return decision.behavior === 'allow' ? 'yes' : { denied: decision.message ?? 'Denied by a hook' };
  });
  try {
    return await Promise.race([human, hooks]);
  } finally {
    clearTimeout(notice);
    done.abort();
  }
}

function writeResult(agent: Agent, turn: Turn, id: string, text: string, isError: boolean): void {
  agent.session.transcript.add({
    type: 'user',
    promptId: turn.promptId,
    message: {
      role: 'user',
      content: [{ tool_use_id: id, type: 'tool_result', content: text, is_error: isError }],
    },
  });
}

/** The result of a call that was cut short. It belongs to whatever prompt is the current one by then. */
export function rejectToolUse(agent: Agent, id: string): void {
  agent.session.transcript.add({
    type: 'user',
    promptId: agent.session.promptId,
    message: {
      role: 'user',
      content: [{ type: 'tool_result', content: REJECTED, is_error: true, tool_use_id: id }],
    },
    toolUseResult: 'User rejected tool use',
    toolDenialKind: 'user-rejected',
  });
}

/** What the turn needs from the loop that it runs in. */
export interface TurnHost {
  /** Prompts that were typed since, to be read beside a tool's result; the result's line is written in between. */
  absorb(writeResult: () => void): string[];
  backgroundDone(description: string, id: string): void;
}
