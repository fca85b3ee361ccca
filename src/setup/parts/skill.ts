// The skill: teaches agents the commands, in the folder of each account where its agent looks for skills.
import { join } from 'node:path';
import { groups } from '../../cli/commands.ts';
import { skillText } from '../../cli/skill.ts';
import { findAccounts } from '../accounts.ts';
import { type Change, stateAt } from '../changes.ts';
import type { Part, Plan } from '../part.ts';
import { type Place, shown } from '../place.ts';

export const skill: Part = { name: 'skill', plan };

async function plan(place: Place): Promise<Plan> {
  const text = await skillText(groups, true);
  const files = findAccounts(place).map(({ directory }) => join(directory, 'skills', 'sm', 'SKILL.md'));
  if (files.length === 0)
    return { state: 'not here', why: 'no agent has been used here yet; run sm setup again when one has' };
  const states = files.map((path) => ({ path, ...stateAt(place, path) }));
  const stale = states.filter((each) => each.text !== text && (each.text === null || each.ours));
  const taken = states.filter((each) => each.text !== null && each.text !== text && !each.ours);
  if (stale.length > 0)
    return {
      state: 'offered',
      question: `Teach agents the commands, with a skill in ${stale.map(({ path }) => shown(place, path)).join(', ')}?`,
      unasked: true,
      changes: stale.map(({ path }): Change => ({ do: 'write', path, text })),
    };
  if (taken.length > 0)
    return {
      state: 'not here',
      why: `${taken.map(({ path }) => shown(place, path)).join(', ')} is not from sm setup, and stays as it is`,
    };
  return { state: 'there', what: 'agents know the commands (sm skill)' };
}
