// `sm setup`: looks at the machine, then offers one part after the other, and says what it did.
import { type Finding, ok } from '../doctor/check.ts';
import { examine } from '../doctor/checks.ts';
import { reportLines } from '../doctor/report.ts';
import type { PartName } from '../ledger/ledger.ts';
import { agents } from '../providers/cards.ts';
import { findAccounts } from './accounts.ts';
import { apply, type Change, lineCount } from './changes.ts';
import type { Dialog } from './dialog.ts';
import type { Part } from './part.ts';
import { completion } from './parts/completion.ts';
import { config } from './parts/config.ts';
import { service } from './parts/service.ts';
import { skill } from './parts/skill.ts';
import { type Place, shown } from './place.ts';

const parts: readonly Part[] = [config, completion, service, skill];

export interface SetupOptions {
  readonly parts: readonly PartName[];
  readonly dryRun: boolean;
}

/** Answers the exit code. */
export async function runSetup(place: Place, options: SetupOptions, dialog: Dialog): Promise<number> {
  dialog.title('sm setup');
  const findings = await examine(place.paths);
  const shownFirst = [...findings.filter(concernsSetup), ...accountFindings(place)];
  dialog.show(reportLines(shownFirst, place.env.HOME, dialog.width));
  let failed = false;
  for (const part of parts.filter(({ name }) => options.parts.includes(name))) {
    const done = await offer(place, part, options.dryRun, dialog);
    if (done === 'left') return 1;
    failed ||= done === 'failed';
  }
  dialog.end(lastWords(findings, options.dryRun));
  return failed ? 1 : 0;
}

async function offer(
  place: Place,
  { name, plan }: Part,
  dryRun: boolean,
  dialog: Dialog,
): Promise<'done' | 'failed' | 'left'> {
  try {
    const planned = await plan(place);
    if (planned.state === 'there') dialog.say(`${name}: ${planned.what}`);
    if (planned.state === 'not here') dialog.say(`${name}: skipped, because ${planned.why}`);
    if (planned.state !== 'offered') return 'done';
    if (dryRun) {
      for (const change of planned.changes)
        for (const line of intended(place, change)) dialog.say(`${name}: ${line}`);
      return 'done';
    }
    if (planned.detail && !planned.unasked) dialog.show(planned.detail);
    const answer = await dialog.ask(planned.question, planned.unasked);
    if (answer === null) {
      dialog.end(
        'Left. What is done so far stays; sm setup goes on from there, and sm uninstall takes it back.',
      );
      return 'left';
    }
    if (!answer) dialog.say(`${name}: left as it is`);
    else
      for (const change of planned.changes) {
        const did = await apply(place, name, change);
        if (did !== null) dialog.say(`${name}: ${did}`);
      }
    return 'done';
  } catch (error) {
    dialog.say(`${name}: could not go on: ${(error as Error).message}`);
    return 'failed';
  }
}

function intended(place: Place, change: Change): string[] {
  switch (change.do) {
    case 'write':
      return [`would write ${shown(place, change.path)}`];
    case 'add':
      return [`would add ${lineCount(change.text)} to ${shown(place, change.path)}`];
    case 'run':
      return [`would run ${change.command.map((word) => shown(place, word)).join(' ')}`];
    case 'undo':
      return [];
  }
}

/** What a person should know before the questions: the programs, and everything that is not well. */
function concernsSetup({ name, state }: Finding): boolean {
  return state !== 'ok' || ['node', 'tmux', ...agents.map((agent) => agent.name)].includes(name);
}

function accountFindings(place: Place): Finding[] {
  const accounts = findAccounts(place).map(
    ({ title, directory, signedIn }) =>
      `${title} in ${shown(place, directory)}, ${signedIn ? 'signed in' : 'no login seen'}`,
  );
  return accounts.length === 0 ? [] : [ok('accounts', accounts.join('\n'))];
}

function lastWords(findings: readonly Finding[], dryRun: boolean): string {
  if (dryRun) return 'Nothing was changed.';
  const broken = findings.find(({ state }) => state === 'fail');
  if (broken) return `Not ready yet: ${broken.name}. Repair it with: ${broken.repair}`;
  const found = agents.find(({ name }) => findings.some((each) => each.name === name && isInstalled(each)));
  return found
    ? `Ready. Start an agent with: sm ${found.name}. Take all of this back with: sm uninstall`
    : 'Ready, but no agent is installed yet. See sm at work without one: sm demo';
}

const isInstalled = ({ found }: Finding): boolean => !/^not (found|installed)/.test(found);
