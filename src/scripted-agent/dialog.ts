// A question with numbered answers that stands where the composer stood. Keys move the mark or answer;
// pasted text is ignored, because a dialog has no text to put it in.

import type { Input } from './keys.ts';

export interface Dialog<Answer = unknown> {
  readonly heading: readonly string[];
  readonly options: readonly { readonly label: string; readonly answer: Answer }[];
  readonly footer: string;
  readonly marked: number;
  /** What Escape means. */
  readonly cancel: Answer;
}

export type DialogStep<Answer> = { dialog: Dialog<Answer> } | { answer: Answer };

export function answerDialog<Answer>(dialog: Dialog<Answer>, input: Input): DialogStep<Answer> {
  if (input.kind === 'paste') return { dialog };
  if (input.kind === 'text') {
    const chosen = dialog.options[Number(input.text[0]) - 1];
    return chosen ? { answer: chosen.answer } : { dialog };
  }
  switch (input.key) {
    case 'enter':
      return { answer: dialog.options[dialog.marked]!.answer };
    case 'escape':
    case 'ctrl-c':
      return { answer: dialog.cancel };
    case 'up':
      return { dialog: { ...dialog, marked: Math.max(0, dialog.marked - 1) } };
    case 'down':
      return { dialog: { ...dialog, marked: Math.min(dialog.options.length - 1, dialog.marked + 1) } };
    default:
      return { dialog };
  }
}

export type Permission = 'yes' | 'always' | 'no';

export const permissionDialog = (title: string, about: string, cwd: string): Dialog<Permission> => ({
  heading: [title, '', ...about.split('\n').map((line) => `  ${line}`), '', 'Do you want to proceed?'],
  options: [
    { label: '1. Yes', answer: 'yes' },
    { label: `2. Yes, and always allow access to ${cwd} from this project`, answer: 'always' },
    { label: '3. No', answer: 'no' },
  ],
  footer: 'Esc to cancel · Tab to amend',
  marked: 0,
  cancel: 'no',
});

/** The safe answer is the marked one: an Enter typed blindly at start ends the program. */
export const trustDialog = (cwd: string): Dialog<boolean> => ({
  heading: [
    'Accessing workspace:',
    '',
    cwd,
    '',
    'Quick safety check: Is this a project you created or one you trust?',
    "Claude Code'll be able to read, edit, and execute files here.",
    '',
  ],
  options: [
    { label: 'No, exit', answer: false },
    { label: 'Yes, I trust this folder', answer: true },
  ],
  footer: 'Enter to confirm · Esc to cancel',
  marked: 0,
  cancel: false,
});
