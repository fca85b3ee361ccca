// The daemon and what it keeps: configuration, database, doors, and what an earlier one may have left behind.
import { execFile } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Config, readConfig } from '../daemon/config.ts';
import { faultOfHome, type Paths } from '../daemon/paths.ts';
import { ownRules } from '../daemon/policies.ts';
import { versionBeside } from '../daemon/version.ts';
import { ConfigError } from '../daemon/yaml.ts';
import { describePortOwner } from '../server/port-owner.ts';
import { migrations } from '../store/sqlite/migrations.ts';
import { editing, type Finding, fail, isAtLeast, ok, quoted, updating, warn } from './check.ts';
import type { Health, Machine } from './machine.ts';

export function checkHome({ paths }: Pick<Machine, 'paths'>): Finding {
  const fault = faultOfHome(paths);
  return fault
    ? fail('state', fault.what, { advice: fault.advice, repair: 'export SM_HOME=DIR' })
    : ok('state', paths.home);
}

export function checkConfig(paths: Paths): { finding: Finding; config: Config | null } {
  let file = paths.config;
  try {
    const config = readConfig(paths);
    // Without its rules the daemon does not start, either.
    file = paths.policies;
    ownRules(file);
    file = paths.config;
    return {
      finding: ok('configuration', existsSync(file) ? file : `${file} (missing; using defaults)`),
      config,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const remedy = paths.configGiven && !existsSync(file) ? 'unset SM_CONFIG' : editing(file);
    return { finding: fail('configuration', error.message, { repair: remedy }), config: null };
  }
}

export function checkDatabase({ paths: { database: file, home } }: Pick<Machine, 'paths'>): Finding {
  const broken = {
    advice:
      'Go back to a backup, or to a copy from before an update (sm.db.schema-N), or move it away to start empty.',
    repair: `sm restore-backup FILE --stop; ls ${quoted(home)}`,
  };
  if (!existsSync(file)) return ok('database', `${file} (not created yet)`);
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version > migrations.length)
        return fail('database', `schema ${version}, this sm knows ${migrations.length}`, {
          advice: 'A newer sm wrote it. Update sm.',
          repair: updating,
        });
      const { quick_check: health } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
      if (health !== 'ok') return fail('database', health, broken);
      return ok('database', `${file} (schema ${version}, ${Math.ceil(statSync(file).size / 1024)} KiB)`);
    } finally {
      db.close();
    }
  } catch (error) {
    return fail('database', (error as Error).message, broken);
  }
}

export async function checkDaemon(paths: Paths): Promise<{ finding: Finding; health: Health | null }> {
  const health = await askHealth({ socketPath: paths.socket });
  if (health) return { finding: running(health, paths), health };
  if (existsSync(paths.socket)) {
    const remedy = {
      advice: 'Any sm command starts the daemon again.',
      repair: 'sm up',
      fix: bringUp(paths),
    };
    return { finding: warn('daemon', `${paths.socket} exists, but nobody answers`, remedy), health };
  }
  return { finding: ok('daemon', 'not running; any sm command starts it'), health };
}

function running({ pid, version }: Health, paths: Paths): Finding {
  const own = versionBeside(paths.dist);
  const found = `running, pid ${pid}, version ${version}`;
  if (version === own) return ok('daemon', found);
  const remedy = isAtLeast(version, own)
    ? { advice: 'Update sm.', repair: updating }
    : { advice: 'The agents keep running while it is replaced.', repair: 'sm up', fix: bringUp(paths) };
  return warn('daemon', `${found}; this sm is ${own}`, remedy);
}

const bringUp =
  ({ dist }: Paths) =>
  async (): Promise<string> => {
    const { stdout } = await promisify(execFile)(process.execPath, [join(dist, 'sm.cjs'), 'up']);
    return stdout.trim();
  };

export async function checkPort({
  config,
  health,
  paths,
}: Pick<Machine, 'config' | 'health' | 'paths'>): Promise<Finding | null> {
  if (!config) return null;
  const { host, port, tls } = config.server;
  if (port === 0) return ok('port', 'any free port');
  // A daemon that runs has its port; over TLS nobody asks it here.
  const answer = tls ? health : await askHealth({ host, port });
  if (answer && answer.pid === health?.pid) return ok('port', `${port}, ours`);
  const owner = await describePortOwner(port);
  if (answer || (await isTaken(host, port))) {
    return fail('port', `${port} is in use by ${owner}`, {
      advice: `Set another port in the configuration: server: { port: ${port + 1} }`,
      repair: editing(paths.config),
    });
  }
  return ok('port', `${port}, free`);
}

export async function checkSpool({ paths, health }: Pick<Machine, 'paths' | 'health'>): Promise<Finding> {
  const folders = await readdir(paths.spool).catch(() => []);
  const files = (
    await Promise.all(folders.map((folder) => readdir(join(paths.spool, folder)).catch(() => [])))
  ).flat();
  const waiting = files.filter((name) => name.endsWith('.hook')).length;
  const unreadable = files.filter((name) => name.endsWith('.unreadable')).length;
  if (unreadable > 0)
    return warn('spool', `sm cannot read ${unreadable} facts and set them aside`, {
      advice: `Look at them in ${paths.spool}, then remove them.`,
      repair: `find ${quoted(paths.spool)} -name '*.unreadable' -delete`,
    });
  if (waiting > 0 && health)
    return warn('spool', `${waiting} facts wait although the daemon is running`, { repair: 'sm logs' });
  return ok('spool', waiting > 0 ? `${waiting} facts wait for the daemon` : 'empty');
}

export async function askHealth(where: Where): Promise<Health | null> {
  const answer = await ask<Health & { readonly status?: string }>(where, '/health');
  return answer?.status === 'healthy' ? answer : null;
}

type Where = { socketPath: string } | { host: string; port: number };

/** Null: nobody answers, or not as we expect. */
export function ask<Answer>(where: Where, path: string): Promise<Answer | null> {
  return new Promise((resolve) => {
    const req = request({ ...where, path, timeout: 2_000, headers: { host: 'localhost' } }, async (res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of res) chunks.push(chunk as Buffer);
      try {
        resolve(JSON.parse(Buffer.concat(chunks).toString()) as Answer);
      } catch {
        resolve(null);
      }
    });
    req.on('timeout', () => req.destroy());
    req.on('error', () => resolve(null));
    req.end();
  });
}

function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const req = request({ host, port, path: '/', timeout: 1_000 }, (res) => {
      res.resume();
      resolve(true);
    });
    req.on('timeout', () => req.destroy());
    req.on('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'ECONNREFUSED'));
    req.end();
  });
}
