// What the package is made of: which components, under which licences, and whether one is known to be unsafe.
//   node scripts/supply.mjs [--components FILE]
// Fails at a licence that is not on the list, at a component without one, and at a known fault of a component. A registry that does
// not answer the question after known faults is told as such, and is no failure: it says nothing about the components.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
/** Licences that ask for no more than to be named. */
const allowed = new Set([
  'MIT',
  'ISC',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  '0BSD',
  'BlueOak-1.0.0',
  'Unlicense',
]);

/** Used unchanged, and installed beside our bundles with its source, which is what this licence asks for. */
const unchanged = new Map([['web-push', 'MPL-2.0']]);

/** All that is installed with the package, or is in its bundles. */
export function componentsOf({ packages }) {
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { name, version, license }]) => ({
      name: name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
      version,
      license: license ?? null,
    }));
}

/** Those that may not be in it, with the reason. An expression is allowed if one of its alternatives is. */
export function refused(components) {
  return components.flatMap(({ name, version, license }) => {
    if (license === null) return [`${name} ${version} says nothing of its licence`];
    if (unchanged.get(name) === license) return [];
    const choices = license.replaceAll(/[()]/g, '').split(' OR ');
    const isAllowed = choices.some((choice) =>
      choice.split(' AND ').every((each) => allowed.has(each.trim())),
    );
    return isAllowed ? [] : [`${name} ${version} is under ${license}, which is not on the list`];
  });
}

/** What `npm audit --json` says of it: faults, or that it could not be asked. */
export function faultsIn(answer) {
  if (answer.metadata?.vulnerabilities === undefined)
    return { asked: false, why: answer.message ?? answer.error?.summary ?? 'no answer' };
  const found = Object.values(answer.vulnerabilities ?? {});
  return { asked: true, faults: found.map(({ name, severity, range }) => `${name} ${range}: ${severity}`) };
}

const npm = (...args) =>
  spawnSync('npm', [...args, '--loglevel', 'error'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  }).stdout;

function main() {
  const { values } = parseArgs({ options: { components: { type: 'string' } } });
  const components = componentsOf(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  const problems = refused(components);
  const list = npm('sbom', '--sbom-format', 'cyclonedx', '--omit', 'dev');
  const listed = new Set(JSON.parse(list).components.map(({ name, version }) => `${name}@${version}`));
  // An optional one of another system is not installed here.
  const count = components.filter(({ name, version }) => listed.has(`${name}@${version}`)).length;
  if (count < listed.size)
    problems.push(`${listed.size - count} listed components are not in package-lock.json`);
  if (values.components) writeFileSync(values.components, list);
  console.log(
    `${components.length} components, ${listed.size} of them listed${values.components ? ` in ${values.components}` : ''}.`,
  );
  console.log(`Licences: ${[...new Set(components.map(({ license }) => license))].sort().join(', ')}.`);
  const audit = faultsIn(JSON.parse(npm('audit', '--omit', 'dev', '--json') || '{}'));
  if (audit.asked) {
    problems.push(...audit.faults);
    console.log(`Known faults: ${audit.faults.length}.`);
  } else console.log(`NOT CHECKED: known faults; the registry did not say (${audit.why}).`);
  for (const problem of problems) console.error(`REFUSED: ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) main();
