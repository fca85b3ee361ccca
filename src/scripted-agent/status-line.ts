// Calls the status line's command a moment after something that it shows has changed, and shows its first line.

import type { Agent, StatusLine } from './agent.ts';
import { runCommand } from './hooks.ts';
import { OUTPUT_TOKENS } from './session.ts';
import { version } from './version.ts';

/**
 * As the real one does it: every answer of the model starts the wait again. Of rounds that follow each other faster only
 * the last is told (measured: none of eleven in 3.4 s), of slower ones each.
 */
const DEBOUNCE_MS = 300;
const TIMEOUT_MS = 5_000;

export function createStatusLine(command: string | null): StatusLine {
  let timer: NodeJS.Timeout | undefined;

  async function update(agent: Agent, run: string): Promise<void> {
    const { stdout, code } = await runCommand(run, JSON.stringify(report(agent)), agent.cwd, TIMEOUT_MS);
    if (code !== 0) return;
    agent.view.statusLine = stdout.split('\n')[0]!.trim();
    agent.refresh();
  }

  return {
    schedule(agent) {
      if (command === null) return;
      clearTimeout(timer);
      timer = setTimeout(() => void update(agent, command), DEBOUNCE_MS);
    },
  };
}

function report(agent: Agent): Record<string, unknown> {
  const { session, options, cwd } = agent;
  const { input, window } = session.tokens;
  const used = input === null ? null : Math.round((input / window) * 100);
  return {
    session_id: session.id,
    transcript_path: session.transcript.path,
    cwd,
    ...(session.promptId === null ? {} : { prompt_id: session.promptId }),
    ...(options.name === null ? {} : { session_name: options.name }),
    model: { id: options.model, display_name: options.model },
    workspace: { current_dir: cwd, project_dir: cwd, added_dirs: [] },
    version,
    output_style: { name: 'default' },
    cost: {
      total_cost_usd: session.costUsd,
      total_duration_ms: Date.now() - session.startedAt,
      total_api_duration_ms: 0,
      total_lines_added: 0,
      total_lines_removed: 0,
    },
    context_window: {
      total_input_tokens: input ?? 0,
      total_output_tokens: input === null ? 0 : OUTPUT_TOKENS,
      context_window_size: window,
      current_usage:
        input === null
          ? null
          : {
              input_tokens: input,
              output_tokens: OUTPUT_TOKENS,
              cache_creation_input_tokens: 0,
              cache_read_input_tokens: 0,
            },
      used_percentage: used,
      remaining_percentage: used === null ? null : 100 - used,
    },
    ...(agent.account && {
      rate_limits: {
        five_hour: { used_percentage: agent.account.used, resets_at: agent.account.resetsAt },
      },
    }),
    exceeds_200k_tokens: (input ?? 0) > 200_000,
  };
}
