// Prepares the calling session as the manager of others.
import { defineCommand } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { requireSelf } from '../io.ts';
import { isLive, nameAndId } from '../text/session.ts';
import { given } from '../text-argument.ts';

/** For the agent itself, which learns from it how to wait. */
const rules = `You manage other sessions: your children. You start them, and they report to you.

What wakes you (messages that start with [sm]):
  a turn that you asked for has ended       a child asks a human, or stays blocked
  a child is silent or has exited           a child's context fills up or was compacted
Do not poll and do not sleep. When you can only wait, end your turn: sm wakes you.

Your commands:
  sm spawn "PROMPT" --name NAME             start a child
  sm dispatch NAME --role ROLE …            give it new work from a template, in a new context
  sm send NAME "TEXT" --remind 180          give it more to do; ask for its status after 180 s
  sm review NAME --base main                have its work reviewed; you get the result
  sm children                               list your children, with their last status
  sm wait NAME SECONDS                      wake me when it is idle, or after that time
  sm remind SECONDS "TEXT"                  wake me at a set time
Help: sm COMMAND --help
`;

export default defineCommand({
  usage: '[NAME]',
  about:
    'Makes you a manager: names you (default: em), tells you how full the contexts of your children are, and prints\n' +
    'what wakes you. Only inside a session.',
  options: {},
  async run({ args: [name = 'em'], io, client }) {
    const self = requireSelf(io, "Only an agent can be a manager: run this from the agent's shell.");
    const session = await client.ask('PATCH /sessions/{ref}', {
      ref: self,
      body: { friendly_name: given('name', name) },
    });
    const { children } = await client.ask('GET /sessions/{ref}/children', { ref: self });
    const live = children.filter(isLive);
    for (const { id } of live) await monitor(client, id, self);
    const heard = live.map(nameAndId).join(', ');
    io.out(`You are ${nameAndId(session)}.\n`);
    if (heard) io.out(`sm tells you how full the contexts of your children are: ${heard}\n`);
    io.out(
      `For each child you start later, run: sm context-monitor enable NAME --notify ${self}\n\n${rules}`,
    );
  },
});

function monitor(client: Client, child: string, self: string): Promise<unknown> {
  return client.ask('POST /sessions/{ref}/context-monitor', {
    ref: child,
    body: {
      enabled: true,
      notify_session_id: self,
      requester_session_id: self,
    },
  });
}
