// Keys while a dialog stands open.
import type { Dialog, Field } from './dialogs.ts';
import { modes } from './dialogs.ts';
import { type Edit, edited, emptyEdit, inserted } from './edit.ts';
import { spawnCommand } from './new-session.ts';
import { and, noted, run, showText } from './next.ts';
import { shellWords } from './shell-words.ts';
import { arranged, type Next, type State } from './state.ts';

type Of<Kind extends Dialog['kind']> = Extract<Dialog, { kind: Kind }>;

/** Commands that take the whole terminal while they run. */
const takesTerminal = new Set(['attach', 'takeover', 'demo', 'setup', 'uninstall']);

const closed = (state: State): Next => and({ ...state, dialog: null });

export function dialogKey(state: State, key: string): Next {
  const { dialog } = state;
  if (!dialog) return and(state);
  if (key === 'ctrl+c' || key === 'escape') return left(state, dialog);
  if (key === 'ctrl+z') return and(state, { do: 'suspend' });
  switch (dialog.kind) {
    case 'filter':
      return filterKey(state, dialog, key);
    case 'command':
      return key === 'enter' ? commandLine(state, dialog.edit.text) : edit(state, dialog, key);
    case 'send':
      return sendKey(state, dialog, key);
    case 'rename':
      return key === 'enter' ? named(state, ['name', dialog.id], dialog) : edit(state, dialog, key);
    case 'task':
      return key === 'enter' ? named(state, ['task', dialog.id], dialog) : edit(state, dialog, key);
    case 'answer':
      return answerKey(state, dialog, key);
    case 'confirm':
      if (key === 'y' || key === 'Y') return run(state, dialog.argv);
      return key === 'n' || key === 'N' || key === 'q' ? closed(state) : and(state);
    case 'new':
      return newKey(state, dialog, key);
    case 'messages':
      return messagesKey(state, dialog, key);
    case 'text':
    case 'help':
      return pagerKey(state, dialog, key);
    case 'log':
      return logKey(state, dialog, key);
  }
}

/** What was half written is there again the next time. */
function left(state: State, dialog: Dialog): Next {
  if (dialog.kind === 'filter')
    return and({ ...state, dialog: null, choices: { ...state.choices, filter: dialog.before } });
  if (dialog.kind === 'answer' && dialog.reason)
    return and({ ...state, dialog: { ...dialog, reason: null } });
  const drafts = new Map(state.drafts);
  if (dialog.kind === 'send') keepDraft(drafts, dialog.id, dialog.edit);
  if (dialog.kind === 'command') keepDraft(drafts, ':', dialog.edit);
  return and({ ...state, drafts, dialog: null });
}

function keepDraft(drafts: Map<string, Edit>, name: string, draft: Edit): void {
  if (draft.text.trim() === '') drafts.delete(name);
  else drafts.set(name, draft);
}

function edit(state: State, dialog: Of<'command' | 'send' | 'rename' | 'task'>, key: string): Next {
  const next = edited(dialog.edit, key);
  return next ? and({ ...state, dialog: { ...dialog, edit: next } }) : and(state);
}

export function dialogPaste(state: State, text: string): Next {
  const { dialog } = state;
  if (!dialog) return and(state);
  const oneLine = text.replace(/\s*\n\s*/g, ' ');
  switch (dialog.kind) {
    case 'send':
      return and({ ...state, dialog: { ...dialog, edit: inserted(dialog.edit, text) } });
    case 'command':
    case 'rename':
    case 'task':
      return and({ ...state, dialog: { ...dialog, edit: inserted(dialog.edit, oneLine) } });
    case 'filter':
      return filtered(state, dialog, inserted(dialog.edit, oneLine));
    case 'answer':
      return and({
        ...state,
        dialog: { ...dialog, reason: dialog.reason && inserted(dialog.reason, oneLine) },
      });
    case 'new': {
      const field = dialog.fields[dialog.at];
      if (!field || !('edit' in field)) return and(state);
      const given = field.name === 'prompt' ? text : oneLine;
      return and({ ...state, dialog: withField(dialog, { ...field, edit: inserted(field.edit, given) }) });
    }
    default:
      return and(state);
  }
}

