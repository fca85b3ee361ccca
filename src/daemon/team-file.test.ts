import { homedir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { readTeamFile } from './team-file.ts';

const read = (text: string) => readTeamFile(text, '/repo/team.yaml');
const faults = (text: string): string[] => {
  try {
    read(text);
    return [];
  } catch (error) {
    return (error as Error).message.split('\n');
  }
};

describe('the file of a team', () => {
  it('names the manager first, and sees paths from its own folder', () => {
    const { team, members } = read(`
team: shop
directory: app
manager: { name: lead, prompt: Lead them. }
workers:
  login: { directory: web, add_dirs: [../shared, ~/x], worktree: true, keys: { task: 1.5 }, role: engineer }
  schema: { agent: codex, worktree: feature/x, base: main }
  docs: { worktree: false, tags: [night, 2026] }
`);
    expect(team).toBe('shop');
    expect(members.map(({ name, isManager, line }) => [name, isManager, line])).toEqual([
      ['lead', true, 4],
      ['login', false, 6],
      ['schema', false, 7],
      ['docs', false, 8],
    ]);
    const [lead, login, schema, docs] = members;
    expect(lead).toMatchObject({ directory: '/repo/app', prompt: 'Lead them.', worktree: null });
    expect(login).toMatchObject({
      directory: '/repo/app/web',
      addDirs: ['/repo/shared', `${homedir()}/x`],
      worktree: { branch: null, base: null },
      keys: { task: '1.5' },
    });
    expect(schema?.worktree).toEqual({ branch: 'feature/x', base: 'main' });
    expect(docs).toMatchObject({ agent: null, profile: null, role: null, prompt: null });
    expect(docs).toMatchObject({ worktree: false, tags: ['night', '2026'] });
  });

  it.each<[string, string]>([
    ['workers: { a: {} }', '1: team: '],
    ['team: shop', '1: the file: a team needs a manager, or workers'],
    ['team: a b\nworkers: { a: {} }', '1: team: is not a valid name'],
    ['team: shop\nworkers:\n  a:\n    profil: x', '4: unknown key workers.a.profil'],
    ['team: shop\nworkers:\n  a b: {}', '3: workers.a b: is not a valid name'],
    ['team: shop\nmanager: { name: a }\nworkers:\n  a: {}', '4: workers.a: is the name of the manager'],
    ['team: shop\nworkers:\n  a:\n    base: main', '4: workers.a.base: goes with worktree'],
    ['team: shop\nworkers:\n  a:\n    worktree: 7', '4: workers.a.worktree: write true, false or a branch'],
    ['team: shop\nworkers:\n  a: { worktree: false, base: main }', '3: workers.a.base: goes with worktree'],
    ['team: shop\nworkers:\n  a:\n    tags: [a b]', '4: workers.a.tags: "a b" cannot be a tag.'],
    ['team: shop\nworkers:\n  a:\n    keys: { x: 1 }', '4: workers.a.keys: go with a role'],
    ['team: shop\nworkers:\n  a:\n    agent: clod', '4: workers.a.agent: '],
    ['team: shop\nworkers: [a', '2: '],
  ])('%j is wrong, and says where', (text, fault) => {
    expect(faults(text)[0]).toContain(`/repo/team.yaml:${fault}`);
  });
});
