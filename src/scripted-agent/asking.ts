// Shows one dialog at a time in place of the composer, and gives its keys to it.

import { answerDialog, type Dialog } from './dialog.ts';
import type { Input } from './keys.ts';
import type { View } from './view.ts';

export interface Asking {
  /** An aborted question is taken away and never answered. */
  ask<Answer>(question: Dialog<Answer>, signal?: AbortSignal): Promise<Answer>;
  /** False when no dialog stands there. */
  handle(input: Input): boolean;
}

export function createAsking(view: View, refresh: () => void): Asking {
  let answer: ((input: Input) => void) | null = null;

  return {
    ask: (question, signal) =>
      new Promise((resolve) => {
        let dialog = question;
        const close = () => {
          view.dialog = null;
          answer = null;
          refresh();
        };
        signal?.addEventListener('abort', close, { once: true });
        view.dialog = dialog;
        answer = (input) => {
          const step = answerDialog(dialog, input);
          if ('dialog' in step) {
            view.dialog = dialog = step.dialog;
            refresh();
          } else {
            close();
            resolve(step.answer);
          }
        };
        refresh();
      }),
    handle(input) {
      if (!answer) return false;
      answer(input);
      return true;
    },
  };
}
