// Makes sure that tmux is there: installs it where that needs no question (Debian, root), and otherwise
// prints the one command for this system and stops.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const has = (command) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;

const commands = [
  ['apt-get', 'sudo apt-get install -y tmux'],
  ['dnf', 'sudo dnf install -y tmux'],
  ['pacman', 'sudo pacman -S --noconfirm tmux'],
  ['apk', 'sudo apk add tmux'],
  ['zypper', 'sudo zypper install -y tmux'],
  ['brew', 'brew install tmux'],
];

if (!has('tmux')) {
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.error('tmux is missing: installing it with apt-get …');
    const apt = (...args) =>
      spawnSync('apt-get', args, {
        stdio: ['ignore', 'ignore', 'inherit'],
        env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
      });
    apt('update', '-qq');
    apt('install', '-y', '-qq', 'tmux');
  }
  if (!has('tmux')) {
    const known = commands.find(([manager]) => has(manager));
    console.error(
      `tmux is missing, and sm runs every agent in tmux.\nInstall it with:\n  ${known ? known[1] : 'your package manager (package name: tmux)'}`,
    );
    process.exit(1);
  }
}
