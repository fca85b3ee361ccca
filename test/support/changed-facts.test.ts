// What `npm run test:agents -- --latest` prints at its end.
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const { changedFacts } = await import(join(import.meta.dirname, '../agents/changed-facts.mjs'));
const agents = { claude: 'claude-code 2.1.400', codex: 'codex 0.170.0' };

const passed = (fullName: string) => ({ status: 'passed', fullName });
const failed = (fullName: string) => ({ status: 'failed', fullName });
const file = (name: string, tests: object[], more = {}) => ({
  name: `/a/claude/codex/${name}`,
  status: 'passed',
  message: '',
  assertionResults: tests,
  ...more,
});
const found = (...testResults: object[]) => changedFacts({ testResults }, '/a/claude/codex', agents);

describe('a run on the newest versions', () => {
  it('says so when no fact changed, and of which agent nothing was tried', () => {
    expect(found(file('claude-facts/delivery.test.ts', [passed('a paste is one prompt')]))).toEqual({
      changed: false,
      lines: ['claude-code 2.1.400: no fact changed', 'codex 0.170.0: not tried'],
    });
  });

  it('names each fact that changed, under its agent', () => {
    const { changed, lines } = found(
      file('claude-facts/delivery.test.ts', [failed('a paste is one prompt'), passed('x')]),
      file('claude-facts/dialogs.test.ts', [failed('the cursor stands on the option')]),
      file('codex-app-protocol.test.ts', [failed('what we say is what it takes')]),
      file('team.test.ts', [failed('they work together')]),
    );
    expect(changed).toBe(true);
    expect(lines).toEqual([
      'claude-code 2.1.400: 2 facts changed:',
      '  claude-facts/delivery.test.ts: a paste is one prompt',
      '  claude-facts/dialogs.test.ts: the cursor stands on the option',
      'codex 0.170.0: 1 fact changed:',
      '  codex-app-protocol.test.ts: what we say is what it takes',
      'claude-code 2.1.400 and codex 0.170.0: 1 fact changed:',
      '  team.test.ts: they work together',
    ]);
  });

  it('takes a file for that of the agent with the longest name that fits', () => {
    const both = { claude: 'claude-code 2.1.400', 'claude-agent': 'claude-agent 1.0.0' };
    const report = { testResults: [file('claude-agent-conformance.test.ts', [failed('it answers')])] };
    expect(changedFacts(report, '/a/claude/codex', both).lines).toEqual([
      'claude-code 2.1.400: not tried',
      'claude-agent 1.0.0: 1 fact changed:',
      '  claude-agent-conformance.test.ts: it answers',
    ]);
  });

  it('counts a file that failed as a whole', () => {
    const { lines } = found(
      file('codex.test.ts', [], { status: 'failed', message: 'it did not start\nat x' }),
    );
    expect(lines).toContain('  codex.test.ts: it did not start');
  });
});
