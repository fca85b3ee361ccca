// Rules for permissions, on the scripted agent in real tmux: what they allow and deny nobody is asked.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventName } from '../../src/protocol/event-name.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startWith, toolResultsOf } from '../support/talk.ts';

let daemon: TestDaemon;
const config = {
  policies: [
    { allow: ['Bash(touch *)', 'Bash(echo ran *)'] },
    { deny: 'Bash(touch secret*)', reason: 'Leave it alone.' },
    { allow: 'Bash(mkdir *)', session: 'maker-*' },
    { allow: 'Bash(mkdir *)', profile: 'maker' },
  ],
  profiles: { maker: { agent: 'scripted' } },
};
beforeAll(async () => {
  daemon = await startTestDaemon({ config });
});
afterAll(() => daemon.dispose());

const asking = (command: string, more: object = {}) =>
  startWith(daemon, `[[ask ${command}]] [[say went on]]`, more);
const there = (name: string) => existsSync(join(daemon.work, name));
const namesOf = async (id: string) => (await daemon.events(id)).map(eventName);

describe('a rule', () => {
  it('allows: the tool runs, nobody is asked, and the history names the rule', async () => {
    const id = await asking('touch allowed');
    await daemon.until(id, is('turn ended', { last_words: 'went on' }));
    expect(there('allowed')).toBe(true);
    expect((await daemon.events(id)).find(is('question ruled'))).toMatchObject({
      decision: 'allow',
      rule: 'config.yaml:1',
      says: 'allow Bash(touch *)',
      question: 'Bash: touch allowed',
    });
    expect(await namesOf(id)).not.toContain('question asked');
    expect((await daemon.sm('tail', id)).stdout).toContain(
      'allowed by rule config.yaml:1 (allow Bash(touch *)): Bash: touch allowed',
    );
  });

  it('denies: its words reach the model, and the turn goes on', async () => {
    const id = await asking('touch secret');
    await daemon.until(id, is('turn ended', { last_words: 'went on' }));
    expect(there('secret')).toBe(false);
    expect(await toolResultsOf(daemon, id)).toEqual([
      '[sm] Denied by rule config.yaml:1 of the user: Bash: touch secret. Leave it alone.',
    ]);
    expect(await namesOf(id)).not.toContain('question asked');
  });

  it('allows a command of several parts if it allows each of them', async () => {
    const id = await asking('touch one && echo ran too');
    await daemon.until(id, is('turn ended', { last_words: 'went on' }));
    expect(there('one')).toBe(true);
    expect((await daemon.events(id)).find(is('question ruled'))).toMatchObject({
      decision: 'allow',
      rule: 'config.yaml:1',
      says: 'allow Bash(touch *); allow Bash(echo ran *)',
    });
  });

  it('leaves to the human what cannot be read with certainty', async () => {
    const id = await asking('touch chained | touch too');
    await daemon.until(id, is('question asked', { kind: 'permission' }));
    expect((await daemon.sm('answer', id, 'deny')).code).toBe(0);
    await daemon.until(id, is('turn ended'));
    expect(there('chained')).toBe(false);
  });

  it('is for the sessions that it names', async () => {
    const other = await asking('mkdir by-other', { name: 'other' });
    await daemon.until(other, is('question asked'));
    const maker = await asking('mkdir by-maker', { name: 'maker-1' });
    await daemon.until(maker, is('turn ended'));
    const profiled = await asking('mkdir by-profile', { options: { profile: 'maker' } });
    await daemon.until(profiled, is('turn ended'));
    expect([there('by-other'), there('by-maker'), there('by-profile')]).toEqual([false, true, true]);
  });

  it('holds after the daemon was killed', async () => {
    await daemon.crash();
    await daemon.start();
    const id = await asking('touch again');
    await daemon.until(id, is('turn ended', { last_words: 'went on' }));
    expect(await namesOf(id)).not.toContain('question asked');
  });
});

