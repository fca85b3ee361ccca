// Puts a version of a real agent into a cache outside the package, and says where its program is.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';

/** Every agent that tests run on, one line each. A test finds the program of `some-name` in `SM_TEST_SOME_NAME`. */
export const agents = {
  claude: native(tested('claude'), 'claude'),
  codex: native(tested('codex'), 'vendor/*/bin/codex'),
  copilot: native(tested('copilot'), 'copilot'),
  opencode: native(tested('opencode'), 'bin/opencode', 'opencode'),
  gemini: script(tested('gemini'), 'gemini'),
  qwen: script(tested('qwen'), 'qwen'),
  'claude-agent-acp': script(tested('acp'), 'claude-agent-acp'),
};

/** The package and the version that a provider names. */
function tested(provider) {
  const file = new URL(`../../src/providers/${provider}/tested.json`, import.meta.url);
  return JSON.parse(readFileSync(file, 'utf8'));
}

/**
 * One whose program is native, in a package for each platform: it is run as it is, so that the version of Node does not
 * matter to it. `platforms` is how the names of those packages begin, where that is not the name of the agent's own.
 */
function native({ package: path, version }, program, platforms) {
  const [, scope = '', name] = /^(@[^/]+)?\/?(.+)$/.exec(path);
  const find = (place) => {
    const packages = join(place, 'node_modules', scope);
    return readdirSync(packages)
      .filter((folder) => folder.startsWith(`${platforms ?? name}-`))
      .flatMap((folder) => programsIn(join(packages, folder), program))
      .find(existsSync);
  };
  return { path, name, version, find };
}

/** One whose program is a script that runs on Node: `command` is what npm calls it. */
function script({ package: path, version }, command) {
  const find = (place) => [join(place, 'node_modules', '.bin', command)].find(existsSync);
  return { path, name: path.replace(/^.*\//, ''), version, find };
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
    // What install scripts do is not needed: they copy the native program over a placeholder.
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
  const program = agent.find(place);
  if (program) return program;
  throw new Error(
    `${agent.name} ${agent.version} has no program for ${process.platform}-${process.arch} in ${place}.\n` +
      `Remove ${place} and try again; if that does not help, this platform is not supported.`,
  );
}

/** The name of the platform may stand in the path, as the only folder there. */
function programsIn(folder, program) {
  const [before, after] = program.split('*/');
  if (!after) return [join(folder, program)];
  return readdirSync(join(folder, before)).map((platform) => join(folder, before, platform, after));
}
