// What sm leans on when it starts an agent, finds it dead, and brings it back.
import { randomUUID } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { composer } from '../claude-screen.ts';
import { launchClaude, startClaude } from '../claude-session.ts';

test('it is the version that the facts were measured on', async () => {
  const { pane } = await startClaude();
  expect((await pane.screen()).text).toContain(`Claude Code v${process.env.SM_TEST_CLAUDE_VERSION}`);
});

test('a start is told with the id that we gave, and the cursor stands in an empty composer', async () => {
  const id = randomUUID();
  const { started, pane } = await startClaude({ args: ['--session-id', id] });

  expect(started).toMatchObject({ source: 'startup', session_id: id });
  expect(started.transcript_path).toContain(id);
  const screen = await pane.screen();
  expect(screen.cursor.x).toBe(2);
  expect(screen.lines[screen.cursor.y]).toBe('❯\u00a0');
  // The cursor is drawn by the program, as one cell in reverse video.
  expect(screen.styled).toContain('❯\u00a0\x1b[7m');
});

test('the transcript is named at the start, and there from the first prompt on', async () => {
  const { started, prompt, line } = await startClaude();
  expect(existsSync(started.transcript_path)).toBe(false);

  const first = await prompt('hello');
  expect(first.transcript_path).toBe(started.transcript_path);
  await line('the prompt', ({ message }) => message?.content === 'hello');
});

test('a directory that is not trusted is asked about before anything is told', async () => {
  const { pane, recorder } = await launchClaude({ home: { trusted: false } });

  const screen = await pane.shows('the question', ({ text }) => text.includes('Yes, I trust this folder'));
  expect(composer(screen)).toBeNull();
  expect(recorder.facts()).toEqual([]);
});

test('after SIGKILL a session is resumed: same id, same file, same usage, and nothing was told of its end', async () => {
  const session = await startClaude();
  const { recorder, started } = session;
  await session.prompt('remember this [[usage 50000]]');
  // The transcript lags behind Stop, and what is not yet written when it dies cannot be resumed.
  await session.line('the end of the turn', ({ subtype }) => subtype === 'turn_duration');
  const before = recorder.mark();
  const { ino } = statSync(started.transcript_path);

  process.kill(session.pane.pid, 'SIGKILL');
  const resumed = await session.again('--resume', started.session_id);
  expect(recorder.namesSince(before)).toEqual(['SessionStart']);
  expect(resumed.started).toMatchObject({
    source: 'resume',
    session_id: started.session_id,
    transcript_path: started.transcript_path,
  });
  await recorder.waitFor('StatusLine', {
    after: before,
    wanted: ({ context_window }) => context_window.used_percentage === 25,
  });

  await resumed.prompt('go on');
  await resumed.line('the new prompt', ({ message }) => message?.content === 'go on');
  await resumed.line('the old one', ({ message }) => message?.content?.startsWith?.('remember this'));
  expect(statSync(started.transcript_path).ino).toBe(ino);
});

test('an id that was never prompted cannot be resumed, but can be given again', async () => {
  const id = randomUUID();
  const session = await startClaude({ args: ['--session-id', id] });
  process.kill(session.pane.pid, 'SIGKILL');

  const refused = await session.relaunch('--resume', id);
  await refused.ended();
  const { started } = await session.again('--session-id', id);
  expect(started).toMatchObject({ source: 'startup', session_id: id });
});

test.each([
  ['/exit', 'prompt_input_exit'],
  ['SIGTERM', 'other'],
  ['SIGHUP', 'other'],
])('an end by %s is told as SessionEnd(%s)', async (way, reason) => {
  const { pane, recorder, started } = await startClaude();

  if (way.startsWith('SIG')) process.kill(pane.pid, way);
  else await pane.submit(way);

  const end = await recorder.waitFor('SessionEnd');
  expect(end).toMatchObject({ reason, session_id: started.session_id });
  await pane.ended();
});
