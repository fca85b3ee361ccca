// What a run of the conformance suites has shown, as a table: a row for each case, a column for each kind of agent.

/** Whose case it is, from the name of its suite or its own; the rest is the case. */
const suites = [
  /^provider (?<agent>\S+)$/,
  /^messages to (?<agent>\S+)$/,
  /^(?<what>rules) and (?<agent>\S+)$/,
  /^(?<what>locks) and (?<agent>\S+)$/,
  /^(?<what>a fork) of (?<agent>\S+)$/,
  /^(?<what>adopting) a conversation of (?<agent>\S+)$/,
];
const alone = /^two of (?<agent>\S+), (?<what>parent and child, .*)$/;

/** Why a case is skipped, in the words of what its provider declares. A case that no line is for has no reason. */
const reasons = [
  [/is interrupted by a human|exits with its code|answered "no" with Escape/, 'is not typed to'],
  [/a draft is put aside|he has a stash as well/, 'cannot put a draft aside, or has no composer'],
  [/a draft of a human holds/, 'puts a draft aside, or has no composer'],
  [/taken up by a turn in a tool loop/, 'takes no text in the middle of a turn'],
  [/waits for the end of a turn in a tool loop/, 'takes text in the middle of a turn'],
  [/before any output/, 'does not tell that it has a prompt before it says anything'],
  [/says which model it uses/, 'does not tell which model it uses'],
  [/is answered from afar/, 'its questions are answered in its terminal'],
  [/takes a no without words/, 'words can go with an answer'],
  [/^a permission dialog/, 'does not ask'],
  [/what a rule allows/, 'a rule cannot answer yes'],
  [/a denial holds also/, 'what it does not ask about cannot be stopped'],
  [/compacts, and says so/, 'does not tell of its compactions'],
  [/reports how full/, 'does not tell how full its context is'],
  [/^a fork/, 'its conversation cannot be continued twice'],
  [/^adopting/, 'its conversations from elsewhere cannot be found'],
  [/is restored with|parent and child/, 'its conversation is not taken up again'],
];

/** `report` is that of vitest's JSON reporter. Null: no such suite was run. */
export function conformanceTable(report, width = 160) {
  const cases = report.testResults.flatMap(({ assertionResults }) => assertionResults.flatMap(caseIn));
  const agents = [...new Set(cases.map(({ agent }) => agent))].sort();
  if (agents.length === 0) return null;
  const notes = [];
  const noteOf = (text) => {
    if (!notes.includes(text)) notes.push(text);
    return String.fromCharCode(97 + notes.indexOf(text));
  };
  const heads = agents.map((agent) => agent.split(/-(.*)/));
  const cell = 2 + Math.max(4, ...heads.flat().map((part) => (part ?? '').length));
  const names = [...new Set(cases.map(({ name }) => name))];
  const longest = Math.max(...names.map(({ length }) => length)) + 1;
  const room = Math.max(30, Math.min(longest, width - cell * agents.length));
  const line = (name, cells) =>
    `${inRoom(name, room)}${cells.map((each) => (each ?? '').padStart(cell)).join('')}`.trimEnd();
  const rows = names.map((name) =>
    line(
      name,
      agents.map((agent) => {
        const found = cases.filter((each) => each.agent === agent && each.name === name);
        return found.length === 0 ? '' : shown(found, noteOf);
      }),
    ),
  );
  const sum = (status) => cases.filter((each) => each.status === status).length;
  return [
    line(
      '',
      heads.map(([first]) => first),
    ),
    line(
      '',
      heads.map(([, second]) => second),
    ),
    ...rows,
    '',
    ...notes.map((text, at) => `${String.fromCharCode(97 + at)}  skipped: ${text}`),
    `${sum('passed')} passed, ${sum('failed')} failed, ${cases.length - sum('passed') - sum('failed')} skipped`,
  ].join('\n');
}

function shown(found, noteOf) {
  if (found.some(({ status }) => status === 'failed')) return 'FAIL';
  if (found.every(({ status }) => status === 'passed')) return 'ok';
  const [, reason] = reasons.find(([pattern]) => pattern.test(found[0].name)) ?? [];
  return noteOf(reason ?? 'for no reason that is declared');
}

function caseIn({ ancestorTitles, title, status }) {
  const [suite, ...groups] = ancestorTitles;
  const match = [...suites.map((pattern) => pattern.exec(suite ?? '')), alone.exec(title)].find(Boolean);
  if (!match) return [];
  const { agent, what } = match.groups;
  const own = suite === undefined ? [] : [...groups, title];
  return [{ agent, status, name: [...(what ? [what] : []), ...own].join(': ') }];
}

const inRoom = (text, room) => (text.length > room - 1 ? `${text.slice(0, room - 2)}…` : text).padEnd(room);
