import { agoFrom } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { findSession } from '../find-session.ts';
import { printLines } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';
import { clock } from '../text/time.ts';

const [hour, week] = [3_600, 7 * 24 * 3_600];

export default defineCommand({
  usage: 'SESSION [--for TIME] [--read-only] [--json]',
  about:
    'Makes a link with which somebody else can look at one session on the page: its terminal, its messages, its timeline.\n' +
    'Nothing can be done with it. The first browser that opens it is let in, and no other. It ends by itself;\n' +
    'sm devices lists it, and sm devices revoke ends it at once.',
  options: {
    for: { value: 'TIME', help: 'how long it works: 30m, 1h (the default), at most 7d' },
    'read-only': { help: 'to look at only, which is all that there is' },
    json: jsonOption,
  },
  arity: [1, 1],
  async run({ args: [ref = ''], options, io, client }) {
    const seconds = Math.round((agoFrom('--for', options.for) ?? hour * 1_000) / 1_000);
    if (seconds < 60 || seconds > week) throw new Failure('--for takes a time from 1m to 7d.');
    const session = await findSession(io, client, ref);
    const answer = await client.ask('POST /devices/links', { body: { session: session.id, seconds } });
    if (options.json) return io.out(safeJson(answer));
    const { url, local_url, expires_at, device } = answer;
    printLines(io, [
      `Whoever opens this first can look at ${nameAndId(session)} until ${clock(expires_at, io.now())}:`,
      `  ${url ?? local_url}`,
      ...(url === null
        ? ['It works on this machine only: server.url is not set. See docs/guide/page.md']
        : []),
      `End it with: sm devices revoke ${device.id}`,
    ]);
  },
});
