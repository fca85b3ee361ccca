// Plays a turn: the steps that the prompt's directives ask for, the last words, the Stop.

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Agent, fire, say } from './agent.ts';
import { compact, overAutocompact } from './compaction.ts';
import { parseDirectives, type Step } from './directives.ts';
import { runTool, type Tool, type TurnHost } from './tool.ts';
import { backgroundTool, bashTool, editTool } from './tools.ts';
import { answer, type Turn } from './turn.ts';
import type { LogEntry } from './view.ts';

class ApiError extends Error {
  readonly kind: string;
  /** What its line in the transcript says besides. */
  readonly details: Record<string, unknown>;
  constructor(words: string, kind = 'unknown', details: Record<string, unknown> = {}) {
    super(words);
    this.kind = kind;
    this.details = details;
  }
}

/** Nothing is answered until the limit resets. */
function checkLimit({ account }: Agent): void {
  if (!account || account.used < 100 || Date.now() >= account.resetsAt * 1_000) return;
  const { resetsAt } = account;
  throw new ApiError("You've hit your 5-hour limit · resets soon", 'rate_limit', {
    quotaLimits: { status: 'rejected', resetsAt, rateLimitType: 'five_hour' },
    apiErrorStatus: 429,
  });
}

const MAX_STOP_BLOCKS = 8;
const WAIT_POLL_MS = 20;
const WORD_MS = 100;
const THINKING = 'Let me think about that for a while.';

/** Plays the prompt to its end; throws what the abort signal throws when it is interrupted. */
export async function playTurn(agent: Agent, turn: Turn, prompt: string, host: TurnHost): Promise<void> {
  try {
    await play(agent, turn, host, prompt);
    for (let blocks = 0; ; blocks++) {
      const reason = await askToStop(agent, turn, blocks > 0);
      if (reason === null || blocks === MAX_STOP_BLOCKS) break;
      agent.session.transcript.add({
        type: 'user',
        promptId: turn.promptId,
        message: { role: 'user', content: `Stop hook feedback:\n${reason}` },
        isMeta: true,
      });
      turn.ending = false;
      await play(agent, turn, host, reason);
    }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    turn.ending = true;
    const { message, kind, details } = error;
    answer(agent, turn, [{ type: 'text', text: message }], {
      error: kind,
      isApiErrorMessage: true,
      ...details,
    });
    say(agent, 'answer', message);
    await fire(agent, 'StopFailure', { error: kind, last_assistant_message: message });
  }
}

/** Null: it may stop. Else the reason to go on. */
async function askToStop(agent: Agent, turn: Turn, active: boolean): Promise<string | null> {
  turn.ending = true;
  const results = await fire(agent, 'Stop', {
    stop_hook_active: active,
    last_assistant_message: turn.lastMessage,
    background_tasks: agent.session.backgroundTasks,
    session_crons: [],
  });
  agent.session.transcript.add({
    type: 'system',
    subtype: 'stop_hook_summary',
    hookCount: results.length,
    hookInfos: results.map(({ name, durationMs }) => ({ command: name, durationMs })),
    preventedContinuation: false,
    stopReason: '',
  });
  return results.find(({ answer }) => answer.decision === 'block')?.answer.reason ?? null;
}

