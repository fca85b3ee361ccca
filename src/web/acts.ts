// How the page does each act of the one table that all faces share. A test holds one against the other.

import { stateText } from '../cli/text/message.ts';
import { oneLine } from '../cli/text/safe.ts';
import { nameAndId } from '../cli/text/session.ts';
import type { Client } from '../client/client.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Dialog, Work } from './dialogs.ts';
import { sessionLink } from './route.ts';

/** What beginning an act comes to. */
export type Step =
  | { readonly is: 'do'; readonly work: Work }
  | { readonly is: 'open'; readonly dialog: Dialog }
  /** `focus`: what is then ready to be typed into or pressed. */
  | { readonly is: 'go'; readonly to: string; readonly focus?: string };

const plainText = { outputIsTerminal: false, env: {}, now: Date.now };

export const pageActs: Readonly<Record<string, (session: SessionView) => Step>> = {
  attach: ({ id }) => ({ is: 'go', to: sessionLink(id, 'terminal') }),
  send: ({ id }) => ({ is: 'go', to: sessionLink(id), focus: '.composer textarea' }),
  answer: ({ id }) => ({ is: 'go', to: sessionLink(id), focus: '.question button' }),
  interrupt: (session) => ({
    is: 'do',
    work: async (client) => {
      const { status } = await client.ask('POST /sessions/{ref}/interrupt', { ref: session.id });
      return status === 'over'
        ? `The turn of ${nameAndId(session)} was over already.`
        : `${nameAndId(session)} was interrupted.`;
    },
  }),
  clear: (session) =>
    confirm(
      `Clear ${nameAndId(session)}?`,
      'It begins a new context and remembers nothing of this one. What waits for it stays.',
      'Clear its context',
      async (client) => {
        const { context } = await client.ask('POST /sessions/{ref}/clear', { ref: session.id, body: {} });
        return `${nameAndId(session)} was cleared: context ${context} begins.`;
      },
    ),
  name: (session) =>
    line(session, 'Rename', 'Name', session.friendly_name ?? session.name, (name) => async (client) => {
      await client.ask('PATCH /sessions/{ref}', { ref: session.id, body: { friendly_name: name } });
      return `${session.id} is now called ${oneLine(name)}.`;
    }),
  task: (session) =>
    line(session, 'Set the task of', 'Task', session.current_task ?? '', (task) => async (client) => {
      await client.ask('PUT /sessions/{ref}/task', { ref: session.id, body: { task } });
      return `The task of ${nameAndId(session)}: ${oneLine(task)}`;
    }),
  restore: (session) => ({
    is: 'do',
    work: async (client) => {
      await client.ask('POST /sessions/{ref}/restore', { ref: session.id, body: {} });
      return `${nameAndId(session)} starts again, with its conversation.`;
    },
  }),
  kill: (session) =>
    confirm(
      `End ${nameAndId(session)}?`,
      'Its agent is ended. sm restore brings it back with its conversation.',
      'End it',
      async (client) => {
        await client.ask('POST /sessions/{ref}/kill', { ref: session.id });
        return `${nameAndId(session)} was killed. sm restore ${session.id} brings it back.`;
      },
    ),
  trace: ({ id }) => ({ is: 'go', to: sessionLink(id), focus: '.messages a' }),
  why: (session) =>
    text(`Why is ${nameAndId(session)} ${session.phase}?`, (client) => why(client, session.id)),
  output: (session) =>
    text(`The terminal of ${nameAndId(session)}`, async (client) => {
      const query = { lines: 1_000 };
      const { output } = await client.ask('GET /sessions/{ref}/output', { ref: session.id, query });
      return output.trimEnd() || 'It shows nothing.';
    }),
  tail: ({ id }) => ({ is: 'go', to: sessionLink(id, 'events') }),
  queue: (session) => text(`What waits for ${nameAndId(session)}`, (client) => queue(client, session.id)),
  contexts: ({ id }) => ({ is: 'go', to: sessionLink(id, 'context') }),
  diff: ({ id }) => ({ is: 'go', to: sessionLink(id, 'changes') }),
};

/** Acts that need no session. */
export const generalActs: Readonly<Record<string, () => Step>> = {
  spawn: () => ({ is: 'open', dialog: { is: 'spawn' } }),
};

const confirm = (title: string, words: string, button: string, work: Work): Step => ({
  is: 'open',
  dialog: { is: 'confirm', title, text: words, button, work },
});

const line = (
  session: SessionView,
  verb: string,
  label: string,
  value: string,
  work: (text: string) => Work,
): Step => ({
  is: 'open',
  dialog: { is: 'line', title: `${verb} ${nameAndId(session)}`, label, value, button: 'Save', work },
});

const text = (title: string, load: Work): Step => ({ is: 'open', dialog: { is: 'text', title, load } });

/** The words for all kinds of events are many, and are loaded when somebody asks. */
async function why(client: Client, ref: string): Promise<string> {
  const { whyLines } = await import('../cli/text/why.ts');
  const [, ...lines] = whyLines(plainText, await client.ask('GET /sessions/{ref}/why', { ref }));
  return lines.map((each) => each.trim()).join('\n');
}

async function queue(client: Client, ref: string): Promise<string> {
  const { pending_messages, pending_commands } = await client.ask('GET /sessions/{ref}/send-queue', { ref });
  const messages = pending_messages.map(
    ({ id, state, why: reason, text: words }) => `#${id} ${stateText(state, reason)}: ${oneLine(words)}`,
  );
  return [...messages, ...pending_commands].join('\n') || 'Nothing waits.';
}
