// Reviews on their way in: whether there is anything to review is said before anybody is set to work.

import { execFile } from 'node:child_process';
import type { Refusal } from '../domain/core/input.ts';
import { invalid } from '../domain/core/refusal.ts';
import type { ReviewTarget } from '../domain/core/review.ts';
import type { Service } from './service.ts';

/** An agent would go looking for a branch that is not there, and make something up. */
export async function checkTarget(folder: string, target: ReviewTarget): Promise<Refusal | null> {
  if (target.of === 'custom') return null;
  if (!(await git(folder, 'rev-parse', '--is-inside-work-tree')))
    return invalid(`${folder} is in no git repository, so there are no changes to review.`, {
      is: 'nothing-to-review',
      directory: folder,
      of: 'repository',
    });
  if (target.of === 'uncommitted') {
    const changed = await git(folder, 'status', '--porcelain');
    return changed === ''
      ? invalid(`${folder} has no uncommitted changes.`, {
          is: 'nothing-to-review',
          directory: folder,
          of: 'changes',
        })
      : null;
  }
  const name = target.of === 'base' ? target.branch : target.commit;
  if (await git(folder, 'rev-parse', '--verify', '--quiet', `${name}^{commit}`)) return null;
  return invalid(`Unknown ${target.of === 'base' ? 'branch' : 'commit'} ${name} in ${folder}.`, {
    is: 'nothing-to-review',
    directory: folder,
    of: 'revision',
  });
}

/** Null: git says no. */
function git(folder: string, ...args: readonly string[]): Promise<string | null> {
  return new Promise((resolve) => {
    const how = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
    execFile('git', ['--no-optional-locks', '-C', folder, ...args], how, (error, stdout) =>
      resolve(error ? null : stdout.trim()),
    );
  });
}

/** The kind of agent that does reviews. */
export const reviewer = (service: Service): string | undefined =>
  service.providerNames.find((name) => service.provider(name)?.capabilities.reviews);
