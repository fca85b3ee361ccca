// `sm doctor`: looks at everything that sm stands on, also when the daemon is down, and says what to do.
import type { Paths } from '../daemon/paths.ts';
import { createProviders } from '../daemon/providers.ts';
import { abilityRows } from '../providers/abilities.ts';
import { agents, isAgent } from '../providers/cards.ts';
import { checkAccess } from './access.ts';
import type { Finding } from './check.ts';
import { checkInstalledHooks } from './installed-hooks.ts';
import { checkPanes } from './panes.ts';
import { checkAgent, checkCurl, checkHooks, checkLingering, checkNode, checkTmux } from './programs.ts';
import { checkSessions } from './sessions.ts';
import { checkConfig, checkDaemon, checkDatabase, checkHome, checkPort, checkSpool } from './state.ts';

export async function examine(paths: Paths): Promise<Finding[]> {
  const { finding: configuration, config } = checkConfig(paths);
  const { finding: daemon, health } = await checkDaemon(paths);
  const providers = config ? [...(await createProviders(config, paths)).values()] : [];
  const findings = await Promise.all([
    checkNode(),
    checkTmux(),
    checkCurl(),
    checkHooks(paths),
    ...providers.filter(isAgent).map(checkAgent),
    checkHome(paths),
    configuration,
    checkDatabase(paths.database),
    daemon,
    config && checkPort(config, health),
    config && checkAccess(config),
    checkSpool(paths, health),
    checkPanes(paths),
    ...checkSessions(paths.database),
    config && checkInstalledHooks(paths, config.questions.wait_seconds),
    checkLingering(),
  ]);
  return findings.filter((finding) => finding !== null);
}

/** Prints the findings; the exit code says whether anything is broken. */
export async function runDoctor(paths: Paths, options: { json: boolean }): Promise<number> {
  const findings = await examine(paths);
  const broken = findings.some(({ state }) => state === 'fail');
  if (options.json)
    console.log(JSON.stringify({ healthy: !broken, findings, providers: capabilities() }, null, 2));
  else for (const line of [...findings.flatMap(report), '', ...abilities()]) console.log(line);
  return broken ? 1 : 0;
}

const capabilities = () => Object.fromEntries(agents.map(({ name, capabilities }) => [name, capabilities]));

function abilities(): string[] {
  const [head = [], ...rows] = abilityRows();
  const columns = head.map((_, i) => Math.max(...[head, ...rows].map((row) => row[i]?.length ?? 0)));
  return [['What each can do', ...head.slice(1)], ...rows].map((row) =>
    row
      .map((cell, i) => cell.padEnd(columns[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

function report({ name, state, found, advice }: Finding): string[] {
  const mark = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' }[state];
  const [first, ...more] = found.split('\n');
  const indent = ' '.repeat(21);
  return [
    `${mark} ${name.padEnd(15)} ${first}`,
    ...more.map((line) => indent + line),
    ...(advice?.split('\n').map((line) => `${indent}→ ${line}`) ?? []),
  ];
}
