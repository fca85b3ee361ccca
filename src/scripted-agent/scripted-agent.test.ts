// The scripted agent in a real terminal: what it does is what was measured on Claude Code 2.1.325.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, it as base, beforeAll, describe, expect } from 'vitest';
import { type Bench, bundleAgent, createBench } from '../../test/support/scripted-agent.ts';

let bundle: { path: string; remove(): void };
beforeAll(async () => {
  bundle = await bundleAgent();
});
afterAll(() => bundle.remove());

const it = base.extend<{ bench: Bench }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest wants a destructured first argument
  bench: async ({}, use) => {
    const bench = createBench(bundle.path);
    await use(bench);
    await bench.remove();
  },
});

const ID = '11111111-2222-4333-8444-555555555555';
// biome-ignore lint/suspicious/noExplicitAny: transcript lines of many shapes
type Line = any;
const textOf = (line: Line): string =>
  typeof line.message?.content === 'string' ? line.message.content : (line.message?.content?.[0]?.text ?? '');
const isInterrupt = (line: Line) => line.type === 'user' && textOf(line).startsWith('[Request interrupted');
const isPrompt = (text: string) => (line: Line) => line.type === 'user' && textOf(line) === text;

/** What `[[wait go]]` and shell loops in tests wait for. */
const go = (bench: Bench) => writeFileSync(join(bench.work, 'go'), '');
const UNTIL_GO = 'while [ ! -e go ] && kill -0 $PPID; do sleep 0.02; done';

/** The transcript as short words, in order. */
const outline = (lines: Line[]) =>
  lines.map(
    (line) =>
      line.operation ?? line.subtype ?? line.attachment?.type ?? `${line.type} ${textOf(line)}`.trim(),
  );

