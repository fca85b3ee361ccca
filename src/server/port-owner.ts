// Who listens on a port: as exactly as this system tells us.
import { execFile } from 'node:child_process';
import { access, readdir, readFile, readlink } from 'node:fs/promises';

export async function describePortOwner(port: number): Promise<string> {
  const tellsAll = await access('/proc/net/tcp').then(
    () => true,
    () => false,
  );
  return tellsAll ? fromProc(port) : fromLsof(port);
}

async function fromProc(port: number): Promise<string> {
  const inode = await listeningInode(port);
  const pid = inode === null ? null : await ownerOf(inode);
  if (pid === null) return 'another program';
  const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''))
    .split('\0')
    .join(' ')
    .trim();
  return command ? `process ${pid} (${command.slice(0, 200)})` : `process ${pid}`;
}

async function listeningInode(port: number): Promise<string | null> {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const rows = (await readFile(table, 'utf8').catch(() => '')).split('\n').slice(1);
    for (const row of rows) {
      const fields = row.trim().split(/\s+/);
      if (fields[3] === '0A' && fields[1]?.endsWith(`:${hex}`)) return fields[9] ?? null;
    }
  }
  return null;
}

async function ownerOf(inode: string): Promise<string | null> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  for (const pid of pids) {
    for (const fd of await readdir(`/proc/${pid}/fd`).catch(() => [])) {
      if ((await readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')) === `socket:[${inode}]`) return pid;
    }
  }
  return null;
}

/** As on macOS. */
function fromLsof(port: number): Promise<string> {
  return new Promise((resolve) => {
    const args = ['-n', '-P', `-iTCP:${port}`, '-sTCP:LISTEN', '-F', 'pc'];
    execFile('lsof', args, { timeout: 5_000 }, (_, out) => {
      const [, pid, command] = /^p(\d+)\nc(.*)$/m.exec(out) ?? [];
      resolve(pid === undefined ? 'another program' : `process ${pid} (${command})`);
    });
  });
}
