// The skill that setup installs is one that the real agents find: they name it to their model.
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startModelServer } from '../model/anthropic.ts';
import { startResponsesServer } from '../model/responses.ts';
import { prepareClaudeHome } from './claude-home.ts';
import { prepareCodexHome } from './codex-home.ts';

const run = promisify(execFile);
const sm = join(import.meta.dirname, '../../dist/sm.cjs');
const described = 'Work with other coding agents through sm: start sessions';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-skill-'));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

async function setUp(env: Record<string, string>): Promise<string> {
  const ownState = { ...env, SM_HOME: join(root, 'state') };
  const { stdout } = await run(process.execPath, [sm, 'setup', 'skill', '--yes'], { env: ownState });
  return stdout;
}

it('Claude Code names it to its model', async () => {
  const model = await startModelServer();
  try {
    const { env, cwd, configDir } = prepareClaudeHome(join(root, 'claude'), model.url);
    expect(await setUp(env)).toContain(`skill: Wrote ${join(configDir, 'skills/sm/SKILL.md')}\n`);
    const asked = run(process.env.SM_TEST_CLAUDE ?? '', ['-p', 'hello [[say hi]]'], { env, cwd });
    const request = await model.waitForRequest(
      ({ body }) => JSON.stringify(body).includes(described),
      60_000,
    );
    expect(request).toBeDefined();
    await asked;
  } finally {
    await model.close();
  }
}, 90_000);

it('Codex names it to its model', async () => {
  const model = await startResponsesServer();
  try {
    const { env, cwd, codexHome } = prepareCodexHome(join(root, 'codex'), model.url);
    expect(await setUp(env)).toContain(`skill: Wrote ${join(codexHome, 'skills/sm/SKILL.md')}\n`);
    const asked = run(process.env.SM_TEST_CODEX ?? '', ['exec', 'hello [[say hi]]'], { env, cwd });
    asked.child.stdin?.end();
    const request = await model.waitForRequest(
      ({ body }) => JSON.stringify(body).includes(described),
      60_000,
    );
    expect(request).toBeDefined();
    await asked;
  } finally {
    await model.close();
  }
}, 90_000);
