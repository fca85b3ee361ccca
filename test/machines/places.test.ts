// Where the state directory, the home and the work may lie: each works, or is refused with what to do about it.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const program = join(import.meta.dirname, '../../dist/sm.cjs');
const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['--mount', 'true']).status === 0;

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sm-place-'));
  for (const folder of ['home', 'mount', 'state']) mkdirSync(join(root, folder), { mode: 0o700 });
  writeFileSync(join(root, 'config.yaml'), 'server: { port: 0 }\n');
});
afterEach(() => rmSync(root, { recursive: true, maxRetries: 10 }));

/** Runs the script, in which `sm` is ours and $ROOT the folder of the test, and ends its daemon. */
async function shell(
  script: string,
  { env = {}, mounts = '' } = {},
): Promise<{ code: number; said: string }> {
  const whole = `
    sm() { '${process.execPath}' '${program}' "$@"; }
    ${mounts && `mount --make-rprivate / && ${mounts} || exit 99`}
    ( ${script} ); code=$?
    sm down >/dev/null 2>&1
    tmux -S "$SM_HOME/tmux.sock" kill-server 2>/dev/null
    exit $code`;
  const command = mounts ? ['unshare', '--mount', 'sh', '-c', whole] : ['sh', '-c', whole];
  const ran = promisify(execFile)(command[0] as string, command.slice(1), {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      TERM: 'xterm-256color',
      LANG: 'C.UTF-8',
      HOME: join(root, 'home'),
      SM_HOME: join(root, 'state'),
      SM_CONFIG: join(root, 'config.yaml'),
      ROOT: root,
      ...env,
    },
  });
  return ran.then(
    ({ stdout, stderr }) => ({ code: 0, said: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, said: stdout + stderr }),
  );
}

const works =
  'sm spawn scripted "hello [[bash pwd > here]] [[say done]]" --name w && sm wait w 30 && cat here';

describe('a path of 200 characters', () => {
  const long = ['x'.repeat(90), 'y'.repeat(90), 'z'.repeat(20)].join('/');

  it('for the state directory is refused, with how long it may be and what to set', async () => {
    const { code, said } = await shell('sm up', { env: { SM_HOME: join(root, long) } });
    expect(code).not.toBe(0);
    expect(said).toMatch(
      /has too long a path for a socket \(at most 93 bytes\)\. Set SM_HOME to a shorter path\./,
    );
  });

  it('for the home is, too, if the state directory would be in it', async () => {
    mkdirSync(join(root, long), { recursive: true });
    const { code, said } = await shell('sm up', { env: { HOME: join(root, long), SM_HOME: '' } });
    expect(code).not.toBe(0);
    expect(said).toContain('Set SM_HOME to a shorter path.');
  });

  it('for the work and the home works', async () => {
    const folder = join(root, long);
    mkdirSync(folder, { recursive: true });
    const { code, said } = await shell(`cd '${folder}' && ${works}`, { env: { HOME: folder } });
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toContain(`${folder}\n`);
  });
});

describe.skipIf(!canMount)('a home that is read-only', () => {
  const mounts = 'mount --bind "$HOME" "$HOME" && mount -o remount,ro,bind "$HOME"';

  it('is no hindrance if the state directory is elsewhere', async () => {
    // An agent needs a place of its own, too, and has a variable for it.
    const env = { SCRIPTED_CONFIG_DIR: join(root, 'mount') };
    const { code, said } = await shell(works, { env, mounts });
    expect({ code, said }).toMatchObject({ code: 0 });
    expect(said).toContain(`${root}\n`);
  });

  it('is told, with what to set, if the state directory would be in it', async () => {
    const { code, said } = await shell('sm up', { env: { SM_HOME: '' }, mounts });
    expect(code).not.toBe(0);
    expect(said).toMatch(
      /Cannot create the state directory: EROFS: read-only file system.* Set SM_HOME to another one/,
    );
  });
});

/** exFAT knows neither permissions nor sockets, as what WSL shows below /mnt. */
describe.skipIf(!canMount || !has('mkfs.exfat') || !has('mount.exfat-fuse'))(
  'a disk without permissions',
  () => {
    const mounts = `truncate -s 64M "$ROOT/disk" && mkfs.exfat "$ROOT/disk" >/dev/null 2>&1 &&
    loop=$(losetup -f --show "$ROOT/disk") && mount.exfat-fuse "$loop" "$ROOT/mount" >/dev/null &&
    trap 'cd / && umount -l "$ROOT/mount"; losetup -d "$loop"' EXIT`;

    it('for the state directory is refused: everybody could enter it', async () => {
      const { code, said } = await shell('sm up', { env: { SM_HOME: join(root, 'mount/state') }, mounts });
      expect(code).not.toBe(0);
      expect(said).toContain('keeps no permissions');
      expect(said).toContain('under WSL: not below /mnt');
    });

    it('for the work works', async () => {
      const { code, said } = await shell(`mkdir mount/project && cd mount/project && ${works}`, { mounts });
      expect({ code, said }).toMatchObject({ code: 0 });
      expect(said).toContain(`${join(root, 'mount/project')}\n`);
    });
  },
);
