// The table that `npm run test:agents` prints.
import { join } from 'node:path';
import { expect, it } from 'vitest';

const { conformanceTable } = await import(join(import.meta.dirname, '../agents/conformance-table.mjs'));

const test = (suite: string | null, title: string, status: string, ...groups: string[]) => ({
  ...{ ancestorTitles: suite === null ? [] : [suite, ...groups], title, status },
});
const report = (...assertionResults: object[]) => ({ testResults: [{ assertionResults }] });

it('shows each case of each agent: passed, failed, or skipped and why', () => {
  const table: string = conformanceTable(
    report(
      test('provider codex', 'starts', 'passed'),
      test('provider claude-app', 'starts', 'failed'),
      test('provider claude-app', 'exits with its code when it is told to', 'skipped'),
      test('provider codex', 'exits with its code when it is told to', 'passed'),
      test('rules and codex', 'what a rule allows is not asked', 'passed'),
      test('provider codex', 'is answered from afar: allow', 'skipped', 'a permission dialog'),
      test(null, 'two of codex, parent and child, come back', 'passed'),
      test('something else', 'is no case', 'passed'),
    ),
  );
  expect(table.split('\n').map((row) => row.replace(/ {2,}/g, '  '))).toEqual([
    '  claude  codex',
    '  app',
    'starts  FAIL  ok',
    'exits with its code when it is told to  a  ok',
    'rules: what a rule allows is not asked  ok',
    'a permission dialog: is answered from afar: allow  b',
    'parent and child, come back  ok',
    '',
    'a  skipped: is not typed to',
    'b  skipped: its questions are answered in its terminal',
    '4 passed, 1 failed, 2 skipped',
  ]);
});

it('is readable in 160 columns, whatever the cases are called', () => {
  const agents = [
    'claude',
    'claude-app',
    'codex',
    'codex-app',
    'copilot',
    'opencode',
    'opencode-app',
    'qwen',
  ];
  const table: string = conformanceTable(
    report(...agents.map((agent) => test(`messages to ${agent}`, 'a long name '.repeat(20), 'passed'))),
  );
  expect(Math.max(...table.split('\n').map((row) => row.length))).toBeLessThanOrEqual(160);
});

it('a case that is skipped without a declared reason is shown as such', () => {
  expect(conformanceTable(report(test('provider codex', 'something new', 'skipped')))).toContain(
    'a  skipped: for no reason that is declared',
  );
});

it('is not there when no suite was run', () => {
  expect(conformanceTable(report(test('something else', 'is no case', 'passed')))).toBeNull();
});
