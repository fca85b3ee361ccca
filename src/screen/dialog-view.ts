// How a dialog is drawn: a line or a few at the bottom, or a page in front of everything.
import { oneLine, safeText } from '../cli/text/safe.ts';
import { acts, general } from '../faces/acts.ts';
import { listChoices, sessionChoices } from '../faces/choices.ts';
import type { SessionView } from '../protocol/session.ts';
import { columnsOf, cutTo, wrap } from './cells.ts';
import type { Dialog } from './dialogs.ts';
import type { Edit } from './edit.ts';
import type { Grid } from './grid.ts';
import { messageRow } from './message-row.ts';
import { type State, selectedSession } from './state.ts';
import { bold, cyan, faint, over, plain, red, reverse, yellow } from './style.ts';

interface Text {
  readonly text: string;
  readonly style?: string;
}

const nameOf = (state: State, id: string): string =>
  `${oneLine(state.sessions.get(id)?.display_name ?? id)} (${id})`;

export function drawDialog(grid: Grid, state: State, now: number): void {
  const { dialog } = state;
  switch (dialog?.kind) {
    case 'filter':
      drawEdit(grid, '/', dialog.edit, 'enter keeps it, esc takes it back');
      break;
    case 'command':
      drawEdit(grid, ':sm ', dialog.edit, '. is the selected session; esc leaves');
      break;
    case 'send':
      drawEdit(
        grid,
        `to ${nameOf(state, dialog.id)}, ${dialog.mode}: `,
        dialog.edit,
        'enter sends, tab changes the mode, alt+enter a new line, esc keeps it for later',
      );
      break;
    case 'rename':
      drawEdit(grid, `name of ${dialog.id}: `, dialog.edit, 'enter renames, esc leaves');
      break;
    case 'task':
      drawEdit(grid, `task of ${nameOf(state, dialog.id)}: `, dialog.edit, 'enter sets it, esc leaves');
      break;
    case 'confirm':
      bar(grid, [
        { text: dialog.ask, style: over(bold, yellow) },
        { text: 'y yes   n no', style: bold },
      ]);
      break;
    case 'answer':
      drawQuestion(grid, state, dialog);
      break;
    case 'new':
      drawForm(grid, dialog);
      break;
    case 'messages':
      drawMessages(grid, state, dialog, now);
      break;
    case 'log':
      drawLog(grid, state, dialog);
      break;
    case 'text':
      drawText(grid, state, dialog);
      break;
    case 'help':
      page(grid, 'keys', helpLines(state), dialog.top, 'q closes');
      break;
    default:
      dialog satisfies null;
  }
}

/** Lines at the bottom, above which a rule is drawn; answers the first row of them. */
function bar(grid: Grid, lines: readonly Text[]): void {
  const first = Math.max(0, grid.rows - lines.length);
  rule(grid, first - 1, '');
  for (const [at, { text, style }] of lines.slice(-grid.rows).entries()) {
    grid.fill(first + at, 0, grid.columns, ' ');
    grid.text(first + at, 1, cutTo(text, grid.columns - 2), style ?? plain);
  }
}

function rule(grid: Grid, row: number, title: string): void {
  grid.fill(row, 0, grid.columns, '─', faint);
  if (title !== '') grid.text(row, 1, ` ${cutTo(title, grid.columns - 4)} `, bold);
}

/** What is being written, wrapped, with the cursor in it, and what the keys do. */
function drawEdit(grid: Grid, label: string, { text, at }: Edit, hint: string): void {
  const width = Math.max(4, grid.columns - 2);
  const shownLabel = cutTo(label, Math.floor(width * 0.6));
  const safe = (part: string) => part.replace(/[^\P{Cc}\n]/gu, '');
  const before = wrapHard(`${shownLabel}${safe(text.slice(0, at))}`, width);
  const all = wrapHard(`${shownLabel}${safe(text)}`, width);
  const most = Math.max(1, Math.min(grid.rows - 2, 8));
  const cursorLine = before.length - 1;
  const top = Math.max(0, Math.min(cursorLine, all.length - most));
  const lines = all.slice(top, top + most);
  bar(grid, [...lines.map((line) => ({ text: line, style: bold })), { text: hint, style: faint }]);
  const row = grid.rows - 1 - lines.length + (cursorLine - top);
  grid.cursor = { row, column: Math.min(grid.columns - 1, 1 + columnsOf(before.at(-1) ?? '')) };
}

