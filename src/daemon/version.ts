import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The version of what was installed with these bundles. */
export function versionBeside(dist: string): string {
  return (JSON.parse(readFileSync(join(dirname(dist), 'package.json'), 'utf8')) as { version: string })
    .version;
}
