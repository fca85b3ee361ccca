// Bundles every program of the package into dist/. Each entry is one CommonJS file, because a single
// file starts fastest and `sm` is started thousands of times a day by agents.
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entries = {
  sm: 'src/cli/main.ts',
  daemon: 'src/daemon/main.ts',
  demo: 'src/demo/main.ts',
  'scripted-agent': 'src/scripted-agent/main.ts',
};
const present = Object.fromEntries(
  Object.entries(entries).filter(([, file]) => existsSync(join(root, file))),
);

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: present,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  minifySyntax: true,
  legalComments: 'none',
  logLevel: 'warning',
  // The SQLite driver loads its native half relative to its own folder.
  external: ['@photostructure/sqlite'],
});