/** Cut where the room ends, blanks and all: the cursor must stand where the next letter goes. */
function wrapHard(text: string, columns: number): string[] {
  return text.split('\n').flatMap((line) => {
    const lines = [''];
    let width = 0;
    for (const { segment } of new Intl.Segmenter().segment(line)) {
      const wide = columnsOf(segment);
      if (width + wide > columns) {
        lines.push('');
        width = 0;
      }
      lines[lines.length - 1] += segment;
      width += wide;
    }
    return lines;
  });
}

function drawQuestion(grid: Grid, state: State, dialog: Extract<Dialog, { kind: 'answer' }>): void {
  const { question } = state.sessions.get(dialog.id) ?? {};
  const head = { text: `${nameOf(state, dialog.id)} asks:`, style: over(bold, yellow) };
  if (question?.id !== dialog.question) {
    const text = question
      ? 'It asks something else by now. esc, then a, shows it.'
      : 'Its question is answered.';
    bar(grid, [head, { text }, { text: 'esc leaves', style: faint }]);
    return;
  }
  const room = Math.max(1, grid.rows - 6);
  const lines = wrap(safeText(question.text), grid.columns - 4);
  const shown = lines.slice(0, room).map((text) => ({ text: `  ${text}`, style: bold }));
  const more =
    lines.length > room
      ? [{ text: `  … ${lines.length - room} more lines: o shows its terminal`, style: faint }]
      : [];
  if (dialog.reason) {
    bar(grid, [head, ...shown, ...more, { text: '' }, { text: '' }]);
    drawEdit(grid, 'deny, because: ', dialog.reason, 'enter denies, esc goes back');
    return;
  }
  const keys =
    question.kind === 'permission'
      ? 'y allow   n deny   r deny with a reason   esc leaves'
      : 'enter opens its terminal: this is answered there   esc leaves';
  bar(grid, [head, ...shown, ...more, { text: keys, style: bold }]);
}

function drawForm(grid: Grid, { fields, at }: Extract<Dialog, { kind: 'new' }>): void {
  const width = Math.max(...fields.map(({ label }) => label.length));
  const lines = fields.map((field, index) => {
    const value = 'edit' in field ? oneLine(field.edit.text) : `‹ ${field.options[field.chosen] ?? ''} ›`;
    return { text: `${field.label.padEnd(width)}  ${value}`, style: index === at ? bold : plain };
  });
  bar(grid, [
    { text: 'New session', style: over(bold, cyan) },
    ...lines,
    { text: 'tab next field   left/right choose   enter starts it   esc leaves', style: faint },
  ]);
  const field = fields[at];
  if (!field || !('edit' in field)) return;
  const row = grid.rows - 1 - fields.length + at;
  const column = 1 + width + 2 + columnsOf(oneLine(field.edit.text.slice(0, field.edit.at)));
  grid.cursor = { row, column: Math.min(grid.columns - 1, column) };
}

function drawMessages(
  grid: Grid,
  state: State,
  dialog: Extract<Dialog, { kind: 'messages' }>,
  now: number,
): void {
  const messages = state.detail?.id === dialog.id ? state.detail.messages : [];
  const lines = messages.map((message, at) => {
    const { text, style } = messageRow(message, now);
    return { text, style: at === dialog.at ? over(style, reverse) : style };
  });
  const empty = [{ text: 'No messages yet.', style: faint }];
  const top = Math.max(0, dialog.at - (grid.rows - 4));
  page(
    grid,
    `messages of ${nameOf(state, dialog.id)}`,
    lines.length > 0 ? lines : empty,
    top,
    'enter traces it   d withdraws it   q closes',
  );
}

