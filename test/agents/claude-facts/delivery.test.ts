// What sm leans on when it gives an agent a text: bytes, identity, drafts, and texts for a busy agent.
import { expect, test } from 'vitest';
import { composer, hasStash } from '../claude-screen.ts';
import { startClaude } from '../claude-session.ts';

const long = Array.from({ length: 160 }, (_, i) => `${i}: "quoted" $HOME \\n ünï → 🙂 trailing;  `).join(
  '\n',
);

test.each([
  ['one line', '[sm] from lead (s1) #7: please look at it;'],
  ['a long text of many lines', `[sm] from lead (s1) #8:\n${long}\nend`],
])('%s, pasted and entered at once, arrives byte for byte', async (_, text) => {
  const { prompt, recorder, model } = await startClaude();

  const accepted = await prompt(text);
  expect(accepted.prompt).toBe(text);
  const end = await recorder.waitFor('Stop');
  expect(end.prompt_id).toBe(accepted.prompt_id);
  expect(end.last_assistant_message).toContain(`ECHO ${text.length} chars`);
  expect(end.background_tasks).toEqual([]);
  expect(model.requests().at(-1)!.prompt).toBe(text);
});

test('the transcript has the prompt under the same id, and the end of its turn', async () => {
  const { prompt, recorder, line } = await startClaude();
  const accepted = await prompt('[sm] from lead #1: hello');
  await recorder.waitFor('Stop');

  const written = await line('the prompt', ({ message }) => message?.content === accepted.prompt);
  expect(written).toMatchObject({ type: 'user', promptId: accepted.prompt_id });
  expect(written.uuid).toBeTruthy();
  await line('the end', ({ subtype }) => subtype === 'turn_duration');
});

test('a draft is seen in the composer, and the cursor stands behind it', async () => {
  const { pane } = await startClaude();
  await pane.keys('-l', 'half a thought');
  const screen = await pane.shows('the draft', (now) => composer(now) === 'half a thought');
  expect(screen.cursor.x).toBe(2 + 'half a thought'.length);

  await pane.paste('\nand more');
  await pane.shows('both lines', (now) => composer(now) === 'half a thought\nand more');
});

test('Ctrl+S puts a draft aside, and it comes back by itself after the next submit', async () => {
  const { pane, recorder } = await startClaude();
  await pane.paste('first line\nsecond line');
  await pane.shows('the draft', (now) => composer(now) === 'first line\nsecond line');

  await pane.keys('C-s');
  await pane.shows('the stash', (now) => composer(now) === '' && hasStash(now));
  await pane.keys('C-s');
  await pane.shows('the draft again', (now) => composer(now) === 'first line\nsecond line' && !hasStash(now));

  await pane.submit('[sm] from lead #2: between', 'C-s');
  expect((await recorder.waitFor('UserPromptSubmit')).prompt).toBe('[sm] from lead #2: between');
  await recorder.waitFor('Stop');
  await pane.shows('the draft back', (now) => composer(now) === 'first line\nsecond line' && !hasStash(now));
});

test('text for an agent in a tool loop is absorbed by the running turn', async () => {
  const { prompt, recorder, line, model } = await startClaude();
  const first = await prompt('work [[bashes 3 timeout 0.7 tail -f /dev/null]]');
  await recorder.waitFor('PreToolUse');

  const second = await prompt('[sm] from lead #3: by the way');
  expect(second.prompt_id).toBe(first.prompt_id);
  await line('enqueued', (it) => it.operation === 'enqueue' && it.content === second.prompt);
  await line('absorbed', (it) => it.operation === 'remove' && it.reason === 'absorbed_mid_turn');
  await line('beside the tool result', ({ attachment }) => attachment?.prompt === second.prompt);

  const end = await recorder.waitFor('Stop');
  expect(end.prompt_id).toBe(first.prompt_id);
  expect(end.last_assistant_message).toContain('DONE after 3 tool rounds');
  expect(model.requests().some(({ absorbed }) => absorbed.includes(second.prompt))).toBe(true);
});

test('text for an agent that only speaks is taken up after Stop, in a turn of its own', async () => {
  const { prompt, recorder, line, pane } = await startClaude();
  const first = await prompt('speak [[sleep 3]]');
  await pane.shows('words', ({ text }) => text.includes('word1'));

  const beforeSecond = recorder.mark();
  const second = await prompt('[sm] from lead #4: and then this');
  expect(second.prompt_id).toBe(first.prompt_id);
  await pane.shows('the placeholder', (now) => composer(now) === 'Press up to edit queued messages');

  const secondEnd = await recorder.waitFor('Stop', {
    wanted: ({ prompt_id }) => prompt_id !== first.prompt_id,
  });
  expect(recorder.namesSince(beforeSecond)).toEqual(['UserPromptSubmit', 'Stop', 'Stop']);
  await line('dequeued', ({ operation }) => operation === 'dequeue');
  const taken = await line('taken up', ({ message }) => message?.content === second.prompt);
  expect(taken.promptId).toBe(secondEnd.prompt_id);
});