async function play(agent: Agent, turn: Turn, host: TurnHost, prompt: string): Promise<void> {
  const steps = stepsFor(agent, prompt);
  const roundsBefore = turn.toolRounds;
  checkLimit(agent);
  let lastWords: string | null = null;
  let wordsAreLast = false;
  if (overAutocompact(agent)) await compact(agent, 'auto', '');

  const speak = (text: string, isLast = true) => {
    lastWords = text;
    wordsAreLast = true;
    turn.lastMessage = text;
    answer(agent, turn, [{ type: 'text', text }], {}, isLast);
    say(agent, 'answer', text);
  };
  const useTool = async (tool: Tool) => {
    wordsAreLast = false;
    const output = await runTool(agent, turn, tool, (writeResult) => {
      for (const text of host.absorb(writeResult)) steps.push(...stepsFor(agent, text));
    });
    turn.toolRounds += 1;
    turn.lastToolOutput = output;
    if (overAutocompact(agent)) await compact(agent, 'auto', '');
  };

  // `steps` grows while it is played, by what is absorbed on the way.
  for (const [place, step] of steps.entries()) {
    turn.abort.signal.throwIfAborted();
    const isLast = place === steps.length - 1;
    if (step.do === 'say') speak(step.text, isLast);
    else if (step.do === 'context')
      speak(agent.session.context.join('\n') || '(no additional context)', isLast);
    else if (step.do === 'bash') await useTool(bashTool(agent, step.command, step.ask));
    else if (step.do === 'edit') await useTool(editTool(agent, step.file, step.text));
    else if (step.do === 'background') await useTool(backgroundTool(agent, step.seconds, host));
    else await playOther(agent, turn, step, isLast);
  }
  turn.abort.signal.throwIfAborted();
  if (wordsAreLast) return;
  if (lastWords !== null) speak(lastWords);
  else if (turn.toolRounds > roundsBefore)
    speak(`DONE after ${turn.toolRounds} tool rounds: ${JSON.stringify(turn.lastToolOutput).slice(0, 200)}`);
  else speak(`ECHO ${prompt.length} chars: ${prompt.slice(0, 60).replaceAll('\n', '\\n')}`);
}

function stepsFor({ habits }: Agent, prompt: string): Step[] {
  const habitual = habits.filter(({ words }) => prompt.includes(words));
  return [
    ...parseDirectives(prompt),
    ...habitual.map(({ command }) => ({ do: 'bash' as const, command, ask: false })),
  ];
}

type OtherStep = Exclude<Step, { do: 'say' | 'context' | 'bash' | 'edit' | 'background' }>;

async function playOther(agent: Agent, turn: Turn, step: OtherStep, isLast: boolean): Promise<void> {
  const { signal } = turn.abort;
  switch (step.do) {
    case 'sleep':
      return speakSlowly(agent, turn, step.seconds, isLast);
    case 'wait':
      while (!existsSync(resolve(agent.cwd, step.file))) await pause(WAIT_POLL_MS, null, { signal });
      return;
    case 'hang':
      if (!step.silent) {
        answer(agent, turn, [{ type: 'text', text: THINKING }], {}, false);
        say(agent, 'answer', THINKING);
      }
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
      return;
    case 'habit':
      agent.habits.push({ words: step.words, command: step.command });
      return;
    case 'usage':
      agent.session.tokens.fixed = step.tokens;
      return;
    case 'limit':
      agent.account = { used: step.used, resetsAt: Math.round(Date.now() / 1000 + step.seconds) };
      checkLimit(agent);
      return;
    case 'cost':
      agent.session.costUsd += step.usd;
      return;
    case 'window':
      agent.session.tokens.window = step.tokens;
      return;
    case 'fail':
      throw new ApiError(`API Error: ${step.error}`);
    case 'exit':
      return agent.exit(step.code, 'other');
    case 'crash':
      process.kill(process.pid, 'SIGKILL');
  }
}

/** Word by word on the screen; in the transcript only when it is over, or cut. */
async function speakSlowly(agent: Agent, turn: Turn, seconds: number, isLast: boolean): Promise<void> {
  const shown: LogEntry = { kind: 'answer', text: '' };
  agent.view.log.push(shown);
  turn.answered = true;
  turn.speech = '';
  for (let left = seconds * 1000, n = 1; left > 0; left -= WORD_MS, n++) {
    turn.speech += `word${n}${n % 10 === 0 ? '\n' : ' '}`;
    shown.text = turn.speech;
    agent.refresh();
    await pause(Math.min(WORD_MS, left), null, { signal: turn.abort.signal });
  }
  answer(agent, turn, [{ type: 'text', text: turn.speech }], {}, isLast);
}
