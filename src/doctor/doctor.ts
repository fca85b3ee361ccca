// `sm doctor`: looks at everything that sm stands on, also when the daemon is down, and says what to do.
import type { Paths } from '../daemon/paths.ts';
import { abilityRows } from '../providers/abilities.ts';
import { agents } from '../providers/cards.ts';
import type { Finding } from './check.ts';
import { examine } from './checks.ts';
import { abilityLines, reportLines } from './report.ts';

export interface DoctorOptions {
  readonly json: boolean;
  /** Do what can harm nothing. */
  readonly fix: boolean;
  /** Only tell what each kind of agent can do. */
  readonly abilities: boolean;
}

/** Prints the findings; the exit code says whether anything is broken. */
export async function runDoctor(paths: Paths, options: DoctorOptions): Promise<number> {
  const print = (lines: readonly string[]) => console.log(lines.join('\n'));
  if (options.abilities) {
    print(
      options.json ? [JSON.stringify({ providers: capabilities() }, null, 2)] : abilityLines(abilityRows()),
    );
    return 0;
  }
  const fixed = options.fix ? await fixAll(await examine(paths)) : null;
  const findings = await examine(paths);
  const broken = findings.some(({ state }) => state === 'fail');
  if (options.json)
    print([
      JSON.stringify(
        { healthy: !broken, ...(fixed && { fixed }), findings, providers: capabilities() },
        null,
        2,
      ),
    ]);
  else {
    if (fixed) print([...fixedLines(fixed), '']);
    print(reportLines(findings, process.env.HOME));
  }
  return broken ? 1 : 0;
}

interface Fixed {
  readonly name: string;
  readonly done: boolean;
  readonly what: string;
}

async function fixAll(findings: readonly Finding[]): Promise<Fixed[]> {
  const fixed: Fixed[] = [];
  for (const { name, fix } of findings) {
    if (!fix) continue;
    try {
      fixed.push({ name, done: true, what: await fix() });
    } catch (error) {
      fixed.push({ name, done: false, what: (error as Error).message });
    }
  }
  return fixed;
}

function fixedLines(fixed: readonly Fixed[]): string[] {
  if (fixed.length === 0) return ['Nothing that sm can repair by itself.'];
  return fixed.map(({ name, done, what }) => `${done ? 'Fixed' : 'Could not fix'} ${name}: ${what}`);
}

const capabilities = () => Object.fromEntries(agents.map(({ name, capabilities }) => [name, capabilities]));
