// How what was submitted becomes part of the conversation.

import { type Agent, fire, say } from './agent.ts';
import type { Work } from './queue.ts';
import { newId } from './session.ts';
import { runShell } from './tools.ts';
import type { Turn } from './turn.ts';

export type Origin = 'typed' | 'queued';

/** Shows the batch, and tells the hooks of what they have not heard of yet. */
export async function announce(agent: Agent, turn: Turn, batch: Work[]): Promise<void> {
  for (const { kind, text } of batch)
    if (kind === 'shell') say(agent, 'shell', text.slice(1));
    else say(agent, 'prompt', text);
  const { kind, told } = batch.at(-1)!;
  if ((kind === 'prompt' || kind === 'notification') && !told)
    await fire(agent, 'UserPromptSubmit', { prompt: turn.prompt });
}

/**
 * Writes the batch into the transcript, and returns what there is to answer. Of several prompts taken up
 * together each has an id of its own, and the turn goes by the last one's.
 */
export async function record(agent: Agent, turn: Turn, batch: Work[], origin: Origin): Promise<string> {
  const last = batch.at(-1)!;
  agent.session.transcript.takeOver(agent.session.copied, turn.promptId);
  agent.session.copied = [];
  for (const work of batch.slice(0, -1)) writePrompt(newId(), work.kind, work.text);
  if (last.kind !== 'shell') {
    writePrompt(turn.promptId, last.kind, last.text);
    return last.text;
  }
  const command = last.text.slice(1);
  writePrompt(turn.promptId, 'shell', `<bash-input>${command}</bash-input>`);
  const { stdout, stderr } = await runShell(command, agent.cwd, turn.abort.signal);
  const output = `<bash-stdout>${stdout}</bash-stdout><bash-stderr>${stderr}</bash-stderr>`;
  writePrompt(turn.promptId, 'shell', output);
  say(agent, 'result', [stdout, stderr].filter(Boolean).join('\n') || '(No output)');
  return output;

  function writePrompt(promptId: string, kind: Work['kind'], content: string): void {
    agent.session.transcript.add({
      type: 'user',
      promptId,
      message: { role: 'user', content },
      permissionMode: agent.options.permissionMode,
      ...(kind === 'notification'
        ? { origin: { kind: 'task-notification' }, promptSource: 'system' }
        : { origin: { kind: 'human' }, promptSource: origin }),
    });
  }
}
