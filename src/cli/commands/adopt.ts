import type { ConversationView } from '../../protocol/conversation.ts';
import { byId, inPane, listed, picked } from '../adopt/find.ts';
import { called, conversationLines } from '../adopt/text.ts';
import { wholeNumber } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { environment, type Io } from '../io.ts';
import { sessionOptionSpecs, sessionOptions, sessionUsage } from '../session-options.ts';
import { directory } from '../text/directory.ts';
import { safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';
import { untilStarted } from '../wait-for-start.ts';

export default defineCommand({
  usage: `[PANE] [--socket PATH] [--conversation ID] [--pick] [--end] [--agent AGENT] [-n N] [--name NAME] [--model MODEL] ${sessionUsage} [--json] [-- ARGS…]`,
  about:
    'Goes on with a conversation that sm did not start, in a session of its own. PANE is a pane of your own tmux (%12) in\n' +
    'which an agent runs. Without anything, lists the conversations that the agents keep, the newest first. A conversation\n' +
    'has one owner: an agent that has it open must leave it first, or is ended when you say so. Only a person may adopt.',
  options: {
    conversation: { value: 'ID', help: 'the conversation with this id' },
    pick: { help: 'choose one from the list' },
    socket: {
      value: 'PATH',
      help: 'the socket of the tmux server that PANE is in (default: the one you are in)',
    },
    end: { help: 'end the agent that has it open, without a question; its turn is cut' },
    agent: { value: 'AGENT', help: 'only conversations of this kind of agent' },
    lines: { value: 'N', short: 'n', help: 'list so many (default: 20)' },
    name: { value: 'NAME', help: 'name of the session' },
    model: { value: 'MODEL', help: 'model to use' },
    ...sessionOptionSpecs,
    json: jsonOption,
  },
  handsOn: true,
  async run({ args: [pane], options, rest, io, client }) {
    const { conversation: id, pick, socket, json } = options;
    if ([pane, id, pick || undefined].filter((each) => each !== undefined).length > 1)
      throw new Failure('Name one thing to adopt: a PANE, --conversation ID, or --pick.');
    const finding = { provider: options.agent, limit: wholeNumber('-n', options.lines, 1) || 20 };
    if (pane === undefined && id === undefined && !pick) {
      const conversations = await listed(io, client, finding);
      if (json) return io.out(safeJson({ conversations }));
      if (conversations.length === 0) return io.out('No conversations.\n');
      io.out(`${conversationLines(io, conversations, { numbered: false }).join('\n')}\n`);
      return io.err('Go on with one: sm adopt --conversation ID, or choose: sm adopt --pick\n');
    }
    const found =
      pane !== undefined
        ? await inPane(io, client, finding, { pane, socket })
        : id !== undefined
          ? await byId(io, client, finding, id)
          : await picked(io, client, finding);
    const end_pid = await toEnd(io, found, options.end);
    const session = await client.ask('POST /conversations/adopt', {
      body: {
        ...{ provider: found.provider, id: found.id, end_pid },
        name: given('name', options.name),
        model: given('model', options.model),
        options: sessionOptions(io, options, rest),
        ...(options.tag.length > 0 && { tags: [...options.tag] }),
        env: environment(io),
      },
    });
    const more = await untilStarted(io, client, { id: session.id, called: nameAndId(session) });
    if (json) return io.out(safeJson(session));
    io.out(`Adopted ${called(io, found)}: ${nameAndId(session)} in ${directory(session.working_dir)}\n`);
    io.out(more || `Attach with: sm attach ${session.id}\n`);
  },
});

/** The process that the user wants to end for it; undefined: none has it open. */
async function toEnd(io: Io, found: ConversationView, yes: boolean): Promise<number | undefined> {
  const { open, session } = found;
  // Whose it is, the daemon says better.
  if (!open || session || open.pid === null) return undefined;
  if (yes) return open.pid;
  if (!io.inputIsTerminal || !io.outputIsTerminal)
    throw new Failure(
      `${called(io, found)} is open (pid ${open.pid}), and a conversation has one owner. Leave it there (/exit) and try again, or add --end to end it.`,
    );
  const said = await io.ask(
    `${called(io, found)} is open (pid ${open.pid}). End it there, whatever it is doing, and go on in a session of sm? [y/N] `,
  );
  if (!/^y(es)?$/i.test(said.trim()))
    throw new Failure('Nothing was done. Leave the conversation there (/exit), and adopt it then.');
  return open.pid;
}
