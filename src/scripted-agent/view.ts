// Everything that the screen shows, as one value that the rest of the program writes to.

import { type Composer, emptyComposer } from './composer.ts';
import type { Dialog } from './dialog.ts';

export interface View {
  /** What has been said so far, oldest first. */
  log: LogEntry[];
  composer: Composer;
  /** What the spinner says, or null when nothing runs. */
  spinner: Spinner | null;
  /** Prompts that wait for the running turn. */
  queued: readonly string[];
  dialog: Dialog | null;
  rewind: boolean;
  statusLine: string | null;
  /** Right above the box. */
  hint: string | null;
  footer: string;
}

export interface LogEntry {
  kind: 'prompt' | 'shell' | 'answer' | 'result' | 'end' | 'note';
  text: string;
}

export interface Spinner {
  verb: string;
  since: number;
  frame: number;
}

const FOOTERS: Record<string, string> = {
  bypassPermissions: '⏵⏵ bypass permissions on (shift+tab to cycle)',
  acceptEdits: '⏵⏵ accept edits on (shift+tab to cycle)',
  auto: '⏵⏵ auto mode on (shift+tab to cycle)',
  plan: '⏸ plan mode on (shift+tab to cycle)',
  default: '⏸ manual mode on',
};

export const createView = (permissionMode: string): View => ({
  log: [],
  composer: emptyComposer,
  spinner: null,
  queued: [],
  dialog: null,
  rewind: false,
  statusLine: null,
  hint: null,
  footer: FOOTERS[permissionMode] ?? '',
});
