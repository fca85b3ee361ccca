// A git repository of a test's own, and what can be asked of it.
import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export interface Repository {
  readonly root: string;
  git(...args: string[]): string;
  /** The same in another of its checkouts. */
  gitIn(folder: string, ...args: string[]): string;
  write(path: string, text: string): void;
  commit(message: string, files?: Readonly<Record<string, string>>): string;
}

export function makeRepository(root: string): Repository {
  mkdirSync(root, { recursive: true });
  const gitIn = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.org', ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trimEnd();
  const repository: Repository = {
    root: realpathSync(root),
    git: (...args) => gitIn(root, ...args),
    gitIn,
    write(path, text) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    },
    commit(message, files = {}) {
      for (const [path, text] of Object.entries(files)) repository.write(path, text);
      gitIn(root, 'add', '--all');
      gitIn(root, 'commit', '--quiet', '--allow-empty', '-m', message);
      return gitIn(root, 'rev-parse', 'HEAD');
    },
  };
  repository.git('init', '--quiet', '--initial-branch=main');
  repository.git('config', 'user.name', 'A');
  repository.git('config', 'user.email', 'a@example.org');
  repository.commit('first', { 'README.md': 'hello\n', 'packages/api/index.ts': 'export {};\n' });
  return repository;
}
