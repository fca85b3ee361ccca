// Parts of the program that are measured by themselves, bundled from their sources.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { root } from './paths.mjs';

export async function importSource(source) {
  // Inside node_modules, so that packages are found from there.
  const folder = join(root, 'node_modules', '.cache', 'sm-bench');
  mkdirSync(folder, { recursive: true });
  const outfile = join(folder, `${source.replaceAll('/', '-')}.mjs`);
  await build({
    absWorkingDir: root,
    entryPoints: [source],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    packages: 'external',
    logLevel: 'warning',
  });
  return import(pathToFileURL(outfile).href);
}
