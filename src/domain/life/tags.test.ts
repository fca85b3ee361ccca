import { describe, expect, it } from 'vitest';
import { alone, creation, idleSession, killIt, restoreIt } from '../../../test/support/session.ts';
import { person } from '../core/names.ts';
import { create } from './lifecycle.ts';

const tag = (add: string[], remove: string[] = []) => ({ type: 'tag', by: person, add, remove }) as const;

describe('the tags of a session', () => {
  it('are added and removed, and the history says by whom', () => {
    const s = idleSession();
    s.take(tag(['night', 'api']));
    s.take(tag(['v2.1'], ['night']));
    expect(s.state.session.tags).toEqual(['api', 'v2.1']);
    expect(s.eventsOf('tagged')).toEqual([
      { type: 'tagged', by: person, added: ['night', 'api'], removed: [] },
      { type: 'tagged', by: person, added: ['v2.1'], removed: ['night'] },
    ]);
  });

  it('may be there from the beginning', () => {
    expect(idleSession({ tags: ['night', 'api', 'night'] }).state.session.tags).toEqual(['api', 'night']);
    expect(idleSession({ tags: [] }).state.session.tags).toEqual([]);
    const created = create({ ...creation, tags: ['a b'] }, 0, alone);
    expect(created).toMatchObject({ refusal: { code: 'invalid' } });
  });

  it('stay as they are, without an event, when nothing changes', () => {
    const s = idleSession();
    s.take(tag(['night', 'night']));
    s.take(tag(['night'], ['never-there']));
    expect(s.state.session.tags).toEqual(['night']);
    expect(s.eventsOf('tagged')).toHaveLength(1);
  });

  it('outlive the agent', () => {
    const s = idleSession();
    s.take(tag(['night']));
    s.take(killIt);
    s.answer({ of: 'kill' });
    s.take(restoreIt);
    expect(s.state.session.tags).toEqual(['night']);
  });

  it.each(['', '-x', 'a b', 'tag:x', 'a,b', '*', 'x'.repeat(33)])('cannot be called "%s"', (name) => {
    expect(idleSession().refusal(tag([name]))).toMatchObject({ code: 'invalid' });
  });

  it('are not added and removed at once, and are not too many', () => {
    const s = idleSession();
    expect(s.refusal(tag(['a'], ['a'])).message).toBe('The tag a cannot be added and removed at once.');
    const many = Array.from({ length: 33 }, (_, number) => `t${number}`);
    expect(s.refusal(tag(many)).message).toBe('A session has at most 32 tags.');
    expect(s.state.session.tags).toEqual([]);
  });
});
