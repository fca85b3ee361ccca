// The form for a new session, and the command that it becomes.
import type { Dialog, Field } from './dialogs.ts';
import { editOf, emptyEdit } from './edit.ts';
import { type State, selectedSession } from './state.ts';

const noProfile = 'none';
const inDirectory = 'none: in the directory itself';
const ofItsOwn = 'a new one, with a branch of its own';

export function newSession(state: State): Dialog {
  const beside = selectedSession(state);
  const fields: Field[] = [
    {
      name: 'agent',
      label: 'Agent',
      options: state.providers,
      chosen: Math.max(0, state.providers.indexOf(beside?.provider ?? '')),
    },
    { name: 'name', label: 'Name', edit: emptyEdit },
    { name: 'directory', label: 'Directory', edit: editOf(beside?.working_dir ?? '') },
    { name: 'profile', label: 'Profile', options: [noProfile], chosen: 0 },
    { name: 'worktree', label: 'Worktree', options: [inDirectory, ofItsOwn], chosen: 0 },
    { name: 'tags', label: 'Tags', edit: emptyEdit },
    { name: 'prompt', label: 'Prompt', edit: emptyEdit },
  ];
  return { kind: 'new', fields, at: 1 };
}

/** The profiles are asked for when the form opens. */
export function withProfiles(dialog: Dialog | null, names: readonly string[]): Dialog | null {
  if (dialog?.kind !== 'new') return dialog;
  const fields = dialog.fields.map((field) =>
    field.name === 'profile' && 'options' in field ? { ...field, options: [noProfile, ...names] } : field,
  );
  return { ...dialog, fields };
}

/** Undefined: something is missing, and `missing` says what. */
export function spawnCommand(fields: readonly Field[]): { argv: string[] } | { missing: number } {
  const value = (name: string): string => {
    const field = fields.find((each) => each.name === name);
    if (!field) return '';
    return 'edit' in field ? field.edit.text.trim() : (field.options[field.chosen] ?? '');
  };
  if (value('prompt') === '') return { missing: fields.findIndex(({ name }) => name === 'prompt') };
  const option = (flag: string, given: string) => (given === '' ? [] : [flag, given]);
  return {
    argv: [
      'spawn',
      value('agent'),
      ...option('--name', value('name')),
      ...option('--working-dir', value('directory')),
      ...option('--profile', value('profile') === noProfile ? '' : value('profile')),
      ...(value('worktree') === ofItsOwn ? ['--worktree'] : []),
      ...value('tags')
        .split(/[\s,]+/)
        .filter(Boolean)
        .flatMap((tag) => ['--tag', tag]),
      '--',
      value('prompt'),
    ],
  };
}
