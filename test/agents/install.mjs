// Puts a version of a real agent into a cache outside the package, and says where its program is.
// The native program inside the platform package is used, so the version of Node does not matter to it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

export const claude = agent('claude', 'claude');
export const codex = agent('codex', 'vendor/*/bin/codex');
export const opencode = agent('opencode', 'bin/opencode', 'opencode');

/** In the version that its provider names. */
function agent(provider, program, platforms) {
  const file = new URL(`../../src/providers/${provider}/tested.json`, import.meta.url);
  const { package: path, version } = JSON.parse(readFileSync(file, 'utf8'));
  const [, scope = '', name] = /^(@[^/]+)?\/?(.+)$/.exec(path);
  // Of its packages with the program for a platform, how the names begin.
  return { path, name, version, scope, program, platforms: `${platforms ?? name}-` };
}

/** The same agent, in the newest version that is published. */
export function newest(agent) {
  const answer = execFileSync('npm', ['view', agent.path, 'version'], {
    encoding: 'utf8',
  });
  return { ...agent, version: answer.trim() };
}

export function installAgent(agent) {
  const cache = process.env.SM_AGENT_CACHE || join(homedir(), '.cache', 'sm', 'agents');
  const place = join(cache, `${agent.name}-${agent.version}`);
  if (!existsSync(place)) install(agent, place);
  return findProgram(agent, place);
}

/** Two runs may install at once: each into a folder of its own, and the first to rename it wins. */
function install(agent, place) {
  mkdirSync(dirname(place), { recursive: true });
  const own = mkdtempSync(`${place}.part-`);
  try {
    const what = `${agent.path}@${agent.version}`;
    console.log(`installing ${what} into ${place} …`);
    // Its install script would only copy the program over a placeholder.
    const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--loglevel', 'error'];
    execFileSync('npm', ['install', ...options, '--prefix', own, what], { stdio: 'inherit' });
    findProgram(agent, own);
    renameSync(own, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** npm installs only the platform package that fits this machine. */
function findProgram(agent, place) {
  const packages = join(place, 'node_modules', agent.scope);
  const program = readdirSync(packages)
    .filter((folder) => folder.startsWith(agent.platforms))
    .flatMap((folder) => programsIn(join(packages, folder), agent.program))
    .find(existsSync);
  if (program) return program;
  throw new Error(
    `${agent.name} ${agent.version} has no program for ${process.platform}-${process.arch} in ${packages}.\n` +
      `Remove ${place} and try again; if that does not help, this platform is not supported.`,
  );
}

/** The name of the platform may stand in the path, as the only folder there. */
function programsIn(folder, program) {
  const [before, after] = program.split('*/');
  if (!after) return [join(folder, program)];
  return readdirSync(join(folder, before)).map((platform) => join(folder, before, platform, after));
}