describe('sm policy', () => {
  it('lists every rule, with where it stands', async () => {
    const { stdout } = await daemon.sm('policy');
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'ID             FOR            RULE                      REASON',
      'config.yaml:1  all sessions   allow Bash(touch *)',
      'config.yaml:1  all sessions   allow Bash(echo ran *)',
    ]);
    expect(JSON.parse((await daemon.sm('policy', '--json')).stdout).policies[3]).toMatchObject({
      decision: 'allow',
      pattern: 'Bash(mkdir *)',
      session: 'maker-*',
      source: 'config',
    });
  });

  it('writes a rule that holds at once and after a crash, and takes it back', async () => {
    const id = await startWith(daemon, '[[say ready]]', { name: 'ruled' });
    await daemon.until(id, is('turn ended'));
    const written = await daemon.sm('policy', 'allow', 'Bash(cp *)', '--session', 'ruled', '--json');
    const rule = JSON.parse(written.stdout);
    expect(rule).toMatchObject({ session: id, session_name: 'ruled', source: 'sm' });
    await daemon.crash();
    await daemon.start();
    writeFileSync(join(daemon.work, 'original'), '');
    await daemon.call('POST', `/sessions/${id}/input`, { text: '[[ask cp original copy]] [[say went on]]' });
    await daemon.until(id, is('turn ended', { last_words: 'went on' }));
    expect(there('copy')).toBe(true);
    expect((await daemon.events(id)).find(is('question ruled'))).toMatchObject({ rule: rule.id });
    expect(await daemon.sm('policy', 'remove', rule.id)).toMatchObject({
      code: 0,
      stdout:
        `Removed rule ${rule.id}: allow Bash(cp *) for ruled (${id})\n` +
        `Write it again with: sm policy allow 'Bash(cp *)' --session ${id}\n`,
    });
    expect((await daemon.sm('policy', 'remove', rule.id)).stderr).toContain(`No rule "${rule.id}"`);
  });

  it('says what would happen to a call, and why', async () => {
    const test = async (...args: string[]) => (await daemon.sm('policy', 'test', ...args)).stdout;
    expect(await test('Bash', 'touch x')).toBe(
      'Allowed by rule config.yaml:1: allow Bash(touch *) for all sessions\n' +
        '  not covered by rule config.yaml:1: allow Bash(echo ran *) for all sessions: the command is another one\n' +
        '  not covered by rule config.yaml:1: deny Bash(touch secret*) for all sessions: no part of the command is that\n',
    );
    expect(await test('Bash', 'touch x; rm x')).toContain(
      'Asked: no rule covers it.\n  not covered by rule config.yaml:1: allow Bash(touch *) for all sessions: ' +
        'it covers only a part of the command: touch x\n',
    );
    expect(await test('Bash', 'touch x && echo ran it')).toMatch(
      /^Allowed by rule config\.yaml:1: allow Bash\(touch \*\) .*\nAllowed by rule config\.yaml:1: allow Bash\(echo ran \*\) /,
    );
    expect(await test('Bash', 'cd x && touch secret')).toMatch(/^Denied by rule config\.yaml:1: deny/);
    const maker = await startWith(daemon, '[[say ready]]', { name: 'maker-2' });
    expect(await test(maker, 'Bash', 'mkdir x')).toMatch(/^Allowed by .* for maker-\*/);
    expect(await test('--profile', 'night', 'Bash', 'mkdir x')).toMatch(/^Asked/);
  });

  it('refuses what makes no sense, what gives everything away, and everybody but the person', async () => {
    const refused = async (...args: string[]) => (await daemon.sm('policy', ...args)).stderr;
    expect(await refused('allow', 'Bash')).toBe(
      'Error: Bash allows every command. If you mean it, say it again with --yes.\n',
    );
    expect(await refused('allow', 'Bash(')).toContain('is no pattern');
    expect(await refused('allow', 'Read', '--session', 'nobody')).toContain('No session "nobody"');
    expect(await refused('remove', 'config.yaml:1')).toContain('is in your configuration');
    expect(await refused('alow', 'Read')).toContain('Unknown action "alow"');
    const id = await startWith(
      daemon,
      '[[bash sm policy allow Read; sm policy deny Read; sm policy > seen]]',
    );
    await daemon.until(id, is('turn ended'));
    expect((await toolResultsOf(daemon, id)).join()).toContain(
      'Only a person may write rules for permissions.',
    );
    expect(readFileSync(join(daemon.work, 'seen'), 'utf8')).not.toContain('Read');
    const yes = await daemon.sm('policy', 'allow', 'mcp__*', '--yes', '--json');
    expect(yes.code).toBe(0);
    await daemon.sm('policy', 'remove', JSON.parse(yes.stdout).id);
  });
});