function filterKey(state: State, dialog: Of<'filter'>, key: string): Next {
  if (key === 'enter') return and({ ...state, dialog: null }, { do: 'keep', choices: state.choices });
  const next = edited(dialog.edit, key);
  return next ? filtered(state, dialog, next) : and(state);
}

/** The list follows each letter. */
function filtered(state: State, dialog: Of<'filter'>, next: Edit): Next {
  const choices = { ...state.choices, filter: next.text };
  return and(arranged({ ...state, choices, dialog: { ...dialog, edit: next } }));
}

function commandLine(state: State, line: string): Next {
  const drafts = new Map(state.drafts);
  drafts.delete(':');
  const next = { ...state, drafts, dialog: null };
  const words = shellWords(line);
  if ('error' in words) return noted(state, words.error, true);
  // `.` is the session under the cursor.
  const argv = words.words.map((word) => (word === '.' && state.selected !== null ? state.selected : word));
  const [command] = argv[0] === 'sm' ? argv.splice(0, 1) && argv : argv;
  if (command === undefined) return and(next);
  if (takesTerminal.has(command)) return and(next, { do: 'hand-over', argv });
  return showText(next, argv, argv.join(' '));
}

function sendKey(state: State, dialog: Of<'send'>, key: string): Next {
  if (key === 'tab') {
    const mode = modes[(modes.indexOf(dialog.mode) + 1) % modes.length] ?? 'sequential';
    return and({ ...state, dialog: { ...dialog, mode } });
  }
  if (key !== 'enter') return edit(state, dialog, key);
  if (dialog.edit.text.trim() === '') return closed(state);
  const drafts = new Map(state.drafts);
  drafts.delete(dialog.id);
  const flag = dialog.mode === 'sequential' ? [] : [`--${dialog.mode}`];
  return run({ ...state, drafts }, ['send', dialog.id, ...flag, '--', dialog.edit.text]);
}

function named(state: State, argv: readonly string[], { edit: { text } }: { readonly edit: Edit }): Next {
  return text.trim() === '' ? closed(state) : run(state, [...argv, '--', text.trim()]);
}

function answerKey(state: State, dialog: Of<'answer'>, key: string): Next {
  const { id, question, reason } = dialog;
  const given = (decision: string, text: string[] = []) =>
    run(state, ['answer', id, decision, '--question', question, ...text]);
  if (reason) {
    if (key === 'enter') return given('deny', reason.text.trim() === '' ? [] : ['--', reason.text.trim()]);
    const next = edited(reason, key);
    return next ? and({ ...state, dialog: { ...dialog, reason: next } }) : and(state);
  }
  // A dialog of the agent's own can only be answered where it stands.
  if (state.sessions.get(id)?.question?.kind !== 'permission')
    return key === 'enter'
      ? and({ ...state, dialog: null }, { do: 'hand-over', argv: ['attach', id] })
      : and(state);
  if (key === 'y') return given('allow');
  if (key === 'n') return given('deny');
  return key === 'r' ? and({ ...state, dialog: { ...dialog, reason: emptyEdit } }) : and(state);
}

const withField = (dialog: Of<'new'>, field: Field): Of<'new'> => ({
  ...dialog,
  fields: dialog.fields.map((each, index) => (index === dialog.at ? field : each)),
});

