// Dispatching by template, from the command line to the scripted agent in real tmux.
import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith } from '../support/talk.ts';

let daemon: TestDaemon;
beforeAll(async () => {
  daemon = await startTestDaemon({
    config: { dispatch: { auto_remind: { soft_threshold_seconds: 1, hard_threshold_seconds: 60 } } },
  });
  mkdirSync(join(daemon.work, '.sm'));
  writeFileSync(
    join(daemon.work, '.sm', 'dispatch_templates.yaml'),
    'roles:\n  parrot:\n    template: "Say it, with {{braces}}: [[say {words}]]"\n',
  );
});
afterAll(() => daemon.dispose());

async function spawn(prompt: string, more?: object): Promise<string> {
  const id = await startWith(daemon, prompt, more);
  await daemon.until(id, is('turn ended'));
  return id;
}

describe('sm dispatch', () => {
  it('clears the session, and the filled template is the first prompt of its new context', async () => {
    const id = await spawn('[[say one]]');
    const { code, stdout, stderr } = await daemon.sm(
      'dispatch',
      id,
      '--role',
      'parrot',
      '--words',
      'two',
      '--wait',
      '20',
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const name = `${(await daemon.session(id)).display_name} (${id})`;
    const [cleared, accepted, ...words] = stdout.split('\n');
    expect(cleared).toBe(`Cleared ${name}`);
    expect(accepted).toMatch(
      new RegExp(`^(Accepted|Answered) by ${name.replace(/[()]/g, '\\$&')} #\\w+ \\(`),
    );
    expect(words.join('\n')).toMatch(/^.* answered #\w+:\ntwo\n$/);
    expect((await daemon.session(id)).context.number).toBe(2);
    const prompt = (await daemon.events(id)).findLast(is('message queued'))?.message;
    const { body } = await daemon.call<{ message: { text: string } }>('GET', `/messages/${prompt}`);
    expect(body.message.text).toBe('Say it, with {braces}: [[say two]]');
  });

  it('asks a worker for its status that does not say it', async () => {
    const id = await spawn('[[say one]]');
    const work = `x]] ${'[[bash sleep 0.2]] '.repeat(30)} [[say done`;
    const { code, stderr } = await daemon.sm('dispatch', id, '--role', 'parrot', '--words', work);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect((await daemon.session(id)).reminder).toMatchObject({ soft_threshold: 1, hard_threshold: 60 });
    await daemon.until(id, is('reminder sent', { kind: 'soft' }));
  });

  it('from a session: its parent hears of the end of that turn', async () => {
    const boss = await spawn('[[say I lead]]');
    const hand = await spawn('[[say I help]]', { parent_session_id: boss });
    const sm = (...args: string[]) =>
      promisify(execFile)(process.execPath, [join(import.meta.dirname, '../../dist/sm.cjs'), ...args], {
        cwd: daemon.work,
        env: { PATH: process.env.PATH, SM_HOME: daemon.home, CLAUDE_SESSION_MANAGER_ID: boss },
      });
    const { stdout } = await sm(
      'dispatch',
      hand,
      '--role',
      'parrot',
      '--words',
      'done',
      '--no-clear',
      '--json',
    );
    const { cleared, message } = JSON.parse(stdout) as {
      cleared: boolean;
      message: { message_id: string; state: string };
    };
    expect({ cleared, state: message.state }).toEqual({ cleared: false, state: 'accepted' });
    await daemon.until(
      hand,
      (event) => event.type === 'notice-posted' && event.to === boss && event.message === message.message_id,
    );
  });
});
