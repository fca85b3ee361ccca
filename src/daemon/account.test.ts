import { expect, it } from 'vitest';
import { cards } from '../providers/cards.ts';
import { accountOf } from './account.ts';

const of = (name: string, env: Record<string, string>) => {
  const card = cards.find((each) => each.name === name);
  return card && accountOf(card, env).account;
};

it('is the directory that the agent is started with, else the usual one', () => {
  expect(of('claude', { HOME: '/nowhere', CLAUDE_CONFIG_DIR: '/nowhere/second/' })).toBe('/nowhere/second');
  expect(of('claude', { HOME: '/nowhere' })).toBe('/nowhere/.claude');
  expect(of('codex', { HOME: '/nowhere' })).toBe('/nowhere/.codex');
});

it('is the same for an agent with and without a terminal', () => {
  for (const [one, other] of [
    ['claude', 'claude-app'],
    ['codex', 'codex-app'],
  ] as const)
    expect(of(other, { HOME: '/nowhere' })).toBe(of(one, { HOME: '/nowhere' }));
});
