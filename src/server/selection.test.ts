import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { idleSession, workingSession } from '../../test/support/session.ts';
import type { Session } from '../domain/core/session.ts';
import { fitsPattern, fitsSelector } from './selection.ts';

const checkout = { repository: '/src/app', root: '/src/app', branch: 'main', commit: null };
const worker: Session = {
  ...idleSession({ friendlyName: 'worker-1' }).state.session,
  tags: ['night', 'v2'],
  checkout,
};
const lead: Session = { ...workingSession().state.session, id: 'boss', parentId: null, friendlyName: 'lead' };
const one = (ref: string): Session => {
  if (ref === 'lead') return lead;
  throw new Error(`no ${ref}`);
};
const found = (ref: string) =>
  [worker, lead].filter(fitsSelector(ref, one)).map(({ friendlyName }) => friendlyName);

describe('a selector', () => {
  it.each([
    ['worker-*', ['worker-1']],
    ['*', ['worker-1', 'lead']],
    ['worker-??', []],
    // What it was called before it had a name is not its name.
    ['scripted-*', []],
    ['tag:night', ['worker-1']],
    ['tag:n*', ['worker-1']],
    ['tag:nigh', []],
    ['repo:app', ['worker-1']],
    ['repo:/src/*', ['worker-1']],
    ['repo:ap', []],
    ['children:lead', ['worker-1']],
    ['phase:idle', ['worker-1']],
    ['phase:working', ['lead']],
  ])('%s', (ref, names) => {
    expect(found(ref)).toEqual(names);
  });

  it('of a phase that does not exist names those that do', () => {
    expect(() => found('phase:idel')).toThrow('No phase "idel". The phases are: starting, idle, working,');
  });
});

describe('a pattern', () => {
  it('means what a regular expression of the same meaning does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), maxLength: 8 });
    const pattern = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '😀'), maxLength: 6 });
    fc.assert(
      fc.property(text, pattern, (letters, signs) => {
        const same = new RegExp(`^${signs.replaceAll('*', '.*').replaceAll('?', '.')}$`, 'su');
        return fitsPattern(letters, signs) === same.test(letters);
      }),
    );
  });

  it('that would take a regular expression for ever takes a moment', () => {
    expect(fitsPattern('a'.repeat(64), `${'*a'.repeat(90)}b`)).toBe(false);
  });
});
