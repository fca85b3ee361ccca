// Prepares the calling session as the manager of others.
import type { SessionView } from '../../protocol/session.ts';
import { type Client, sessionPath } from '../client.ts';
import { defineCommand } from '../command.ts';
import { given } from '../limits.ts';
import { requireSelf } from '../self.ts';
import { isLive, nameAndId } from '../session-text.ts';

/** For the agent itself, which learns from it how to wait. */
const rules = `You manage other sessions: your children, whom you start and who report to you.

What wakes you, as messages that begin with [sm]:
  the end of a turn that you asked for      a child that asks a human, or stays blocked
  a child that is silent or has exited      a compaction of a child, or that its context fills up
So do not poll, and do not sleep: when you have nothing to do but wait, end your turn. You are woken.

What you have:
  sm spawn "PROMPT" --name NAME             a new child
  sm dispatch NAME --role ROLE …            its next work, from a template, in a new context
  sm send NAME "TEXT" --remind 180          more to do; it is asked for its status every 180 s
  sm review NAME --base main                Codex reviews what it did; you are told the result
  sm children                               who they are, what they do, what they last reported
  sm wait NAME SECONDS                      be woken when it is idle, or after that time
  sm remind SECONDS "TEXT"                  be woken at a time of your own
sm COMMAND --help says more of each.
`;

export default defineCommand({
  usage: '[NAME]',
  about:
    'Prepares you, a session, as a manager: names you (em, if no name is given), has you told how full the contexts of\n' +
    'your children are, and prints what wakes you. Only inside a session.',
  options: {},
  arity: [0, 1],
  async run({ args: [name = 'em'], io, client }) {
    const self = requireSelf(io, 'A manager is an agent: run this from its shell.');
    const session = await client.send<SessionView>('PATCH', sessionPath(self), {
      friendly_name: given('name', name),
    });
    const { children } = await client.get<{ children: SessionView[] }>(sessionPath(self, '/children'));
    const live = children.filter(isLive);
    for (const { id } of live) await monitor(client, id, self);
    const heard = live.map(nameAndId).join(', ');
    io.out(`You are ${nameAndId(session)}.\n`);
    if (heard) io.out(`You hear how full the contexts of your children are: ${heard}\n`);
    io.out(`For a child that you start later: sm context-monitor enable NAME --notify ${self}\n\n${rules}`);
  },
});

function monitor(client: Client, child: string, self: string): Promise<unknown> {
  return client.send('POST', sessionPath(child, '/context-monitor'), {
    enabled: true,
    notify_session_id: self,
    requester_session_id: self,
  });
}