function drawLog(grid: Grid, state: State, dialog: Extract<Dialog, { kind: 'log' }>): void {
  const lines = [...state.log.values()].map(({ argv, code }, at) => ({
    text: `${code === null ? '…' : code === 0 ? '✓' : '✕'} sm ${argv.map(quoted).join(' ')}`,
    style: over(code === null || code === 0 ? plain : red, at === dialog.at ? reverse : ''),
  }));
  const empty = [{ text: 'Nothing was run from here yet.', style: faint }];
  const top = Math.max(0, dialog.at - (grid.rows - 4));
  page(
    grid,
    'commands run from this screen',
    lines.length > 0 ? lines : empty,
    top,
    'enter shows what it printed   q closes',
  );
}

const quoted = (word: string): string =>
  /^[\w@%+=:,./-]+$/.test(word) ? word : `'${oneLine(word).replaceAll("'", "'\\''")}'`;

function drawText(grid: Grid, state: State, { title, run, top }: Extract<Dialog, { kind: 'text' }>): void {
  const ran = state.log.get(run);
  const text = ran?.code === null ? 'running…' : (ran?.out ?? '');
  const style = ran?.code ? red : plain;
  const lines = wrap(safeText(text).trimEnd(), grid.columns - 2).map((line) => ({ text: line, style }));
  page(grid, title, lines, top, 'q closes   y copies');
}

/** A whole page; it ends where its text ends, however far somebody scrolls. */
function page(grid: Grid, title: string, lines: readonly Text[], top: number, keys: string): void {
  const room = Math.max(1, grid.rows - 2);
  const first = Math.max(0, Math.min(top, lines.length - room));
  for (let row = 0; row < grid.rows; row += 1) grid.fill(row, 0, grid.columns, ' ');
  rule(grid, 0, title);
  for (const [at, { text, style }] of lines.slice(first, first + room).entries())
    grid.text(1 + at, 1, cutTo(text, grid.columns - 2), style ?? plain);
  const more =
    lines.length > room ? `${first + 1}–${Math.min(lines.length, first + room)} of ${lines.length}   ` : '';
  grid.text(grid.rows - 1, 1, cutTo(`${more}${keys}`, grid.columns - 2), faint);
}

const hasChildren = ({ sessions }: State, { id }: SessionView): boolean =>
  [...sessions.values()].some(({ parent_session_id }) => parent_session_id === id);

function helpLines(state: State): Text[] {
  const session = selectedSession(state);
  const line = (key: string, words: string): Text => ({ text: `  ${key.padEnd(12)} ${words}` });
  const here = session ? acts.filter((act) => act.can(session)) : [];
  return [
    ...(session ? [{ text: nameOf(state, session.id), style: over(bold, cyan) }] : []),
    ...here.map(({ key, words, command }) => line(key, `${words}  (sm ${command})`)),
    ...(session
      ? [
          line('y', state.detail?.pane ? 'copy what its terminal shows' : 'copy its id'),
          ...sessionChoices(state.choices, session)
            .filter(([key]) => key !== 'space' || hasChildren(state, session))
            .map(([key, words]) => line(key, words)),
          { text: '' },
        ]
      : []),
    { text: 'The list', style: over(bold, cyan) },
    line('up down j k', 'move'),
    line('tab', 'the next one that waits for you'),
    line('/', 'find: name, phase, agent, directory, task'),
    ...listChoices(state.choices).map(([key, words]) => line(key, words)),
    { text: '' },
    { text: 'Anywhere', style: over(bold, cyan) },
    ...general.map(({ key, words, command }) => line(key, `${words}  (sm ${command})`)),
    line(':', 'any other command of sm'),
    line('l', 'what this screen has run'),
    line('m', state.mouse ? 'mouse off, to select text with it' : 'mouse on'),
    line('q', 'quit; the agents go on'),
  ];
}
