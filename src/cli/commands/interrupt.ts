import type { InterruptAnswer } from '../../protocol/interrupt.ts';
import type { SessionView } from '../../protocol/session.ts';
import { chosen, yesOption } from '../choose-sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { presentSession } from '../find-session.ts';
import { forEach } from '../for-each.ts';
import { ownSessionId } from '../io.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: 'SESSION… [--yes] [--json]',
  about:
    'Interrupts the turn that runs, as Escape does in the terminal, and returns when it is proven that the turn is over.\n' +
    'A person may interrupt any session; a session only its children.',
  options: { yes: yesOption, json: jsonOption },
  async run({ args, options: { yes, json }, io, client }) {
    const refs = await chosen({ io, client }, args, { verb: 'interrupt', yes });
    const sessions: InterruptAnswer[] = [];
    const exitCode = await forEach(refs, io, async (ref) => {
      const session = await presentSession(client, ref);
      const body = { requester_session_id: ownSessionId(io) };
      const answer = await client.ask('POST /sessions/{ref}/interrupt', { ref: session.id, body });
      sessions.push(answer);
      if (!json) io.out(`${toldOf(session, answer)}\n`);
    });
    if (json) io.out(safeJson({ sessions }));
    return exitCode;
  },
});

function toldOf(session: SessionView, { status, end, evidence, returned }: InterruptAnswer): string {
  const proof = `proven by the ${oneLine(evidence.source)}`;
  if (status === 'over')
    return `The turn of ${nameAndId(session)} was over before (${oneLine(end)}, ${proof}).`;
  const back = returned.length > 0 ? ' Its prompt is back in its composer.' : '';
  return `Interrupted ${nameAndId(session)}, ${proof}.${back}`;
}
