// Conversations that sm did not start: found, refused while somebody has them, and taken over.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ConversationView } from '../../src/protocol/conversation.ts';
import type { SessionView } from '../../src/protocol/session.ts';
import { endAgents, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, promptsOf, sendText, startWith } from '../support/talk.ts';
import { until } from '../support/until.ts';

let daemon: TestDaemon;
let socket: string;
beforeEach(async () => {
  daemon = await startTestDaemon();
  socket = join(daemon.home, '../user.sock');
});
afterEach(async () => {
  await endAgents(socket);
  await daemon.dispose();
});

const agent = join(import.meta.dirname, '../../dist/scripted-agent.cjs');
const home = () => join(daemon.home, '../home');
const tmux = (...args: string[]) =>
  execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8' }).trim();

/** An agent that the user has started himself, below a shell in a tmux of his own; what its conversation is called. */
async function inOwnTerminal(words: string): Promise<string> {
  const known = new Set(transcripts());
  const line = `HOME='${home()}' '${process.execPath}' '${agent}' '${words} [[say hello]]'; exec sh`;
  tmux(
    '-f',
    '/dev/null',
    'new-session',
    '-d',
    '-x',
    '200',
    '-y',
    '50',
    '-c',
    daemon.work,
    '--',
    'sh',
    '-c',
    line,
  );
  const path = await until('a first turn', () =>
    transcripts().find((each) => !known.has(each) && readFileSync(each, 'utf8').includes('turn_duration')),
  );
  return path.slice(-'.jsonl'.length - 36, -'.jsonl'.length);
}

function transcripts(): string[] {
  try {
    const root = join(home(), '.scripted-agent/projects');
    return readdirSync(root, { recursive: true })
      .map((name) => join(root, String(name)))
      .filter((path) => path.endsWith('.jsonl'));
  } catch {
    return [];
  }
}

const list = async (...args: string[]): Promise<ConversationView[]> =>
  JSON.parse((await daemon.sm('adopt', '--json', ...args)).stdout).conversations;

it('an agent in a pane of the user is taken over when he says so, and not before', async () => {
  const id = await inOwnTerminal('fix the login');
  const [found] = await list();
  expect(found).toMatchObject({ id, first_words: 'fix the login [[say hello]]', session: null });
  const pid = found?.open?.pid as number;
  expect(tmux('list-panes', '-a', '-F', '#{pane_pid}')).not.toBe(String(pid));
  const shown = await daemon.sm('adopt');
  expect(shown.stdout).toMatch(
    new RegExp(`^CONVERSATION .*\\n${id} +scripted .* open \\(pid ${pid}\\) +fix the login `),
  );

  const pane = tmux('list-panes', '-a', '-F', '#{pane_id}');
  expect(await daemon.sm('adopt', pane, '--socket', socket)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`is open (pid ${pid}), and a conversation has one owner.`),
  });
  process.kill(pid, 0);

  const taken = await daemon.sm('adopt', pane, '--socket', socket, '--end', '--name', 'login');
  const session = await daemon.session('login');
  expect([taken.code, taken.stderr]).toEqual([0, '']);
  expect(taken.stdout).toBe(
    `Adopted "fix the login [[say hello]]" (scripted, in ${daemon.work}): login (${session.id}) in ${daemon.work}\nAttach with: sm attach ${session.id}\n`,
  );
  expect(() => process.kill(pid, 0)).toThrow();
  expect(tmux('list-panes', '-a', '-F', '#{pane_id}')).toBe(pane);
  expect(session).toMatchObject({ context: { number: 1, provider_id: id }, parent_session_id: null });
  await sendText(daemon, session.id, 'go on [[say on it]]');
  expect((await daemon.until(session.id, is('turn ended'))).last_words).toBe('on it');
  expect(await promptsOf(daemon, session.id)).toEqual([
    'fix the login [[say hello]]',
    expect.stringContaining('go on'),
  ]);
  expect(await list()).toMatchObject([{ id, session: { id: session.id, killed: false } }]);
});

it('has one owner: not one of ours, alive, ended or killed', async () => {
  const ours = await startWith(daemon, 'ours [[say hello]]', { name: 'ours' });
  await daemon.until(ours, is('turn ended'));
  const { context } = await daemon.session(ours);
  const id = context.provider_id as string;
  await until('its transcript', async () => (await list()).length === 1);
  const refused = () => daemon.sm('adopt', '--conversation', id);
  expect(await refused()).toMatchObject({
    code: 1,
    stderr: `Error: This conversation belongs to ours (${ours}). Look at it with: sm why ${ours}\n`,
  });
  await daemon.sm('kill', ours);
  expect(await refused()).toMatchObject({
    code: 1,
    stderr: `Error: This conversation belongs to ours (${ours}). Bring it back with: sm restore ${ours}\n`,
  });
  expect((await daemon.sm('adopt', '--conversation', 'nothing')).stderr).toContain('No conversation nothing');
});

it('two who adopt it at once: one of them has it', async () => {
  const id = await inOwnTerminal('fix the login');
  tmux('kill-server');
  await until('a free conversation', async () => (await list())[0]?.open === null);
  const body = { provider: 'scripted', id, env: { HOME: home(), PATH: process.env.PATH } };
  const adopt = () => daemon.call('POST', '/conversations/adopt', body);
  const answers = await Promise.all([adopt(), adopt(), adopt()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
});

it('is a person’s act: no session looks at the conversations of the user', async () => {
  const id = await startWith(daemon, 'look [[bash sm adopt > out 2>&1]] [[say looked]]');
  await daemon.until(id, is('turn ended'));
  expect(readFileSync(join(daemon.work, 'out'), 'utf8')).toBe(
    'Error: Only a person may look at conversations that are not ours, and adopt them.\n',
  );
});

it.each(['effect:launch:before', 'effect:launch:after'])(
  'the daemon may be killed at %s: it is adopted once, and goes on',
  async (place) => {
    const id = await inOwnTerminal('fix the login');
    const armed = join(daemon.work, 'crash');
    await daemon.stop();
    await daemon.start({ SM_CRASH_AT: `@${armed}` });
    const [found] = await list();
    writeFileSync(armed, place);
    await daemon
      .call('POST', '/conversations/adopt', {
        ...{ provider: 'scripted', id, end_pid: found?.open?.pid, name: 'login' },
        env: { HOME: home(), PATH: process.env.PATH, TERM: 'xterm-256color' },
      })
      .catch(() => {});
    await daemon.death();
    rmSync(armed);
    await daemon.start();
    const { body } = await daemon.call<{ sessions: SessionView[] }>('GET', '/sessions');
    expect(body.sessions).toMatchObject([{ context: { provider_id: id } }]);
    const session = await daemon.untilSession('login', ({ phase }) => phase === 'idle');
    await sendText(daemon, session.id, 'go on [[say on it]]');
    expect((await daemon.until(session.id, is('turn ended'))).last_words).toBe('on it');
  },
);
