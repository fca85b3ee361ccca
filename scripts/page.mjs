// Builds the page into dist/web: a first file that is always asked for anew, and files whose names change with what is in
// them. What only some need, as the terminal, is a file of its own.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './source.mjs';

const source = join(root, 'src/web');
const target = join(root, 'dist/web');

export async function buildPage() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { page: join(source, 'main.tsx'), style: join(source, 'style.css') },
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: ['chrome116', 'firefox124', 'safari17.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
  });
  const made = (name) =>
    Object.entries(metafile.outputs)
      .find(([, { entryPoint }]) => entryPoint === `src/web/${name}`)[0]
      .replace(/^dist\/web/, '');
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  writeFileSync(
    join(target, 'index.html'),
    html.replace('STYLE', made('style.css')).replace('SCRIPT', made('main.tsx')),
  );
  for (const file of ['icon.svg', 'manifest.webmanifest']) cpSync(join(source, file), join(target, file));
}
