// What a run on other versions than the pinned ones has found, agent by agent.
import { relative } from 'node:path';

/**
 * `report` is that of vitest's JSON reporter, `folder` where the tests are. Most files are about one agent, which their
 * names say.
 */
export function changedFacts(report, folder, agents) {
  const files = report.testResults.map((file) => ({ ...file, name: relative(folder, file.name) }));
  // The longer name first: a file of `claude-agent` is not about `claude`.
  const names = Object.keys(agents);
  const byLength = names.toSorted((a, b) => b.length - a.length);
  const agentOf = (file) => byLength.find((name) => file.startsWith(name)) ?? null;
  const of = (agent) => files.filter(({ name }) => agentOf(name) === agent);
  return {
    changed: files.some((file) => failuresIn(file).length > 0),
    lines: [
      ...names.flatMap((name) => told(agents[name], of(name))),
      ...(of(null).length > 0 ? told(Object.values(agents).join(' and '), of(null)) : []),
    ],
  };
}

function told(agent, files) {
  if (files.length === 0) return [`${agent}: not tried`];
  const facts = files.flatMap(failuresIn);
  if (facts.length === 0) return [`${agent}: no fact changed`];
  return [
    `${agent}: ${facts.length} ${facts.length === 1 ? 'fact' : 'facts'} changed:`,
    ...facts.map((fact) => `  ${fact}`),
  ];
}

/** A file that fails as a whole (it cannot be loaded, or what it prepares fails) has no test that says so. */
function failuresIn({ name, status, message, assertionResults }) {
  const tests = assertionResults.filter((test) => test.status === 'failed');
  if (tests.length > 0) return tests.map(({ fullName }) => `${name}: ${fullName}`);
  return status === 'failed' ? [`${name}: ${message.split('\n', 1)[0]}`] : [];
}
