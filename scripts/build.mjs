// Bundles every program of the package into dist/, and writes its man pages into man/. Each entry is one CommonJS file, because a single
// file starts fastest and `sm` is started thousands of times a day by agents.
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const { build } = await import('esbuild').catch(() => {
  console.error('The packages that sm is built with are missing. Run this first: npm ci');
  process.exit(1);
});
const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const entries = {
  sm: 'src/cli/main.ts',
  'template-file': 'src/cli/dispatch/template-file.ts',
  screen: 'src/screen/screen.ts',
  qr: 'src/cli/qr.ts',
  'terminal-elsewhere': 'src/cli/terminal-elsewhere.ts',
  mcp: 'src/mcp/mcp.ts',
  daemon: 'src/daemon/main.ts',
  'write-back': 'src/store/sqlite/write-back-worker.ts',
  search: 'src/search/worker.ts',
  fleet: 'src/fleet/fleet.ts',
  exchange: 'src/hub/exchange.ts',
  setup: 'src/setup/main.ts',
  demo: 'src/demo/main.ts',
  'opencode-bridge': 'src/providers/opencode/bridge.ts',
  'scripted-agent': 'src/scripted-agent/main.ts',
};
// `node scripts/build.mjs NAME …` builds only those.
const wanted = process.argv.slice(2);
const present = Object.fromEntries(
  Object.entries(entries).filter(
    ([name, file]) => existsSync(join(root, file)) && (wanted.length === 0 || wanted.includes(name)),
  ),
);

/** What one command alone needs, and takes time to load, is a file beside the program that loads it. */
const apart = {
  name: 'apart',
  setup({ onResolve }) {
    onResolve(
      {
        filter:
          /\/(template-file|screen\/screen|qr|terminal-elsewhere|fleet\/fleet|hub\/exchange|mcp\/mcp)\.ts$/,
      },
      ({ kind, path }) =>
        kind === 'dynamic-import' ? { path: `./${basename(path, '.ts')}.cjs`, external: true } : null,
    );
  },
};

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
  plugins: [apart],
  // The SQLite driver loads its native half relative to its own folder.
  external: ['@photostructure/sqlite'],
});

if (wanted.length === 0 || wanted.includes('web')) {
  const { buildPage } = await import('./page.mjs');
  await buildPage();
}
if (wanted.length === 0) {
  const { writeManPages } = await import('./man.mjs');
  await writeManPages();
}