describe('sm answer SESSION always', () => {
  const again = async (id: string, text: string) => {
    const { number } = (await daemon.events(id)).at(-1) as { number: number };
    await daemon.call('POST', `/sessions/${id}/input`, { text });
    return number;
  };

  it('allows it, and writes a rule for this session and this very call', async () => {
    const id = await asking('rm -f never-there-*', { name: 'keeper' });
    await daemon.until(id, is('question asked'));
    const { stdout } = await daemon.sm('answer', 'keeper', 'always');
    const [, rule] = /^Rule (\w+): /m.exec(stdout) ?? [];
    expect(stdout).toBe(
      `Answered keeper (${id}): allow, to: Bash: rm -f never-there-*\n` +
        `Rule ${rule}: allow Bash(rm -f never-there-\\*) for keeper (${id})\n` +
        `Take it back with: sm policy remove ${rule}\n`,
    );
    await daemon.until(id, is('turn ended'));
    expect((await daemon.sm('tail', id)).stdout).toContain(
      `answered by the user: allow, always: rule ${rule}`,
    );

    await daemon.crash();
    await daemon.start();
    const before = await again(id, '[[ask rm -f never-there-*]] [[say went on]]');
    await daemon.until(id, is('turn ended', { last_words: 'went on' }), before);
    expect((await namesOf(id)).filter((name) => name === 'question asked')).toHaveLength(1);

    const later = await again(id, '[[ask rm -f never-there-else]]');
    await daemon.until(id, is('question asked'), later);
    const other = await asking('rm -f never-there-*');
    await daemon.until(other, is('question asked'));
  });

  it('takes a pattern that covers it, for every session on request', async () => {
    const id = await asking('ln -s a first-link');
    await daemon.until(id, is('question asked'));
    expect(await daemon.sm('answer', id, 'always', 'Bash(ln b *)')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Bash(ln b *) does not cover what'),
    });
    expect((await daemon.sm('answer', id, 'always', 'Bash', '--all')).stderr).toContain(
      'say it again with --yes',
    );
    expect((await daemon.session(id)).phase).toBe('blocked');
    expect((await daemon.sm('answer', id, 'always', 'Bash(ln -s *)', '--all')).stdout).toContain(
      'allow Bash(ln -s *) for all sessions',
    );
    await daemon.until(id, is('turn ended'));
    const other = await asking('ln -s a second-link');
    await daemon.until(other, is('turn ended', { last_words: 'went on' }));
    expect(await namesOf(other)).not.toContain('question asked');
  });

  it('is for a person alone, and only while something is asked', async () => {
    const own = await startTestDaemon({ config: { questions: { parents_may_answer: true } } });
    try {
      const parent = await startWith(own, '[[say ready]]');
      await own.until(parent, is('turn ended'));
      const id = await startWith(own, '[[ask touch x]]', { parent_session_id: parent });
      await own.until(id, is('question asked'));
      const always = (more: object) =>
        own.call('POST', `/sessions/${id}/answer`, { decision: 'allow', always: {}, ...more });
      expect(await always({ requester_session_id: parent })).toMatchObject({
        status: 403,
        body: { detail: 'Only a person may write rules for permissions.' },
      });
      expect((await own.sm('policy')).stdout).toContain('No rules');
      expect(await always({ decision: 'deny' })).toMatchObject({ status: 400 });
      expect(await always({})).toMatchObject({ status: 200 });
      await own.until(id, is('turn ended'));
      expect(await always({})).toMatchObject({
        status: 409,
        body: { detail: expect.stringContaining('no open question') },
      });
    } finally {
      await own.dispose();
    }
  });
});

it('an answer that was on its way when the daemon was killed is asked for after all', async () => {
  const own = await startTestDaemon({ config, env: { SM_CRASH_AT: '' } });
  try {
    await own.crash();
    await own.start({ SM_CRASH_AT: 'effect:answer:before' });
    const id = await startWith(own, '[[ask touch late]] [[say went on]]');
    await own.death();
    await own.start();
    await own.until(id, is('question asked', { kind: 'permission' }));
    expect(await own.untilSession(id, ({ phase }) => phase === 'blocked')).toMatchObject({
      question: { text: 'Bash: touch late' },
    });
    await own.tmux('send-keys', '-t', `=sm-${id}:`, '1');
    await own.until(id, is('turn ended', { last_words: 'went on' }));
    expect(readFileSync(join(own.work, 'late'), 'utf8')).toBe('');
  } finally {
    await own.dispose();
  }
});

it('rules answer also where no question waits for anybody else', async () => {
  const own = await startTestDaemon({ config: { ...config, questions: { wait_seconds: 0 } } });
  try {
    const id = await startWith(own, '[[ask touch quick]] [[say went on]]');
    await own.until(id, is('turn ended', { last_words: 'went on' }));
    const asked = await startWith(own, '[[ask rm quick]]');
    await own.until(asked, is('question asked'));
    expect(await own.sm('answer', asked, 'allow')).toMatchObject({ code: 1 });
  } finally {
    await own.dispose();
  }
});
