// What sm leans on when an agent asks for permission: the dialog stands while the hook takes its time, and
// the hook's answer closes it without a key being typed.
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { asksToProceed, composer } from '../claude-screen.ts';
import { startClaude } from '../claude-session.ts';
import type { Pane, PaneScreen } from '../pane.ts';

const answer = (decision: object) => ({
  hookSpecificOutput: { hookEventName: 'PermissionRequest', decision },
});

async function startAsking() {
  const session = await startClaude({ asksPermission: true, held: ['PermissionRequest'] });
  await session.prompt('make it [[bash touch made-by-the-agent]]');
  const request = await session.recorder.waitFor('PermissionRequest');
  expect(request).toMatchObject({ tool_name: 'Bash', tool_input: { command: 'touch made-by-the-agent' } });
  const painted = (now: PaneScreen) => asksToProceed(now) && now.lines[now.cursor.y]!.startsWith(' ❯ 1. Yes');
  const screen = await session.pane.shows('the dialog, with the cursor in it', painted);
  return { ...session, screen };
}

/** A dialog that has just been painted takes no answer for some 200 ms: whoever types one must look again. */
async function answerByKey(pane: Pane, key: string) {
  const gone = async () => !asksToProceed(await pane.screen());
  await until('the dialog to take the key', async () => {
    await pane.keys(key);
    return until('the dialog to go', gone, { timeoutMs: 500 }).catch(() => false);
  });
}

test('the dialog takes the place of the composer, and text pasted at it is ignored', async () => {
  const { pane, screen } = await startAsking();
  expect(composer(screen)).toBeNull();
  expect(screen.cursor.x).toBe(1);

  await pane.paste('not an answer');
  await answerByKey(pane, 'Escape');
  await pane.shows('an empty composer', (now) => composer(now) === '');
});

test('a hook that allows closes the dialog and the tool runs', async () => {
  const { recorder } = await startAsking();
  recorder.answer('PermissionRequest', answer({ behavior: 'allow' }));

  await recorder.waitFor('PostToolUse');
  const end = await recorder.waitFor('Stop');
  expect(end.last_assistant_message).toContain('DONE after 1 tool rounds');
});

test('a hook that denies closes the dialog, and its words are the result of the tool', async () => {
  const { recorder, model } = await startAsking();
  recorder.answer('PermissionRequest', answer({ behavior: 'deny', message: 'the lead says no' }));

  await recorder.waitFor('Stop');
  expect(recorder.namesSince(0)).not.toContain('PostToolUse');
  expect(model.requests().at(-1)!.toolResults.at(-1)).toContain('the lead says no');
});

test('a human who answers first wins', async () => {
  const { recorder, pane } = await startAsking();
  await answerByKey(pane, 'Enter');
  await recorder.waitFor('PostToolUse');
  recorder.answer('PermissionRequest', answer({ behavior: 'deny', message: 'too late' }));
  expect((await recorder.waitFor('Stop')).last_assistant_message).toContain('DONE after 1 tool rounds');
});

test('Escape at the dialog ends the turn in the transcript, and fires no hook', async () => {
  const { recorder, pane, line } = await startAsking();
  await answerByKey(pane, 'Escape');
  const cut = '[Request interrupted by user for tool use]';
  await line('the interrupt', ({ message }) => message?.content?.[0]?.text === cut);
  await line('the end', ({ subtype }) => subtype === 'turn_duration');
  await pane.shows('an empty composer', (screen) => composer(screen) === '');
  const asked = ['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'PermissionRequest'];
  expect(recorder.namesSince(0)).toEqual(asked);
});
