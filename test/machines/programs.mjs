// Other versions of Node and tmux, in a cache outside the package. Node comes from its npm package. tmux comes from the
// suites of Debian and Ubuntu, with its own libraries beside it, so that it runs on any Linux of this processor that has apt-get.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { arch, homedir } from 'node:os';
import { join } from 'node:path';

const cache = process.env.SM_MACHINES_CACHE || join(homedir(), '.cache', 'sm', 'machines');
const run = (command, args, cwd) =>
  execFileSync(command, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });

const debian = (suite) =>
  `deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian ${suite} main`;
// Debian does not have the keys of Ubuntu: that it is Ubuntu says its certificate.
const ubuntu = (suite) => `deb [trusted=yes] https://archive.ubuntu.com/ubuntu ${suite} main`;

/** `package`: one that its suite has replaced by now, beside what the suite's own needs. */
const tmuxes = {
  '3.2a': { from: ubuntu('jammy') },
  '3.3a': { from: debian('bookworm') },
  3.4: { from: ubuntu('noble') },
  '3.5a': { from: debian('trixie') },
  3.6: {
    from: debian('trixie'),
    package: {
      url: 'http://deb.debian.org/debian/pool/main/t/tmux/tmux_3.6b-1~bpo13+1_amd64.deb',
      sha256: '828db46468e7977f33f67c5a86dd12918c98b70b061c060ecf6095edf8a373a6',
    },
  },
  newest: { from: debian('sid') },
};
export const tmuxVersions = Object.keys(tmuxes);

/** A folder with `node`, the newest of this major version. */
export function nodeOf(major) {
  return kept(`node-${major}`, (place) => {
    const file = run('npm', ['pack', '--silent', `node-linux-${arch()}@${major}`], place).trim();
    run('tar', ['xzf', file, '--strip-components=2', 'package/bin/node'], place);
    rmSync(join(place, file));
    run(join(place, 'node'), ['--version']);
  });
}

/** A folder with `tmux`. */
export function tmuxOf(version) {
  return kept(`tmux-${version}`, (place, final) => {
    const { from, package: replaced } = tmuxes[version];
    const [apt, root] = [join(place, 'apt'), join(place, 'root')];
    for (const folder of [root, join(apt, 'lists/partial'), join(apt, 'archives/partial')])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(apt, 'status'), '');
    writeFileSync(join(apt, 'sources.list'), `${from}\n`);
    const settings = {
      'Dir::Etc::SourceList': join(apt, 'sources.list'),
      'Dir::Etc::SourceParts': '/dev/null',
      'Dir::State': apt,
      'Dir::State::status': join(apt, 'status'),
      'Dir::Cache': apt,
      'APT::Install-Recommends': 'false',
      'Debug::NoLocking': 'true',
    };
    const options = Object.entries(settings).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
    run('apt-get', ['-qq', ...options, 'update']);
    run('apt-get', ['-qq', ...options, '-y', '--download-only', 'install', 'tmux']);
    const archives = join(apt, 'archives');
    for (const name of readdirSync(archives).filter((each) => each.endsWith('.deb')))
      run('dpkg', ['-x', join(archives, name), root]);
    if (replaced) run('dpkg', ['-x', fetched(replaced, archives), root]);
    rmSync(apt, { recursive: true });
    const real = (path) => path.replace(place, final);
    const loader = readdirSync(join(root, 'usr'), { recursive: true })
      .map((name) => join(root, 'usr', name))
      .concat(
        join(root, 'lib64/ld-linux-x86-64.so.2'),
        join(root, 'lib/x86_64-linux-gnu/ld-linux-x86-64.so.2'),
      )
      .find((path) => /\/ld-linux[^/]*\.so\.\d$/.test(path) && existsSync(path));
    const libraries = ['usr/lib', 'lib']
      .map((folder) => real(join(root, folder, 'x86_64-linux-gnu')))
      .join(':');
    const start = `#!/bin/sh\nexec '${real(loader)}' --library-path '${libraries}' '${real(join(root, 'usr/bin/tmux'))}' "$@"\n`;
    writeFileSync(join(place, 'tmux'), start);
    chmodSync(join(place, 'tmux'), 0o755);
  });
}

function fetched({ url, sha256 }, folder) {
  const file = join(folder, 'replaced.deb');
  run('curl', ['-fsS', '-o', file, url]);
  const found = createHash('sha256').update(readFileSync(file)).digest('hex');
  if (found !== sha256) throw new Error(`${url} is not what it was: ${found}`);
  return file;
}

/** Made whole, in a folder of its own, and then renamed. */
function kept(name, make) {
  const final = join(cache, name);
  if (existsSync(final)) return final;
  mkdirSync(cache, { recursive: true });
  const place = mkdtempSync(`${final}.part-`);
  try {
    make(place, final);
    if (!existsSync(final)) renameSync(place, final);
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
  return final;
}
