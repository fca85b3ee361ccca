import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../daemon/config.ts';
import { resolvePaths } from '../daemon/paths.ts';
import type { Telling, ToldState } from '../ports/telling.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { checkNotify } from './notify.ts';

function machine(text: (root: string) => string) {
  const root = mkdtempSync(join(tmpdir(), 'sm-doctor-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const paths = resolvePaths({ SM_HOME: root, SM_CONFIG: join(root, 'config.yaml') }, root);
  return { root, paths, config: parseConfig(text(root), paths.config), health: null };
}
const slack = (root: string) => `notify: { channels: { team: { kind: slack, url_file: ${root}/url } } }`;

it('says nothing where there is no channel', async () => {
  expect(await checkNotify(machine(() => ''))).toBeNull();
});

it('names a secret that is missing, or that others can read', async () => {
  const looked = machine(slack);
  expect(await checkNotify(looked)).toMatchObject({
    state: 'warn',
    found: `team: ${looked.root}/url is not there`,
  });
  writeFileSync(`${looked.root}/url`, 'https://x', { mode: 0o644 });
  expect(await checkNotify(looked)).toMatchObject({ found: expect.stringContaining('chmod 600') });
});

it('names a channel whose last notification failed, until one was sent', async () => {
  const looked = machine(slack);
  writeFileSync(`${looked.root}/url`, 'https://x', { mode: 0o600 });
  expect(await checkNotify(looked)).toMatchObject({ state: 'ok', found: 'team' });
  const store = openSqliteStore(looked.paths.database);
  const ended = (id: string, state: ToldState) =>
    store.tellings.record({
      ...{ id, event: 1, sessionId: 's1', occasion: 'died', channel: 'notify.team', to: 'url', at: 1 },
      state,
    } as Telling);
  await ended('1', { is: 'failed', at: 1, why: 'it answered 404' });
  await ended('2', { is: 'suppressed', at: 2, why: 'it works again' });
  expect(await checkNotify(looked)).toMatchObject({
    state: 'warn',
    found: 'team: the last notification failed: it answered 404',
    repair: 'sm notify test team',
  });
  await ended('3', { is: 'done', at: 3 });
  expect(await checkNotify(looked)).toMatchObject({ state: 'ok' });
  await store.close();
});
