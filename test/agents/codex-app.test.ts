// Codex through its app-server: what is particular to an agent without a pane.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventView } from '../../src/protocol/session.ts';
import { type ModelServer, startResponsesServer } from '../model/responses.ts';
import { startTestDaemon, type TestDaemon } from '../support/daemon.ts';
import { prepareCodexHome } from './codex-home.ts';

const command = process.env.SM_TEST_CODEX ?? '';
const is =
  (type: string, more: Partial<EventView> = {}) =>
  (event: EventView) =>
    event.type === type && Object.entries(more).every(([key, value]) => event[key] === value);

describe('codex-app', () => {
  let daemon: TestDaemon;
  let model: ModelServer;
  let env: Record<string, string>;
  let cwd: string;
  const root = mkdtempSync(join(tmpdir(), 'sm-codex-app-'));

  beforeAll(async () => {
    model = await startResponsesServer();
    ({ env, cwd } = prepareCodexHome(root, model.url));
    daemon = await startTestDaemon({ config: { codex_app: { command } } });
  }, 60_000);
  afterAll(async () => {
    await daemon?.dispose();
    await model?.close();
    rmSync(root, { recursive: true, force: true });
  }, 60_000);

  async function spawn(prompt: string): Promise<string> {
    const { status, body } = await daemon.call<{ session_id: string }>('POST', '/sessions/spawn', {
      prompt,
      provider: 'codex-app',
      working_dir: cwd,
      env,
    });
    expect(status, JSON.stringify(body)).toBe(200);
    return body.session_id;
  }

  it('takes a prompt, ends the turn with its last words, and is killed', async () => {
    const id = await spawn('greet me [[say hello from the agent]]');
    const end = await daemon.until(id, is('turn-ended', { end: 'ended' }));
    expect(end.last_words).toBe('hello from the agent');
    expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
    await daemon.sm('kill', id);
    expect(await daemon.session(id)).toMatchObject({ phase: 'exited' });
  });
});
