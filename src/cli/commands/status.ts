// Without words: the whole system at a glance. With words: what the session that calls is doing.
import type { SessionView } from '../../protocol/session.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { type Client, Refusal, sessionPath } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { given } from '../given.ts';
import { ownSessionId, printLines, requireSelf } from '../io.ts';
import { overviewLines } from '../text/overview.ts';
import { oneLine, safeJson } from '../text/safe.ts';

export default defineCommand({
  usage: '["TEXT"] [--json]',
  about:
    'Shows you, the other sessions, locks, open questions and waiting messages.\n' +
    'Inside a session, TEXT reports your progress.',
  options: { json: jsonOption },
  arity: [0, Number.POSITIVE_INFINITY],
  async run({ args, options, io, client }) {
    if (args.length > 0) {
      const self = requireSelf(io, 'Only a session reports its status. See all sessions with: sm status');
      const text = given('status', args.join(' '));
      await report(client, self, text);
      return io.out(`Status: "${oneLine(text)}"\n`);
    }
    const { sessions } = await client.get<{ sessions: SessionView[] }>('/sessions');
    const self = ownSessionId(io);
    const you = sessions.find(({ id }) => id === self) ?? null;
    const others = sessions.filter((session) => session !== you);
    if (options.json) return io.out(safeJson({ you, others }));
    printLines(io, overviewLines(io, you, others));
  },
});

async function report(client: Client, id: string, text: string): Promise<void> {
  try {
    await client.send('POST', sessionPath(id, '/agent-status'), { text });
  } catch (error) {
    if (!(error instanceof Refusal) || error.status !== 404) throw error;
    // Either the session is unknown, which this call then says, or the daemon does not know the question.
    await client.get(sessionPath(id));
    throw new Failure('The running daemon is too old for status reports. Restart it: sm down && sm up');
  }
}
