// Without a text: the whole system at a glance. With one: reports what the calling session is doing.
import { tellBrokenChannels } from '../broken-channels.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { ownSessionId, printLines, requireSelf } from '../io.ts';
import { overviewLines } from '../text/overview.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { given } from '../text-argument.ts';

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
      await client.ask('POST /sessions/{ref}/agent-status', { ref: self, body: { text } });
      return io.out(`Status: "${oneLine(text)}"\n`);
    }
    const { sessions } = await client.ask('GET /sessions');
    const self = ownSessionId(io);
    const you = sessions.find(({ id }) => id === self) ?? null;
    const others = sessions.filter((session) => session !== you);
    if (options.json) return io.out(safeJson({ you, others }));
    printLines(io, overviewLines(io, you, others));
    await tellBrokenChannels(io, client);
  },
});
