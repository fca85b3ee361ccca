import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parseConfig } from '../daemon/config.ts';
import { resolvePaths } from '../daemon/paths.ts';
import type { Telling, ToldState } from '../ports/telling.ts';
import { openSqliteStore } from '../store/sqlite/store.ts';
import { checkTriggers } from './triggers.ts';

function machine(on: string) {
  const root = mkdtempSync(join(tmpdir(), 'sm-doctor-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  const paths = resolvePaths({ SM_HOME: root, SM_CONFIG: join(root, 'config.yaml') }, root);
  return { paths, config: parseConfig(on, paths.config) };
}

it('says nothing where nothing is to run', () => {
  expect(checkTriggers(machine(''))).toBeNull();
});

it('names a program that is not there', () => {
  expect(checkTriggers(machine('on: [{ when: waiting, run: /no/such/page }]'))).toMatchObject({
    state: 'warn',
    found: 'page: /no/such/page is not there, or cannot be run',
  });
});

it('names a rule that failed the last time, until it has done well', async () => {
  const looked = machine('on: [{ name: bell, when: [died, waiting], run: sh }]');
  expect(checkTriggers(looked)).toMatchObject({ state: 'ok', found: 'bell' });
  const store = openSqliteStore(looked.paths.database);
  const ended = async (event: number, state: ToldState) => {
    const telling = { event, sessionId: 's1', occasion: 'died', channel: 'program', to: 'bell', at: 1 };
    await store.tellings.owe(event, [{ ...telling, id: String(event), state } as Telling]);
  };
  await ended(1, { is: 'failed', at: 1, why: 'exit code 3' });
  expect(checkTriggers(looked)).toMatchObject({
    state: 'warn',
    found: 'bell failed the last time: exit code 3',
    repair: 'sm on test died; sm logs',
  });
  await ended(2, { is: 'done', at: 2 });
  expect(checkTriggers(looked)).toMatchObject({ state: 'ok' });
  await store.close();
});
