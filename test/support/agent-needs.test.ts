// Which agents `npm run test:agents` installs for the files that it is given.
import { join } from 'node:path';
import { expect, it } from 'vitest';

const folder = join(import.meta.dirname, '../agents');
const { neededBy } = await import(join(folder, 'needs.mjs'));
const { agents } = await import(join(folder, 'install.mjs'));
const variables = Object.keys(agents).map((name) => `SM_TEST_${name.toUpperCase().replaceAll('-', '_')}`);
const programs = (...files: string[]) =>
  [...neededBy(files.map((file) => join(folder, file)))].filter((name) => variables.includes(name));

it('a test needs the agents that it names, and no others', () => {
  expect(programs('codex-app-protocol.test.ts')).toEqual(['SM_TEST_CODEX']);
  expect(programs('team.test.ts').sort()).toEqual(['SM_TEST_CLAUDE', 'SM_TEST_CODEX']);
});

it('a test needs the agents of what it imports', () => {
  expect(programs('opencode-app-conformance.test.ts')).toEqual(['SM_TEST_OPENCODE']);
});
