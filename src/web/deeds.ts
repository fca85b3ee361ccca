// Does what somebody asks for on the page, and tells what came of it.

import { sentLine } from '../cli/text/message.ts';
import { nameAndId } from '../cli/text/session.ts';
import type { Client } from '../client/client.ts';
import { Refused } from '../client/refused.ts';
import { chosenFor, chosenForList } from '../faces/choices.ts';
import type { SessionView } from '../protocol/session.ts';
import { generalActs, pageActs, type Step } from './acts.ts';
import type { Work } from './dialogs.ts';
import type { Store } from './store.ts';

export type Mode = 'sequential' | 'important' | 'urgent';

export interface Answer {
  readonly decision: 'allow' | 'deny';
  readonly text?: string;
  readonly always?: { readonly pattern?: string; readonly all: boolean };
}

export interface Deeds {
  /** Begins an act of the table. */
  act(command: string, session: SessionView | null): void;
  /** Pins, snoozes or folds by the key for it; null: no session is meant. True: the key means this. */
  choose(key: string, session: SessionView | null): boolean;
  /** True: it was done. */
  perform(work: Work): Promise<boolean>;
  send(session: SessionView, text: string, mode: Mode): Promise<boolean>;
  /** To the question that was seen, and to no other. */
  answer(session: SessionView, question: string, answer: Answer): Promise<boolean>;
  answering(session: SessionView, question: string, answer: Answer): Work;
  readonly client: Client;
}

export function createDeeds(client: Client, store: Store): Deeds {
  const { tell } = store;

  async function perform(work: Work): Promise<boolean> {
    tell({ is: 'dialog', dialog: null });
    tell({ is: 'said', notice: { text: '…', bad: false } });
    try {
      tell({ is: 'said', notice: { text: await work(client), bad: false } });
      return true;
    } catch (error) {
      tell({ is: 'said', notice: { text: whatWentWrong(error), bad: true } });
      return false;
    }
  }

  function take(step: Step): void {
    if (step.is === 'do') void perform(step.work);
    if (step.is === 'open') tell({ is: 'dialog', dialog: step.dialog });
    if (step.is !== 'go') return;
    location.hash = step.to;
    if (step.focus !== undefined) tell({ is: 'focus', on: step.focus });
  }

  return {
    client,
    perform,
    act(command, session) {
      const step = session ? pageActs[command]?.(session) : generalActs[command]?.();
      if (step) take(step);
    },
    choose(key, session) {
      const { choices } = store.state;
      const change = chosenForList(choices, key) ?? (session && chosenFor(choices, session, key, Date.now()));
      if (change) tell({ is: 'choose', change });
      return change !== null;
    },
    send: (session, text, mode) =>
      perform(async () => {
        const sentAt = Date.now();
        const body = { text, delivery_mode: mode };
        const answer = await client.ask('POST /sessions/{ref}/input', { ref: session.id, body });
        return sentLine(session, answer, sentAt);
      }),
    answer: (...given) => perform(answering(...given)),
    answering,
  };
}

function answering(session: SessionView, question: string, { decision, text, always }: Answer): Work {
  return async (client) => {
    const body = { decision, question, ...(text && { text }), ...(always && { always }) };
    const { rule } = await client.ask('POST /sessions/{ref}/answer', { ref: session.id, body });
    const word = decision === 'allow' ? 'Allowed' : 'Denied';
    const more = rule ? ` From now on: ${rule.decision} ${rule.pattern}` : '';
    return `${word}: ${nameAndId(session)} has your answer.${more}`;
  };
}

function whatWentWrong(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return 'The daemon did not answer, so that it is not known whether this was done. Look before you try again.';
}
