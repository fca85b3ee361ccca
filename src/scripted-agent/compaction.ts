// Compaction, asked for or automatic: the same conversation goes on from a summary.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, fire, say } from './agent.ts';
import { parseDirectives } from './directives.ts';
import { COMPACTED_TOKENS, newId } from './session.ts';

const SUMMARY = '<summary>Scripted summary of the conversation so far.</summary>';
const SUMMARY_MS = 150;
const WAIT_POLL_MS = 20;

export async function compact(agent: Agent, trigger: 'manual' | 'auto', instructions: string): Promise<void> {
  const { session } = agent;
  await fire(agent, 'PreCompact', { trigger, custom_instructions: instructions }, trigger);
  if (agent.faults.precompactOnly) return;
  await summarise(agent, instructions);
  await fire(agent, 'SubagentStop', {
    agent_id: newId(),
    agent_type: '',
    stop_hook_active: false,
    last_assistant_message: SUMMARY,
    background_tasks: session.backgroundTasks,
  });
  session.context.length = 0;
  session.transcript.add({
    type: 'system',
    subtype: 'compact_boundary',
    content: 'Conversation compacted',
    level: 'info',
    compactMetadata: { trigger, preTokens: session.tokens.input ?? 0, postTokens: COMPACTED_TOKENS },
  });
  session.tokens.input = null;
  session.tokens.next = COMPACTED_TOKENS;
  session.tokens.fixed = null;
  await fire(agent, 'SessionStart', { source: 'compact', model: agent.options.model }, 'compact');
  session.transcript.add({
    type: 'user',
    promptId: session.promptId,
    message: {
      role: 'user',
      content: `This session is being continued from a previous conversation.\n\n${SUMMARY}`,
    },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
  });
  await fire(agent, 'PostCompact', { trigger, compact_summary: SUMMARY }, trigger);
  say(agent, 'result', 'Compacted (ctrl+o to see full summary)');
  agent.statusLine.schedule(agent);
}

/** Takes a moment, or as long as the instructions say: `/compact [[wait FILE]]`. */
async function summarise(agent: Agent, instructions: string): Promise<void> {
  for (const step of parseDirectives(instructions)) {
    if (step.do === 'sleep') await pause(step.seconds * 1_000);
    if (step.do === 'wait') while (!existsSync(resolve(agent.cwd, step.file))) await pause(WAIT_POLL_MS);
  }
  await pause(SUMMARY_MS);
}

export function overAutocompact(agent: Agent): boolean {
  const { autocompact } = agent.options;
  return autocompact !== null && (agent.session.tokens.input ?? 0) > autocompact;
}
