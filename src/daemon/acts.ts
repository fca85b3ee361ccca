// What a person may do through a channel: the same as by the command line, with what came of it in words.
import { nameAndId } from '../domain/core/session.ts';
import type { Acts, Done } from '../ports/notifications.ts';
import { answerQuestion } from '../server/answers.ts';
import { sendMessage } from '../server/messages.ts';
import { Refused } from '../server/refused.ts';
import { find } from '../server/resolve.ts';
import type { Service } from '../server/service.ts';

export function actsOf(service: () => Service): Acts {
  return {
    answer: ({ session: ref, question, decision, via }) =>
      inWords(async () => {
        const { session } = find(service(), ref);
        const by = { kind: 'person', via } as const;
        const { asked } = await answerQuestion(service(), session, { decision, question, by });
        return `${nameAndId(session)}: ${decision === 'allow' ? 'allowed' : 'denied'}: ${asked}`;
      }),
    send: ({ session: ref, text, id }) =>
      inWords(async () => {
        const { session } = find(service(), ref);
        const known = await service().store.message(id);
        const message = known ?? (await sendMessage(service(), session.id, { id, text, from: null })).message;
        return `${nameAndId(session)}: ${message.state.is}`;
      }),
  };
}

async function inWords(act: () => Promise<string>): Promise<Done> {
  try {
    return { ok: true, text: await act() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { ok: false, text: error.refusal.message };
  }
}
