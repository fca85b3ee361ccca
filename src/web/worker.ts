// What the service worker shows of what is pushed, and what a tap on Allow or Deny does. An answer goes the same way as that
// of the page, with the same secrets, and is held against the question that it names.
import { readWorkerKey } from './worker-key.ts';

/** What the daemon pushes. */
export interface Pushed {
  readonly title: string;
  readonly body: string;
  /** The session: a newer one of it takes the place of the one before. */
  readonly tag: string;
  readonly path: string;
  /** The question that can be answered; null: there is none. */
  readonly question: string | null;
}

export interface Shown {
  readonly title: string;
  readonly options: NotificationOptions & {
    readonly renotify?: boolean;
    readonly actions?: readonly { readonly action: Decision; readonly title: string }[];
    /** What it was made of, for when it is tapped. */
    readonly data: Pushed;
  };
}

type Decision = 'allow' | 'deny';

const icon = '/icon.svg';

export function shownFor(pushed: Pushed): Shown {
  const { title, body, tag, question } = pushed;
  const shown = { body, tag, icon, data: pushed };
  if (question === null) return { title, options: { ...shown, renotify: true } };
  // It stands there until somebody answers, as the agent does.
  return { title, options: { ...shown, renotify: true, requireInteraction: true, actions } };
}

const actions = [
  { action: 'allow', title: 'Allow' },
  { action: 'deny', title: 'Deny' },
] as const;

/** Answers, and says what came of it in the place of the question. */
export async function answered(pushed: Pushed, decision: Decision): Promise<Shown> {
  const { title, tag } = pushed;
  const over = (body: string): Shown => ({
    title,
    options: { body, tag, icon, silent: true, data: { ...pushed, question: null } },
  });
  const key = await readWorkerKey();
  if (key === null) return over(signedOut);
  const answer = await ask(pushed, decision, key).catch(() => null);
  // Whether it arrived is not known. The same answer twice is one: the question is named.
  if (answer === null) {
    const again = shownFor({ ...pushed, body: `${noAnswer} ${pushed.body}` });
    return { ...again, options: { ...again.options, data: pushed } };
  }
  if (answer.status === 401) return over(signedOut);
  const { question, detail } = (await answer.json()) as { question?: string; detail?: string };
  if (answer.ok) return over(`${decision === 'allow' ? 'Allowed' : 'Denied'}: ${question}`);
  return over(detail ?? `The daemon answered ${answer.status}.`);
}

const noAnswer = 'The daemon did not answer: try again.';
const signedOut = 'This browser is not signed in: sm open or sm pair signs it in.';

const ask = ({ tag, question }: Pushed, decision: Decision, key: string): Promise<Response> =>
  fetch(`/sessions/${tag}/answer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-sm-page': key },
    body: JSON.stringify({ decision, question }),
    credentials: 'same-origin',
    cache: 'no-store',
    redirect: 'error',
  });
