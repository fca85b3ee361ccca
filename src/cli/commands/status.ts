// Without words: the whole system at a glance. With words: what the session that calls is doing.
import type { SessionView } from '../../protocol/session.ts';
import { type Client, Refusal, sessionPath } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { oneLine, safeJson } from '../format/text.ts';
import { ownSessionId, printLines } from '../io.ts';
import { given } from '../limits.ts';
import { overviewLines } from '../overview.ts';
import { requireSelf } from '../self.ts';

export default defineCommand({
  usage: '["TEXT"] [--json]',
  about:
    'Shows the system: you, the other sessions, locks, who waits for an answer, and messages that wait.\n' +
    'With a text it reports the progress of the session that calls it.',
  options: { json: jsonOption },
  arity: [0, Number.POSITIVE_INFINITY],
  async run({ args, options, io, client }) {
    if (args.length > 0) {
      const self = requireSelf(io, 'Only a session reports its status; see all of them with: sm status');
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
    throw new Failure(
      'The daemon that runs takes no status reports. If it is older than this sm: sm down && sm up',
    );
  }
}
