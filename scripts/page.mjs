// Builds the page into dist/web: a first file that is always asked for anew, and files whose names change with what is in
// them. What only some need, as the terminal, is a file of its own.
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './source.mjs';

const source = join(root, 'src/web');
const target = join(root, 'dist/web');

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'browser',
  target: ['chrome116', 'firefox124', 'safari17.4'],
  minify: true,
  legalComments: 'none',
  logLevel: 'warning',
};

export async function buildPage() {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const { metafile } = await build({
    ...shared,
    entryPoints: { page: join(source, 'main.tsx'), style: join(source, 'style.css') },
    outdir: join(target, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    metafile: true,
  });
  const made = (name) =>
    Object.keys(metafile.outputs).find((file) => metafile.outputs[file].entryPoint === `src/web/${name}`);
  const address = (file) => file.replace(/^dist\/web/, '');
  // All that the first look needs is asked for at once, and not one after the other.
  const preloads = neededBy(made('main.tsx'), metafile)
    .map((file) => `<link rel="modulepreload" href="${address(file)}">`)
    .join('\n    ');
  const html = readFileSync(join(source, 'index.html'), 'utf8');
  writeFileSync(
    join(target, 'index.html'),
    html
      .replace('STYLE', address(made('style.css')))
      .replace('SCRIPT', address(made('main.tsx')))
      .replace('<!-- PRELOADS -->', preloads),
  );
  await build({
    ...shared,
    entryPoints: { 'service-worker': join(source, 'service-worker.js') },
    outdir: target,
    format: 'iife',
  });
  for (const file of ['icon.svg', 'manifest.webmanifest']) cpSync(join(source, file), join(target, file));
}

/** The files that a file imports, also by way of others, and the one with the stream, which every page opens. */
function neededBy(entry, { outputs }) {
  const found = new Set();
  const visit = (file) => {
    for (const { path, kind } of outputs[file].imports)
      if ((kind === 'import-statement' || /\/stream-/.test(path)) && !found.has(path)) {
        found.add(path);
        visit(path);
      }
  };
  visit(entry);
  return [...found];
}
