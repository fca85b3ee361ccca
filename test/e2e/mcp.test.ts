// The commands as tools of the Model Context Protocol, asked by the client of its SDK: as the session that calls, and with
// no right beyond that.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { childrenOf, startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { is, startIdle } from '../support/talk.ts';

let daemon: TestDaemon;
let worker: string;
let stranger: string;
/** What the agent of the worker has in its environment. */
let env: Record<string, string>;

beforeAll(async () => {
  daemon = await startTestDaemon({ config: { profiles: { tools: { agent: 'scripted', mcp: true } } } });
  worker = await startIdle(daemon, 'worker', { options: { profile: 'tools' } });
  stranger = await startIdle(daemon, 'stranger');
  const panes = await daemon.tmux('list-panes', '-t', `sm-${worker}`, '-F', '#{pane_pid}');
  const pairs = readFileSync(`/proc/${childrenOf(Number(panes))[0]}/environ`, 'utf8')
    .split('\0')
    .filter(Boolean);
  env = Object.fromEntries(
    pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
  );
});
afterAll(() => daemon.dispose());

async function call(client: Client, name: string, input: Record<string, unknown> = {}) {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const [first] = content as { text: string }[];
  return { text: first?.text ?? '', isError: isError === true };
}

it('a session does by tools what it does by commands, and no more', async () => {
  const { options } = await daemon.session(worker);
  const { mcpServers } = JSON.parse(readFileSync(options.mcp_configs[0] as string, 'utf8'));
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(new StdioClientTransport({ ...mcpServers.sm, env, stderr: 'inherit' }));
  try {
    const { tools } = await client.listTools();
    const send = tools.find(({ name }) => name === 'send');
    expect(send?.description).toContain('sm send SESSION');
    expect(send?.inputSchema.properties).toHaveProperty('urgent');
    expect(tools.map(({ name }) => name)).not.toContain('down');

    expect((await call(client, 'me')).text).toContain(`worker (${worker})`);
    expect(await call(client, 'status', { arguments: ['- half way'] })).toMatchObject({ isError: false });
    expect((await daemon.session(worker)).agent_status_text).toBe('- half way');
    const spawned = await call(client, 'spawn', {
      arguments: ['scripted', 'hello [[say hi]]'],
      name: 'child',
      'working-dir': daemon.work,
    });
    expect(spawned).toMatchObject({ isError: false, text: expect.stringMatching(/^Spawned child/) });
    expect((await daemon.session('child')).parent_session_id).toBe(worker);
    // Its parent hears of the end by a message, as ever.
    await daemon.until(worker, is('message accepted'));
    const refused = await call(client, 'kill', { arguments: ['stranger'] });
    expect(refused).toEqual({ isError: true, text: expect.stringContaining('Only the parent of stranger') });
    expect((await daemon.session(stranger)).phase).toBe('idle');
    expect(await call(client, 'send', { arguments: ['child', 'text'], urgnt: true })).toEqual({
      isError: true,
      text: expect.stringContaining('send takes no "urgnt"'),
    });
  } finally {
    await client.close();
  }
});

it('on a port, each session shows its key; without one, or from a page, nobody is let in', async () => {
  const program = spawn(`${env.SM_HOME}/bin/sm`, ['mcp', '--http'], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (
      await createInterface({ input: program.stdout })[Symbol.asyncIterator]().next()
    ).value.match(/http:\S+mcp/) as [string];
    const open = async (headers: Record<string, string>) => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(new URL(line), { requestInit: { headers } }));
      return client;
    };
    const client = await open({ authorization: `Bearer ${env.SM_CALLER}` });
    expect((await call(client, 'me')).text).toContain(`worker (${worker})`);
    await client.close();
    await expect(open({})).rejects.toThrow(/Show the key of your session/);
    await expect(open({ authorization: `Bearer ${env.SM_CALLER}`, origin: 'http://x' })).rejects.toThrow(
      /for programs on this machine/,
    );
    const wrong = await open({ authorization: `Bearer ${worker}.wrong` });
    expect(await call(wrong, 'status', { arguments: ['mine'] })).toMatchObject({ isError: true });
    await wrong.close();
  } finally {
    program.kill();
  }
});

it('outside of a session there is nobody to be', async () => {
  const { code, stderr } = await daemon.sm('mcp');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Not inside a session')]);
});
