// What sm leans on when a turn is cut short. No hook tells of an interrupt: the transcript does.
import { expect, test } from 'vitest';
import { composer } from '../claude-screen.ts';
import { startClaude, type TranscriptLine } from '../claude-session.ts';

const tool = '[[bash timeout 30 tail -f /dev/null]]';
const interrupt = (words: string, promptId: string | undefined) => (line: TranscriptLine) =>
  line.promptId === promptId && line.message?.content?.[0]?.text === words;

test('Escape while it speaks is in the transcript and on the screen, and fires no hook', async () => {
  const { prompt, pane, recorder, line } = await startClaude();
  const cut = await prompt('speak [[sleep 30]]');
  await pane.shows('words', ({ text }) => text.includes('word1'));
  const before = recorder.mark();

  await pane.keys('Escape');
  await line('the interrupt', interrupt('[Request interrupted by user]', cut.prompt_id));
  await pane.shows('the interrupt', ({ text }) =>
    text.includes('Interrupted · What should Claude do instead?'),
  );

  await prompt('next');
  await recorder.waitFor('Stop', { after: before });
  expect(recorder.namesSince(before)).toEqual(['UserPromptSubmit', 'Stop']);
});

test('Escape inside a tool is in the transcript, and fires no hook', async () => {
  const { prompt, pane, recorder, line } = await startClaude();
  const cut = await prompt(`work ${tool}`);
  await pane.shows('the tool at work', ({ text }) => /\(\d+s · /.test(text));
  const before = recorder.mark();

  await pane.keys('Escape');
  await line('the interrupt', interrupt('[Request interrupted by user for tool use]', cut.prompt_id));

  await prompt('next');
  await recorder.waitFor('Stop', { after: before });
  expect(recorder.namesSince(before)).toEqual(['UserPromptSubmit', 'Stop']);
});

test('Escape before any output puts the prompt back into the composer', async () => {
  const { prompt, pane, recorder, line, transcript, model } = await startClaude();
  const returned = await prompt('comes back [[hang silent]]');
  await model.waitForRequest(({ prompt }) => prompt === returned.prompt);

  await pane.keys('Escape');
  await pane.shows('the prompt', (now) => composer(now) === returned.prompt);
  expect(recorder.namesSince(0)).toEqual(['SessionStart', 'UserPromptSubmit']);
  await line('the prompt', ({ message }) => message?.content === returned.prompt);
  const speaking = transcript().filter(({ type }) => type === 'user' || type === 'assistant');
  expect(speaking.map(({ message }) => message.content)).toEqual([returned.prompt]);
});

test.each([
  ['while it speaks', '[[sleep 30]]', 'word1'],
  ['inside a tool', tool, 'timeout 30'],
])('Escape, a text and Enter with no gap %s: the text starts a turn of its own', async (_, work, seen) => {
  const { prompt, pane, recorder, model } = await startClaude();
  const cut = await prompt(`long ${work}`);
  await pane.shows('work', ({ text }) => text.replace(`long ${work}`, '').includes(seen));
  const before = recorder.mark();

  await pane.submit('[sm] from lead #5: drop that', 'Escape');
  const urgent = await recorder.waitFor('UserPromptSubmit', { after: before });
  expect(urgent.prompt).toBe('[sm] from lead #5: drop that');
  expect(urgent.prompt_id).not.toBe(cut.prompt_id);
  expect((await recorder.waitFor('Stop', { after: before })).prompt_id).toBe(urgent.prompt_id);
  expect(model.requests().at(-1)!.prompt).toBe(urgent.prompt);
});

test('text that was enqueued is sent by Escape, under a new prompt id', async () => {
  const { prompt, pane, recorder, line } = await startClaude();
  const cut = await prompt('speak [[sleep 30]]');
  await pane.shows('words', ({ text }) => text.includes('word1'));
  const enqueued = await prompt('[sm] from lead #6: waits');

  await pane.keys('Escape');
  const end = await recorder.waitFor('Stop');
  await line('the interrupt', interrupt('[Request interrupted by user]', cut.prompt_id));
  const sent = await line('the text', ({ message }) => message?.content === enqueued.prompt);
  expect(sent.promptId).toBe(end.prompt_id);
  expect(sent.promptId).not.toBe(cut.prompt_id);
});

test('an error of the model is told as StopFailure instead of Stop', async () => {
  const { prompt, recorder } = await startClaude();
  const failed = await prompt('try [[fail no such thing]]');
  const failure = await recorder.waitFor('StopFailure');
  expect(failure.prompt_id).toBe(failed.prompt_id);
  expect(failure.last_assistant_message).toContain('no such thing');

  await prompt('next');
  await recorder.waitFor('Stop');
  const names = ['SessionStart', 'UserPromptSubmit', 'StopFailure', 'UserPromptSubmit', 'Stop'];
  expect(recorder.namesSince(0)).toEqual(names);
});
