// The daemon and what it keeps: configuration, database, doors, and what an earlier one may have left behind.
import { existsSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { type Config, ConfigError, readConfig } from '../daemon/config.ts';
import { faultOfHome, type Paths } from '../daemon/paths.ts';
import { versionBeside } from '../daemon/version.ts';
import { describePortOwner } from '../server/port-owner.ts';
import { migrations } from '../store/sqlite/migrations.ts';
import { type Finding, fail, isAtLeast, ok, warn } from './check.ts';

export interface Health {
  readonly pid: number;
  readonly version: string;
}

export function checkHome(paths: Paths): Finding {
  const fault = faultOfHome(paths);
  return fault ? fail('state', fault.what, fault.advice) : ok('state', paths.home);
}

export function checkConfig(paths: Paths): { finding: Finding; config: Config | null } {
  const file = paths.config;
  try {
    const config = readConfig(paths);
    return {
      finding: ok('configuration', existsSync(file) ? file : `${file} (missing; using defaults)`),
      config,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { finding: fail('configuration', error.message, 'Fix these lines.'), config: null };
  }
}

export function checkDatabase(file: string): Finding {
  if (!existsSync(file)) return ok('database', `${file} (not created yet)`);
  try {
    const db = new DatabaseSync(file, { readOnly: true });
    try {
      const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
      if (version > migrations.length)
        return fail(
          'database',
          `schema ${version}, this sm knows ${migrations.length}`,
          'A newer sm wrote it. Update sm.',
        );
      const { quick_check: health } = db.prepare('PRAGMA quick_check(1)').get() as { quick_check: string };
      if (health !== 'ok')
        return fail(
          'database',
          health,
          `Stop sm and restore ${file} from a backup, or move it away to start empty.`,
        );
      return ok('database', `${file} (schema ${version}, ${Math.ceil(statSync(file).size / 1024)} KiB)`);
    } finally {
      db.close();
    }
  } catch (error) {
    return fail(
      'database',
      (error as Error).message,
      `Stop sm and restore ${file} from a backup, or move it away to start empty.`,
    );
  }
}

export async function checkDaemon(paths: Paths): Promise<{ finding: Finding; health: Health | null }> {
  const health = await askHealth({ socketPath: paths.socket });
  if (health) return { finding: running(health, versionBeside(paths.dist)), health };
  if (existsSync(paths.socket)) {
    return {
      finding: warn(
        'daemon',
        `${paths.socket} exists, but nobody answers`,
        'The next sm command starts the daemon again.',
      ),
      health,
    };
  }
  return { finding: ok('daemon', 'not running; any sm command starts it'), health };
}

function running({ pid, version }: Health, own: string): Finding {
  const found = `running, pid ${pid}, version ${version}`;
  if (version === own) return ok('daemon', found);
  const advice = isAtLeast(version, own) ? 'Update sm.' : 'Replace it with: sm up';
  return warn('daemon', `${found}; this sm is ${own}`, advice);
}

export async function checkPort(config: Config, health: Health | null): Promise<Finding> {
  const { host, port } = config.server;
  if (port === 0) return ok('port', 'any free port');
  const answer = await askHealth({ host, port });
  if (answer && answer.pid === health?.pid) return ok('port', `${port}, ours`);
  const owner = await describePortOwner(port);
  if (answer || (await isTaken(host, port))) {
    return fail(
      'port',
      `${port} is in use by ${owner}`,
      `Set another port in the configuration: server: { port: ${port + 1} }`,
    );
  }
  return ok('port', `${port}, free`);
}

export async function checkSpool(paths: Paths, health: Health | null): Promise<Finding> {
  const folders = await readdir(paths.spool).catch(() => []);
  const files = (
    await Promise.all(folders.map((folder) => readdir(join(paths.spool, folder)).catch(() => [])))
  ).flat();
  const waiting = files.filter((name) => name.endsWith('.hook')).length;
  const unreadable = files.filter((name) => name.endsWith('.unreadable')).length;
  if (unreadable > 0)
    return warn(
      'spool',
      `sm cannot read ${unreadable} facts and set them aside`,
      `Look at them in ${paths.spool}, then remove them.`,
    );
  if (waiting > 0 && health)
    return warn('spool', `${waiting} facts wait although the daemon is running`, 'See why with: sm logs');
  return ok('spool', waiting > 0 ? `${waiting} facts wait for the daemon` : 'empty');
}

export function askHealth(
  where: { socketPath: string } | { host: string; port: number },
): Promise<Health | null> {
  return new Promise((resolve) => {
    const req = request(
      { ...where, path: '/health', timeout: 2_000, headers: { host: 'localhost' } },
      async (res) => {
        const chunks: Buffer[] = [];
        for await (const chunk of res) chunks.push(chunk as Buffer);
        try {
          const answer = JSON.parse(Buffer.concat(chunks).toString()) as Health & { status?: string };
          resolve(answer.status === 'healthy' ? answer : null);
        } catch {
          resolve(null);
        }
      },
    );
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
