import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseFaults } from './faults.ts';
import { createHooks } from './hooks.ts';
import type { HookGroup } from './settings.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'scripted-agent-hooks-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const create = (hooks: Record<string, HookGroup[]>) =>
  createHooks({ hooks, statusLine: null }, parseFaults(''), directory);
const command = (text: string) => ({ type: 'command' as const, command: text });

describe('hooks', () => {
  it('run beside each other, and are waited for', async () => {
    const meet = (mine: string, other: string) =>
      `cat > ${mine}; while [ ! -e ${other} ] && kill -0 $PPID; do sleep 0.02; done`;
    const hooks = create({ Stop: [{ hooks: [command(meet('a', 'b')), command(meet('b', 'a'))] }] });
    expect(await hooks.fire({ hook_event_name: 'Stop', answer: 42 })).toHaveLength(2);
    expect(JSON.parse(readFileSync(join(directory, 'a'), 'utf8'))).toMatchObject({ answer: 42 });
  });

  it('are not waited for when they are async', async () => {
    execFileSync('mkfifo', ['go', 'done'], { cwd: directory });
    const hooks = create({
      Stop: [{ hooks: [{ ...command('read -r _ < go; exec 3> done'), async: true }] }],
    });
    expect(await hooks.fire({ hook_event_name: 'Stop' })).toEqual([]);
    // A reader has come, and it goes before its directory does.
    writeFileSync(join(directory, 'go'), '\n');
    readFileSync(join(directory, 'done'));
  });

  it('run only where their matcher fits', async () => {
    const hooks = create({ PreToolUse: [{ matcher: 'Edit|Write', hooks: [command('echo "{}"')] }] });
    expect(await hooks.fire({ hook_event_name: 'PreToolUse' }, 'Bash')).toHaveLength(0);
    expect(await hooks.fire({ hook_event_name: 'PreToolUse' }, 'Edit')).toHaveLength(1);
  });

  it('are given up after their time', async () => {
    const hooks = create({ Stop: [{ hooks: [{ ...command('exec sleep 20'), timeout: 0.1 }] }] });
    const [result] = await hooks.fire({ hook_event_name: 'Stop' });
    expect(result!.answer).toEqual({});
  });

  it('block with exit code 2, and give plain words as context to two events', async () => {
    const hooks = create({
      Stop: [{ hooks: [command('echo because >&2; exit 2')] }],
      UserPromptSubmit: [{ hooks: [command('echo words')] }],
    });
    const [stop] = await hooks.fire({ hook_event_name: 'Stop' });
    expect(stop!.answer).toEqual({ decision: 'block', reason: 'because' });
    const [prompt] = await hooks.fire({ hook_event_name: 'UserPromptSubmit' });
    expect(prompt!.answer.hookSpecificOutput?.additionalContext).toBe('words');
  });

  it('go over HTTP, with allowed variables in headers, but never for SessionStart', async () => {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      heard.push(`${request.headers.authorization} ${request.headers['x-other'] ?? ''}`);
      response.end(JSON.stringify({ decision: 'block', reason: 'over http' }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    process.env.SCRIPTED_TEST_TOKEN = 'secret';
    const http = {
      type: 'http' as const,
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
      headers: { authorization: 'Bearer $SCRIPTED_TEST_TOKEN', 'x-other': '$HOME' },
      allowedEnvVars: ['SCRIPTED_TEST_TOKEN'],
    };
    const hooks = create({ Stop: [{ hooks: [http] }], SessionStart: [{ hooks: [http] }] });
    const [stop] = await hooks.fire({ hook_event_name: 'Stop' });
    await hooks.fire({ hook_event_name: 'SessionStart' });
    delete process.env.SCRIPTED_TEST_TOKEN;
    await new Promise((resolve) => server.close(resolve));
    expect(stop!.answer.reason).toBe('over http');
    expect(heard).toEqual(['Bearer secret ']);
  });
});
