// The real Claude Code in a sandbox: it starts, takes messages, uses its tools, hands over, comes back; and sees nothing else.
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { agentProcess } from '../support/agent-process.ts';
import { bubblewrapWorks } from '../support/bubblewrap.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { makeRepository } from '../support/repository.ts';
import { is, sendText, startWith } from '../support/talk.ts';
import { tidy } from '../support/tidy.ts';
import { until } from '../support/until.ts';
import { type ClaudeHome, prepareClaudeHome } from './claude-home.ts';

const { root, keep } = tidy('sandbox');

describe.skipIf(!bubblewrapWorks).each(['claude', 'claude-app'])('%s in a sandbox', (provider) => {
  let daemon: TestDaemon;
  let home: ClaudeHome;
  let id: string;
  beforeAll(async () => {
    const model = keep(await startModelServer());
    const place = join(root, provider);
    const repository = makeRepository(join(place, 'work'));
    repository.commit('First', { 'a.txt': 'a' });
    home = prepareClaudeHome(place, model.url, { cwd: repository.root });
    mkdirSync(join(home.env.HOME as string, '.ssh'), { recursive: true });
    writeFileSync(join(home.env.HOME as string, '.ssh', 'id'), 'the private key');
    mkdirSync(join(home.configDir, 'projects', 'another'), { recursive: true });
    writeFileSync(join(home.configDir, 'projects', 'another', 'talk.jsonl'), 'another conversation');
    writeFileSync(join(home.configDir, 'settings.json'), '{"skipDangerousModePermissionPrompt":true}');
    const command = process.env.SM_TEST_CLAUDE;
    daemon = keep(
      await startTestDaemon({
        config: {
          claude: { command, default_model: 'claude-haiku-4-5-20251001' },
          claude_app: { command, default_model: 'claude-haiku-4-5-20251001' },
        },
      }),
    );
    id = await startWith(daemon, 'hello there', {
      provider,
      working_dir: repository.root,
      env: home.env,
      options: { sandbox: true, permission_mode: 'bypassPermissions' },
    });
    await daemon.until(id, is('turn ended'));
  }, 90_000);

  /** What a command prints that the model has it run. */
  async function inside(command: string): Promise<string> {
    const file = join(home.cwd, `said-${readdirSync(home.cwd).length}`);
    const { message_id } = await sendText(daemon, id, `[[bash { ${command}; } >${file} 2>&1; true]]`);
    await daemon.until(id, is('message answered', { message: message_id }));
    return readFileSync(file, 'utf8');
  }

  it('sees its workspace and its own part of the configuration, and nothing else', async () => {
    expect(await inside('cat a.txt')).toBe('a');
    expect(await inside(`cat ${home.env.HOME}/.ssh/id`)).toContain('No such file');
    expect(await inside(`cat ${home.configDir}/projects/another/talk.jsonl`)).toContain('No such file');
    expect(await inside(`echo '{"hooks":{}}' > ${home.configDir}/settings.json`)).toMatch(/read-only/i);
    // What the user has not written there, no agent of his will read.
    expect(await inside(`echo obey > ${home.configDir}/CLAUDE.md; cat ${home.configDir}/CLAUDE.md`)).toBe(
      'obey\n',
    );
    expect(existsSync(join(home.configDir, 'CLAUDE.md'))).toBe(false);
    expect(await inside(`ls ${daemon.home}/sm.db ${daemon.home}/tmux.sock ${daemon.home}/token`)).not.toMatch(
      /^\//m,
    );
  });

  it('is itself, also without its key', async () => {
    await inside('env -u SM_CALLER sm status "in here"');
    expect((await daemon.session(id)).agent_status_text).toBe('in here');
  });

  it('hands its context over, and goes on with its conversation after a crash', async () => {
    writeFileSync(join(home.cwd, 'notes.md'), 'Go on with the test.');
    await sendText(daemon, id, '[[bash sm handoff notes.md]]');
    const done = await daemon.until(id, is('handoff done'));
    await daemon.until(id, is('turn ended'), done.number);
    // It writes its transcript a little later than it says so; killed before, it has nothing to resume.
    const { transcript_path: transcript } = await daemon.session(id);
    if (transcript !== null)
      await until(
        'its transcript',
        () => existsSync(transcript) && readFileSync(transcript, 'utf8').includes('"type":"assistant"'),
      );
    const { pid } = await agentProcess(daemon, id);
    const { number } = (await daemon.events(id)).at(-1) as { number: number };
    process.kill(pid, 'SIGKILL');
    await daemon.until(id, is('session exited'), number);
    expect((await daemon.call('POST', `/sessions/${id}/restore`, { env: home.env })).status).toBe(200);
    const restored = await daemon.until(id, is('session restored'), number);
    expect(restored).toMatchObject({ resumed: true });
    expect(await inside(`cat ${home.env.HOME}/.ssh/id`)).toContain('No such file');
    expect(existsSync(join(daemon.home, 'doors', id, 'sm.sock'))).toBe(true);
  });
});
