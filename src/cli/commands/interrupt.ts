import type { InterruptAnswer } from '../../protocol/interrupt.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { sessionPath } from '../daemon/client.ts';
import { presentSession } from '../find-session.ts';
import { ownSessionId } from '../io.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: 'SESSION [--json]',
  about:
    'Interrupts the turn that runs, as Escape does in the terminal, and returns when it is proven that the turn is over.\n' +
    'A person may interrupt any session; a session only its children.',
  options: { json: jsonOption },
  arity: [1, 1],
  async run({ args: [ref = ''], options, io, client }) {
    const session = await presentSession(client, ref);
    const answer = await client.send<InterruptAnswer>('POST', sessionPath(session.id, '/interrupt'), {
      requester_session_id: ownSessionId(io),
    });
    if (options.json) return io.out(safeJson(answer));
    const { status, end, evidence, returned } = answer;
    const proof = `proven by the ${oneLine(evidence.source)}`;
    if (status === 'over')
      return io.out(`The turn of ${nameAndId(session)} was over before (${oneLine(end)}, ${proof}).\n`);
    const back = returned.length > 0 ? ' Its prompt is back in its composer.' : '';
    io.out(`Interrupted ${nameAndId(session)}, ${proof}.${back}\n`);
  },
});
