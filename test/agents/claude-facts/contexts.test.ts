// What sm leans on when a conversation is cleared, compacted or measured.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { until } from '../../support/until.ts';
import { composer } from '../claude-screen.ts';
import { startClaude } from '../claude-session.ts';

test('/clear ends the old id and starts a new one, with no Stop and no prompt', async () => {
  const { prompt, pane, recorder, started, line } = await startClaude();
  await prompt('something to forget');
  await recorder.waitFor('Stop');
  const before = recorder.mark();

  await pane.submit('/clear');
  const end = await recorder.waitFor('SessionEnd', { after: before });
  const start = await recorder.waitFor('SessionStart', { after: before });
  expect(end).toMatchObject({ reason: 'clear', session_id: started.session_id });
  expect(start.source).toBe('clear');
  expect(start.session_id).not.toBe(started.session_id);
  expect(start.transcript_path).not.toBe(started.transcript_path);

  const next = await prompt('fresh');
  expect(next.session_id).toBe(start.session_id);
  await recorder.waitFor('Stop', { after: before });
  expect(recorder.namesSince(before)).toEqual(['SessionEnd', 'SessionStart', 'UserPromptSubmit', 'Stop']);
  const written = await line('the new prompt', ({ message }) => message?.content === 'fresh');
  expect(written.sessionId).toBe(start.session_id);
});

test('/clear sent to a busy agent waits for the end of its turn', async () => {
  const { prompt, pane, recorder } = await startClaude();
  await prompt('speak [[sleep 2]]');
  await pane.shows('words', ({ text }) => text.includes('word1'));
  const before = recorder.mark();

  await pane.submit('/clear');
  await recorder.waitFor('SessionStart', { after: before });
  expect(recorder.namesSince(before)).toEqual(['Stop', 'SessionEnd', 'SessionStart']);
});

test('/compact: PreCompact, then SessionStart(compact) of the same id, then PostCompact; no Stop', async () => {
  const { prompt, pane, recorder, started, line } = await startClaude();
  await prompt('a long story');
  await recorder.waitFor('Stop');
  const before = recorder.mark();

  await pane.submit('/compact');
  expect(await recorder.waitFor('PostCompact', { after: before })).toMatchObject({ trigger: 'manual' });
  expect(recorder.namesSince(before)).toEqual(['PreCompact', 'SubagentStop', 'SessionStart', 'PostCompact']);
  const start = await recorder.waitFor('SessionStart', { after: before });
  expect(start).toMatchObject({ source: 'compact', session_id: started.session_id });
  await line('the boundary', ({ subtype }) => subtype === 'compact_boundary');
  await pane.shows('an empty composer', (screen) => composer(screen) === '');
});

test('a prompt that is too long makes it compact by itself, within the turn', async () => {
  const { prompt, recorder } = await startClaude();
  // It does not compact a conversation that has hardly begun.
  for (const text of ['one', 'two', 'three']) {
    const before = recorder.mark();
    await prompt(text);
    await recorder.waitFor('Stop', { after: before });
  }
  const before = recorder.mark();

  const long = await prompt('and on [[toolong]]');
  const end = await recorder.waitFor('Stop', { after: before });
  expect(end.prompt_id).toBe(long.prompt_id);
  expect(await recorder.waitFor('PreCompact')).toMatchObject({ trigger: 'auto' });
  const compaction = ['PreCompact', 'SubagentStop', 'SessionStart', 'PostCompact'];
  expect(recorder.namesSince(before)).toEqual(['UserPromptSubmit', ...compaction, 'Stop']);
});

