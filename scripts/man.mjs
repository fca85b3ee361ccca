// Writes the man pages into man/, from the table of commands: sm(1), and one for each command. The build does it, so
// that they are never out of date.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { load, root } from './source.mjs';

export async function writeManPages() {
  const { groups, flag } = await load(
    `export { groups } from './src/cli/commands.ts'; export { flag } from './src/cli/help.ts';`,
  );
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'man');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  writeFileSync(join(folder, 'sm.1'), overview(groups, version));
  for (const { entries } of groups)
    for (const [word, entry] of Object.entries(entries))
      writeFileSync(
        join(folder, `sm-${word}.1`),
        page(word, entry.summary, await entry.load(), flag, version),
      );
}

function overview(groups, version) {
  const commands = groups.flatMap(({ title, entries }) => [
    `.SS ${roff(title)}`,
    ...Object.entries(entries).flatMap(([word, { summary }]) => [
      '.TP',
      `.B sm ${roff(word)}`,
      text(`${summary}. See sm-${word}(1).`),
    ]),
  ]);
  return lines(
    heading('sm', version),
    '.SH NAME',
    'sm \\- runs teams of coding agents in real terminals',
    '.SH SYNOPSIS',
    '.B sm',
    '.I COMMAND',
    '[\\fIARGUMENT\\fR ...]',
    '.SH DESCRIPTION',
    text(
      'sm runs coding agents as terminal sessions in a tmux of its own. It carries their messages and proves that each arrived, says when a session has finished, asks for progress, and watches how full each context is.',
    ),
    '.PP',
    text(
      'Name a session by its id, the start of its id, or its name; a message by its id or the start of it. Help for one command: sm COMMAND --help.',
    ),
    '.SH COMMANDS',
    ...commands,
    ...exitStatus(),
    '.SH ENVIRONMENT',
    ...row('SM_HOME', 'the state directory; default: $XDG_STATE_HOME/sm, else ~/.local/state/sm'),
    ...row(
      'SM_CONFIG',
      'the configuration; default: $XDG_CONFIG_HOME/sm/config.yaml, else ~/.config/sm/config.yaml',
    ),
    ...row('CLAUDE_SESSION_MANAGER_ID', 'set by sm: the session that a shell is in'),
    '.SH SEE ALSO',
    text('tmux(1). sm setup prepares this machine, and sm doctor checks it.'),
  );
}

function page(word, summary, { usage, about, options }, flag, version) {
  const rows = Object.entries(options).map(([name, spec]) => [flag(name, spec), spec.help]);
  return lines(
    heading(`sm-${word}`, version),
    '.SH NAME',
    `sm\\-${roff(word)} \\- ${roff(summary)}`,
    '.SH SYNOPSIS',
    `.B sm ${roff(word)}`,
    ...(usage === '' ? [] : [breakable(text(usage))]),
    '.SH DESCRIPTION',
    text((about ?? `${summary[0].toUpperCase()}${summary.slice(1)}.`).replaceAll('\n', ' ')),
    '.SH OPTIONS',
    ...[...rows, ['-h, --help', 'print a short help']].flatMap(([name, help]) => row(name, help)),
    ...exitStatus(),
    '.SH SEE ALSO',
    '.BR sm (1)',
  );
}

/** Words are neither cut nor spread over the line. */
const heading = (name, version) => `.TH ${name.toUpperCase()} 1 "" "sm ${version}" "sm"\n.nh\n.ad l`;

const row = (name, help) => ['.TP', `.B ${roff(name)}`, text(help)];

const exitStatus = () => [
  '.SH EXIT STATUS',
  ...row('0', 'done'),
  ...row('1', 'refused or failed'),
  ...row('2', 'no server, or not inside a session'),
];

const lines = (...all) => `${all.join('\n')}\n`;

/** A line of text; one that begins like a request is none. */
const text = (words) => roff(words).replace(/^([.'])/, '\\&$1');

/** There are more kinds of agents than fit into a line. */
const breakable = (words) => words.replace(/(?<=\w)\|(?=\w)/g, '|\\:');

const roff = (words) =>
  words.replaceAll('\\', '\\e').replaceAll('-', '\\-').replaceAll('…', '...').replaceAll('"', '\\(dq');