function newKey(state: State, dialog: Of<'new'>, key: string): Next {
  const { fields, at } = dialog;
  const field = fields[at];
  if (!field) return and(state);
  const go = (by: number) =>
    and({ ...state, dialog: { ...dialog, at: (at + by + fields.length) % fields.length } });
  if (key === 'tab' || key === 'down') return go(1);
  if (key === 'shift+tab' || key === 'up') return go(-1);
  if (key === 'enter') {
    const made = spawnCommand(fields);
    if ('argv' in made) return run(state, made.argv);
    return at === made.missing
      ? noted(state, 'A new session needs a prompt.', true)
      : and({ ...state, dialog: { ...dialog, at: made.missing } });
  }
  if ('edit' in field) {
    const next = edited(field.edit, key);
    return next ? and({ ...state, dialog: withField(dialog, { ...field, edit: next }) }) : and(state);
  }
  const by = key === 'left' ? -1 : key === 'right' || key === ' ' ? 1 : 0;
  const chosen = (field.chosen + by + field.options.length) % field.options.length;
  return and({ ...state, dialog: withField(dialog, { ...field, chosen }) });
}

function messagesKey(state: State, dialog: Of<'messages'>, key: string): Next {
  const messages = state.detail?.id === dialog.id ? state.detail.messages : [];
  const at = listMove(key, dialog.at, messages.length);
  if (at !== undefined) return and({ ...state, dialog: { ...dialog, at } });
  const message = messages[dialog.at];
  if (key === 'q') return closed(state);
  if (key === 'd' && message) return run(state, ['withdraw', message.id]);
  return (key === 'enter' || key === 't') && message
    ? showText(state, ['trace', message.id], `trace ${message.id}`)
    : and(state);
}

function logKey(state: State, dialog: Of<'log'>, key: string): Next {
  const at = listMove(key, dialog.at, state.log.size);
  if (at !== undefined) return and({ ...state, dialog: { ...dialog, at } });
  if (key === 'q' || key === 'l') return closed(state);
  const [number, ran] = [...state.log][dialog.at] ?? [];
  if (key !== 'enter' || number === undefined || !ran) return and(state);
  return and({ ...state, dialog: { kind: 'text', title: `sm ${ran.argv.join(' ')}`, run: number, top: 0 } });
}

function listMove(key: string, at: number, count: number): number | undefined {
  const last = Math.max(0, count - 1);
  if (key === 'down' || key === 'j') return Math.min(last, at + 1);
  if (key === 'up' || key === 'k') return Math.max(0, at - 1);
  if (key === 'home' || key === 'g') return 0;
  return key === 'end' || key === 'G' ? last : undefined;
}

/** The view knows how long the text is, and stops at its end. */
function pagerKey(state: State, dialog: Of<'text' | 'help'>, key: string): Next {
  const page = Math.max(1, state.size.rows - 4);
  const to = (top: number): Next => and({ ...state, dialog: { ...dialog, top: Math.max(0, top) } });
  const { top } = dialog;
  switch (key) {
    case 'q':
    case 'enter':
    case '?':
      return closed(state);
    case 'down':
    case 'j':
      return to(top + 1);
    case 'up':
    case 'k':
      return to(top - 1);
    case 'pagedown':
    case ' ':
      return to(top + page);
    case 'pageup':
      return to(top - page);
    case 'home':
    case 'g':
      return to(0);
    case 'end':
    case 'G':
      return to(Number.POSITIVE_INFINITY);
    case 'y':
      return dialog.kind === 'text' ? copyText(state, dialog) : and(state);
    default:
      return and(state);
  }
}

function copyText(state: State, { run: number }: Of<'text'>): Next {
  const text = state.log.get(number)?.out ?? '';
  return noted(state, 'Copied the text.', false, { do: 'copy', text });
}

export function wheelIn(state: State, act: 'up' | 'down'): Next {
  const { dialog } = state;
  if (dialog?.kind === 'text' || dialog?.kind === 'help') {
    const top = Math.max(0, dialog.top + (act === 'up' ? -3 : 3));
    return and({ ...state, dialog: { ...dialog, top } });
  }
  return dialogKey(state, act);
}
