// What stands in front of the list and takes the keys.
import type { Edit } from './edit.ts';

export const modes = ['sequential', 'important', 'urgent'] as const;
export type SendMode = (typeof modes)[number];

export type Dialog =
  | { readonly kind: 'filter'; readonly edit: Edit; readonly before: string }
  | { readonly kind: 'command'; readonly edit: Edit }
  | { readonly kind: 'send'; readonly id: string; readonly edit: Edit; readonly mode: SendMode }
  | { readonly kind: 'rename'; readonly id: string; readonly edit: Edit }
  | { readonly kind: 'task'; readonly id: string; readonly edit: Edit }
  /** `question` names the one that is shown: no other is answered. */
  | { readonly kind: 'answer'; readonly id: string; readonly question: string; readonly reason: Edit | null }
  | { readonly kind: 'confirm'; readonly ask: string; readonly argv: readonly string[] }
  | { readonly kind: 'new'; readonly fields: readonly Field[]; readonly at: number }
  | { readonly kind: 'messages'; readonly id: string; readonly at: number }
  | { readonly kind: 'text'; readonly title: string; readonly run: number; readonly top: number }
  | { readonly kind: 'log'; readonly at: number }
  | { readonly kind: 'help'; readonly top: number };

/** One line of the form for a new session. */
export type Field =
  | { readonly name: string; readonly label: string; readonly edit: Edit }
  | {
      readonly name: string;
      readonly label: string;
      readonly options: readonly string[];
      readonly chosen: number;
    };