describe.concurrent('delivery by keys', () => {
  it('takes a paste and Enter at once, byte for byte', async ({ bench }) => {
    await bench.start();
    expect(await bench.styled()).toMatch(/❯\u00a0\x1b\[7m \x1b\[0m/);
    expect(await bench.cursorX()).toBe(2);
    const text = Array.from({ length: 161 }, (_, n) => `line ${n} äöü 日本`).join('\n');
    await bench.submit(text);
    expect((await bench.hook('UserPromptSubmit')).prompt).toBe(text);
    const stop = await bench.hook('Stop');
    const prompt = bench.transcript().find(isPrompt(text));
    expect(prompt.promptId).toBe(stop.prompt_id);
    expect(stop.background_tasks).toEqual([]);
  });

  it('loses the Enter of a burst of typed text', async ({ bench }) => {
    await bench.start();
    await bench.send({ type: 'typed text' }, 'Enter');
    await bench.shows('typed text');
    expect(bench.hooks('UserPromptSubmit')).toEqual([]);
    // A paste ends the burst, however soon it comes.
    await bench.send({ paste: 'and more' }, 'Enter');
    expect((await bench.hook('UserPromptSubmit')).prompt).toBe('typed text\nand more');
  });

  it('stashes a draft, and has it back after the submit', async ({ bench }) => {
    await bench.start();
    await bench.send({ type: 'my draft' });
    await bench.until('the draft', async () => (await bench.cursorX()) === 10);
    await bench.send('C-s', { paste: 'message' }, 'Enter');
    expect((await bench.hook('UserPromptSubmit')).prompt).toBe('message');
    await bench.until('the draft again', async () => (await bench.composer()) === 'my draft');
  });

  it('swallows unknown commands and runs shell ones, both without UserPromptSubmit', async ({ bench }) => {
    await bench.start();
    await bench.submit('/nosuch thing');
    await bench.shows('Unknown command: /nosuch');
    await bench.submit('!echo shell-$((1+2))');
    await bench.shows('shell-3');
    await bench.hook('Stop');
    expect(bench.hooks('UserPromptSubmit')).toEqual([]);
  });

  it('hides everything behind the rewind screen until Escape', async ({ bench }) => {
    await bench.start();
    await bench.send('Escape', 'Escape');
    await bench.shows('Rewind');
    await bench.send({ paste: 'lost' }, 'Enter', 'Escape');
    await bench.until('the box', async () => (await bench.composer()) === '');
    expect(bench.hooks('UserPromptSubmit')).toEqual([]);
  });
});

describe.concurrent('a prompt typed mid-turn', () => {
  it('is taken up after Stop, with a new id and no second UserPromptSubmit', async ({ bench }) => {
    await bench.start();
    await bench.submit('first [[wait go]]');
    const first = await bench.hook('UserPromptSubmit');
    await bench.submit('second');
    await bench.shows('Press up to edit queued messages');
    expect((await bench.hook('UserPromptSubmit', 2)).prompt_id).toBe(first.prompt_id);
    go(bench);
    const stop = await bench.hook('Stop', 2);
    expect(stop.prompt_id).not.toBe(first.prompt_id);
    expect(bench.hooks('UserPromptSubmit')).toHaveLength(2);
    await bench.until(
      'both ends',
      () => bench.transcript().filter((line) => line.subtype === 'turn_duration')[1],
    );
    expect(outline(bench.transcript())).toEqual([
      'user first [[wait go]]',
      'enqueue',
      'assistant ECHO 17 chars: first [[wait go]]',
      'stop_hook_summary',
      'dequeue',
      'turn_duration',
      'user second',
      'assistant ECHO 6 chars: second',
      'stop_hook_summary',
      'turn_duration',
    ]);
  });

  it('goes together with others that wait; the Stop bears the last one’s id', async ({ bench }) => {
    await bench.start();
    await bench.submit('first [[wait go]]');
    await bench.hook('UserPromptSubmit');
    await bench.submit('second');
    await bench.submit('third');
    await bench.hook('UserPromptSubmit', 3);
    go(bench);
    const stop = await bench.hook('Stop', 2);
    const [second, third] = ['second', 'third'].map(
      (text) => bench.transcript().find(isPrompt(text)).promptId,
    );
    expect(second).not.toBe(third);
    expect(stop.prompt_id).toBe(third);
  });

  it('is absorbed at the next tool result', async ({ bench }) => {
    await bench.start();
    await bench.submit(`loop [[bashes 2 ${UNTIL_GO}]]`);
    await bench.hook('PreToolUse');
    await bench.submit('more [[say heard]]');
    await bench.hook('UserPromptSubmit', 2);
    go(bench);
    expect((await bench.hook('Stop')).last_assistant_message).toBe('heard');
    const lines = outline(bench.transcript());
    const removed = lines.indexOf('remove');
    expect(lines.slice(removed, removed + 3)).toEqual(['remove', 'user', 'queued_command']);
    expect(bench.transcript()[removed]).toMatchObject({
      content: 'more [[say heard]]',
      reason: 'absorbed_mid_turn',
    });
  });
});

describe.concurrent('prompts that wait', () => {
  it('are taken back into the composer by the Up key', async ({ bench }) => {
    await bench.start();
    await bench.submit('first [[wait go]]');
    await bench.hook('UserPromptSubmit');
    await bench.submit('second');
    await bench.shows('Press up to edit queued messages');
    await bench.send('Up');
    await bench.until('the draft', async () => (await bench.composer()) === 'second');
    go(bench);
    await bench.hook('Stop');
    expect(bench.transcript().find((line) => line.operation === 'popAll').content).toBe('second');
    expect(bench.transcript().some(isPrompt('second'))).toBe(false);
  });
});

describe.concurrent('an interrupt', () => {
  it('gives an unanswered prompt back to the composer, and fires nothing', async ({ bench }) => {
    await bench.start();
    await bench.submit('unanswered [[hang silent]]');
    await bench.until('the user line', () => bench.transcript().find(isPrompt('unanswered [[hang silent]]')));
    await bench.send('Escape');
    await bench.until('the prompt', async () => (await bench.composer()) === 'unanswered [[hang silent]]');
    expect(bench.transcript()).toHaveLength(1);
    expect(bench.hooks('Stop')).toEqual([]);
  });

  it('of a tool is told in the transcript alone', async ({ bench }) => {
    await bench.start();
    await bench.submit('tool [[bash sleep 30]]');
    const { prompt_id } = await bench.hook('PreToolUse');
    await bench.send('Escape');
    await bench.shows('Interrupted · What should Claude do instead?');
    const line = bench.transcript().find(isInterrupt);
    expect(textOf(line)).toBe('[Request interrupted by user for tool use]');
    expect(line.promptId).toBe(prompt_id);
    expect(bench.hooks('Stop')).toEqual([]);
  });

  it('sends enqueued text at once', async ({ bench }) => {
    await bench.start();
    await bench.submit('first [[sleep 30]]');
    const { prompt_id } = await bench.hook('UserPromptSubmit');
    await bench.shows('word1');
    await bench.submit('second');
    await bench.hook('UserPromptSubmit', 2);
    await bench.send('Escape');
    const stop = await bench.hook('Stop');
    const lines = bench.transcript();
    expect(outline(lines).slice(1, 6)).toEqual([
      'enqueue',
      'dequeue',
      expect.stringMatching(/^assistant word1\b/),
      'user [Request interrupted by user]',
      'user second',
    ]);
    expect(lines[4]).toMatchObject({ promptId: prompt_id, interruptedMessageId: lines[3].message.id });
    expect(lines[5].promptId).toBe(stop.prompt_id);
  });

  it('with a new prompt in the same breath merges nothing', async ({ bench }) => {
    await bench.start();
    await bench.submit('first [[hang silent]]');
    await bench.until('the user line', () => bench.transcript().find(isPrompt('first [[hang silent]]')));
    await bench.send('Escape', { paste: 'urgent' }, 'Enter');
    const stop = await bench.hook('Stop');
    expect(bench.hooks('UserPromptSubmit')[1]).toMatchObject({ prompt: 'urgent', prompt_id: stop.prompt_id });
    // As measured: the line of the interrupt bears the id of the prompt that came with it.
    expect(bench.transcript().find(isInterrupt).promptId).toBe(stop.prompt_id);
  });
});

describe.concurrent('contexts', () => {
  it('/clear ends one session and starts another, with no Stop', async ({ bench }) => {
    await bench.start();
    await bench.submit('/clear');
    const started = await bench.hook('SessionStart', 2);
    const ended = await bench.hook('SessionEnd');
    expect(ended).toMatchObject({ reason: 'clear', session_id: bench.hooks('SessionStart')[0].session_id });
    expect(started.source).toBe('clear');
    expect(started.session_id).not.toBe(ended.session_id);
    expect(started.transcript_path).toContain(started.session_id);
    expect(bench.hooks('Stop')).toEqual([]);
  });

  it('/compact keeps the session and tells its steps in order', async ({ bench }) => {
    await bench.start();
    await bench.submit('hello [[usage 130000]]');
    await bench.until('65 %', () =>
      bench.status().find((call) => call.context_window.used_percentage === 65),
    );
    await bench.submit('/compact keep the names');
    await bench.hook('PostCompact');
    const events = bench.hooks().map((payload) => payload.hook_event_name);
    expect(events.slice(events.indexOf('PreCompact'))).toEqual([
      'PreCompact',
      'SubagentStop',
      'SessionStart',
      'PostCompact',
    ]);
    await bench.until('no percentage', () => bench.status().at(-1).context_window.used_percentage === null);
    await bench.shows('the status');
  });

  it('a text that is typed during /compact is submitted when that is over, with an id of its own', async ({
    bench,
  }) => {
    await bench.start();
    await bench.submit('/compact [[sleep 0.5]]');
    const began = await bench.hook('PreCompact');
    await bench.submit('typed meanwhile');
    const told = await bench.hook('UserPromptSubmit');
    expect(told).toMatchObject({ prompt: 'typed meanwhile' });
    expect(told.prompt_id).not.toBe(began.prompt_id);
    await bench.hook('Stop');
    const events = bench.hooks().map((payload) => payload.hook_event_name);
    expect(events.slice(events.indexOf('PostCompact'))).toEqual(['PostCompact', 'UserPromptSubmit', 'Stop']);
  });

  it('compacts by itself before the next request', async ({ bench }) => {
    await bench.start({ args: ['--autocompact', '100k', 'fill [[usage 130000]]'] });
    await bench.hook('Stop');
    await bench.submit('next');
    expect((await bench.hook('PostCompact')).trigger).toBe('auto');
    expect((await bench.hook('Stop', 2)).last_assistant_message).toBe('ECHO 4 chars: next');
  });

  it('resumes a killed session, but starts no second one with its id', async ({ bench }) => {
    await bench.start({ args: ['--session-id', ID, 'remember me'] });
    await bench.hook('Stop');
    await bench.submit('[[crash]]');
    await bench.exit();
    expect(bench.hooks('SessionEnd')).toEqual([]);
    await bench.stop();
    await bench.start({ args: ['--session-id', ID], until: /already in use/ });
    await bench.exit();
    await bench.stop();
    await bench.start({ args: ['--resume', ID] });
    await bench.shows('remember me');
    expect(await bench.hook('SessionStart', 2)).toMatchObject({ session_id: ID, source: 'resume' });
  });

  it('says how it ended', async ({ bench }) => {
    await bench.start();
    await bench.submit('/exit');
    expect((await bench.hook('SessionEnd')).reason).toBe('prompt_input_exit');
    await bench.exit();
    await bench.stop();
    await bench.start();
    process.kill(await bench.pid(), 'SIGTERM');
    expect((await bench.hook('SessionEnd', 2)).reason).toBe('other');
    await bench.exit();
  });
});

describe.concurrent('permission', () => {
  const answer = (decision: object) =>
    `echo '${JSON.stringify({ hookSpecificOutput: { hookEventName: 'PermissionRequest', decision } })}'`;

  it('is asked in a dialog that ignores pastes; Enter says yes', async ({ bench }) => {
    await bench.start({ permissionMode: 'manual' });
    await bench.submit('[[bash echo yes > out]]');
    await bench.shows('Do you want to proceed?');
    await bench.hook('PermissionRequest');
    expect(await bench.cursorX()).toBe(1);
    await bench.send({ paste: 'ignored' }, 'Enter');
    await bench.hook('PostToolUse');
    expect(readFileSync(join(bench.work, 'out'), 'utf8')).toBe('yes\n');
  });

  it('refused with Escape ends the turn without a hook', async ({ bench }) => {
    await bench.start({ permissionMode: 'manual' });
    await bench.submit('[[bash echo yes > out]]');
    await bench.shows('Do you want to proceed?');
    await bench.send('Escape');
    await bench.until('the end', () => bench.transcript().some((line) => line.subtype === 'turn_duration'));
    expect(textOf(bench.transcript().find(isInterrupt))).toBe('[Request interrupted by user for tool use]');
    expect(existsSync(join(bench.work, 'out'))).toBe(false);
    expect(bench.hooks('Stop')).toEqual([]);
  });

  it('is given by a hook while the dialog stands', async ({ bench }) => {
    await bench.start({ answers: { PermissionRequest: `${UNTIL_GO}; ${answer({ behavior: 'allow' })}` } });
    await bench.submit('[[ask echo allowed]]');
    await bench.shows('Do you want to proceed?');
    go(bench);
    expect((await bench.hook('Stop')).last_assistant_message).toContain('allowed');
  });

  it('is denied by a hook, with words for the model', async ({ bench }) => {
    await bench.start({ answers: { PermissionRequest: answer({ behavior: 'deny', message: 'not today' }) } });
    await bench.submit('[[ask echo allowed]]');
    expect((await bench.hook('Stop')).last_assistant_message).toContain('not today');
  });
});

describe.concurrent('the status line', () => {
  it('is told in the middle of a turn, while a tool runs for longer than 0.3 s', async ({ bench }) => {
    await bench.start();
    await bench.submit('[[usage 130000]] [[bash sleep 1]] [[wait go]]');
    await bench.until('65 %', () =>
      bench.status().some((call) => call.context_window.used_percentage === 65),
    );
    expect(bench.hooks('Stop')).toEqual([]);
    go(bench);
    await bench.hook('Stop');
  });
});

describe.concurrent('hooks', () => {
  it('give context to the model', async ({ bench }) => {
    const context = (text: string) =>
      `echo '${JSON.stringify({ hookSpecificOutput: { additionalContext: text } })}'`;
    await bench.start({
      answers: { SessionStart: context('from start'), PostToolUse: context('from tool') },
    });
    await bench.submit('[[bash true]] [[context]]');
    expect((await bench.hook('Stop')).last_assistant_message).toBe('from start\nfrom tool');
  });

  it('block a stop eight times at most', async ({ bench }) => {
    await bench.start({ answers: { Stop: `echo '{"decision":"block","reason":"go on"}'` } });
    await bench.submit('hello');
    const last = await bench.hook('Stop', 9);
    expect(last).toMatchObject({ stop_hook_active: true, last_assistant_message: 'ECHO 5 chars: go on' });
    await bench.until('the end', () => bench.transcript().some((line) => line.subtype === 'turn_duration'));
    expect(bench.hooks('Stop')).toHaveLength(9);
  });

  it('hear StopFailure instead of Stop', async ({ bench }) => {
    await bench.start({ args: ['[[fail overloaded]]'] });
    expect((await bench.hook('StopFailure')).last_assistant_message).toBe('API Error: overloaded');
    expect(bench.hooks('Stop')).toEqual([]);
  });

  it('hear of background work, and of its end in a turn of its own', async ({ bench }) => {
    await bench.start({ args: ['[[background 1]]'] });
    expect((await bench.hook('Stop')).background_tasks).toHaveLength(1);
    const notified = await bench.hook('UserPromptSubmit', 2);
    expect(notified.prompt).toMatch(/^<task-notification>/);
    expect(await bench.hook('Stop', 2)).toMatchObject({
      background_tasks: [],
      prompt_id: notified.prompt_id,
    });
    expect(outline(bench.transcript())).toEqual(expect.arrayContaining(['enqueue', 'dequeue']));
  });
});

describe.concurrent('faults', () => {
  it('lose an Enter', async ({ bench }) => {
    await bench.start({ faults: 'lose-enter:1' });
    await bench.submit('hello');
    await bench.shows('hello');
    await bench.send('Enter');
    await bench.hook('Stop');
    expect(bench.hooks('UserPromptSubmit')).toHaveLength(1);
  });

  it('drop, double and delay hooks', async ({ bench }) => {
    await bench.start({ faults: 'no-hook:UserPromptSubmit,late-hook:PreToolUse:800,double-hook:Stop' });
    await bench.submit('[[bash true]]');
    await bench.hook('PreToolUse');
    const events = bench.hooks().map((payload) => payload.hook_event_name);
    expect(events).toEqual(['SessionStart', 'PostToolUse', 'Stop', 'Stop', 'PreToolUse']);
  });

  it('fire the old Stop of a clear', async ({ bench }) => {
    await bench.start({ faults: 'stop-on-clear:250' });
    await bench.submit('/clear');
    await bench.hook('SessionStart', 2);
    const stop = await bench.hook('Stop');
    expect(stop.session_id).toBe(bench.hooks('SessionEnd')[0].session_id);
  });

  it('put a trust dialog in the way, whose marked answer is no', async ({ bench }) => {
    await bench.start({ faults: 'trust-dialog', until: /one you trust/ });
    expect(await bench.cursorX()).toBe(1);
    await bench.send('Enter');
    await bench.exit();
    expect(bench.hooks('SessionStart')).toEqual([]);
  });
});