test('a text that is typed during /compact waits, and is submitted when that is over: once, with an id of its own', async () => {
  const { prompt, pane, recorder } = await startClaude();
  await prompt('a long story');
  await recorder.waitFor('Stop');
  const before = recorder.mark();

  await pane.submit('/compact [[summary 2]]');
  const began = await recorder.waitFor('PreCompact', { after: before });
  await pane.submit('typed meanwhile [[say got it]]');
  await pane.shows('that it waits', ({ text }) => text.includes('edit queued messages'));
  expect(recorder.namesSince(before)).toEqual(['PreCompact']);
  const end = await recorder.waitFor('Stop', { after: before });
  expect(end.last_assistant_message).toBe('got it');
  const compaction = ['PreCompact', 'SubagentStop', 'SessionStart', 'PostCompact'];
  expect(recorder.namesSince(before)).toEqual([...compaction, 'UserPromptSubmit', 'Stop']);
  expect(end.prompt_id).not.toBe(began.prompt_id);
});

test('a text that is typed during a compaction inside a turn is told at once, under the id of that turn, and taken up once', async () => {
  const { prompt, recorder, transcript } = await startClaude();
  for (const text of ['one [[summary 2]]', 'two', 'three']) {
    const before = recorder.mark();
    await prompt(text);
    await recorder.waitFor('Stop', { after: before });
  }
  const before = recorder.mark();

  const long = await prompt('and on [[toolong]] [[say the end]]');
  await recorder.waitFor('PreCompact', { after: before });
  const typed = await prompt('typed meanwhile [[say got it]]');
  expect(typed.prompt_id).toBe(long.prompt_id);
  expect(recorder.namesSince(before)).not.toContain('PostCompact');
  const end = await recorder.waitFor('Stop', {
    after: before,
    wanted: ({ last_assistant_message: words }) => words === 'got it',
  });
  expect(end.prompt_id).not.toBe(long.prompt_id);
  const taken = () =>
    transcript().filter(
      ({ type, message }) => type === 'user' && message?.content === 'typed meanwhile [[say got it]]',
    );
  // The transcript lags behind the hooks.
  await expect.poll(() => taken().length, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(taken()).toHaveLength(1);
});

test('the status line is told how full the context is: nothing at first, then what the model reports', async () => {
  const { prompt, recorder, pane } = await startClaude();
  const first = await recorder.waitFor('StatusLine');
  expect(first.context_window).toMatchObject({ context_window_size: 200_000, used_percentage: null });
  await pane.shows('our status line', ({ text }) => text.includes('status of the recorder'));

  await prompt('fill it [[usage 130000]]');
  const full = await recorder.waitFor('StatusLine', {
    wanted: ({ context_window }) => context_window.used_percentage,
  });
  expect(full.context_window.used_percentage).toBe(65);
});

test('the status line is told in the middle of a turn, while a tool runs for longer than 0.3 s', async () => {
  const { prompt, recorder } = await startClaude();
  const before = recorder.mark();
  await prompt('fill it [[usage 130000]] [[bashes 3 sleep 1]]');
  await recorder.waitFor('Stop', { after: before });
  const told = recorder
    .facts()
    .slice(before)
    .filter(({ hook_event_name: name, context_window: window }) => name === 'Stop' || window?.used_percentage)
    .map(({ hook_event_name }) => hook_event_name);
  expect(told.slice(0, 2)).toEqual(['StatusLine', 'StatusLine']);
});

test('the file of its process names the conversation that it has open, also after /clear', async () => {
  const { prompt, pane, recorder, started } = await startClaude();
  await prompt('something to forget');
  await recorder.waitFor('Stop');
  const sessions = join(dirname(dirname(dirname(started.transcript_path))), 'sessions');
  const named = () =>
    readdirSync(sessions)
      .filter((name) => /^\d+\.json$/.test(name))
      .map((name) => readFileSync(join(sessions, name), 'utf8'));
  expect(named()).toEqual([expect.stringContaining(`"sessionId":"${started.session_id}"`)]);

  const before = recorder.mark();
  await pane.submit('/clear');
  const start = await recorder.waitFor('SessionStart', { after: before });
  await until(
    'the file names the new one',
    () => named().join().includes(`"sessionId":"${start.session_id}"`),
    {
      instead: () => named().join('\n'),
    },
  );
  expect(named()).toHaveLength(1);
});
