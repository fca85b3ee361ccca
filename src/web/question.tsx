// What a session asks, whole, with the answers that it can be given.
import { safeText } from '../cli/text/safe.ts';
import { nameAndId } from '../cli/text/session.ts';
import { shortClock } from '../cli/text/time.ts';
import type { SessionView } from '../protocol/session.ts';
import type { Deeds } from './deeds.ts';
import { sessionLink } from './route.ts';
import type { Happening } from './state.ts';

interface Props {
  readonly session: SessionView;
  readonly deeds: Deeds;
  tell(happening: Happening): void;
}

export function Question({ session, deeds, tell }: Props) {
  const { question } = session;
  if (!question) return null;
  const { id, text, kind, since } = question;
  return (
    <section class="question" aria-label={`${nameAndId(session)} asks`}>
      <p class="asked">
        asks since <time dateTime={since}>{shortClock(since, Date.now())}</time>
      </p>
      <pre>{safeText(text)}</pre>
      {kind === 'permission' ? (
        <div class="answers">
          <button
            type="button"
            class="allow"
            onClick={() => deeds.answer(session, id, { decision: 'allow' })}
          >
            Allow
          </button>
          <button type="button" class="deny" onClick={() => deeds.answer(session, id, { decision: 'deny' })}>
            Deny
          </button>
          <span class="apart" />
          <button type="button" onClick={() => tell(denial(session, id, deeds))}>
            Deny, because…
          </button>
          <button type="button" onClick={() => tell(always(session, id, deeds))}>
            Always…
          </button>
        </div>
      ) : (
        <p>
          This is answered in <a href={sessionLink(session.id, 'terminal')}>its terminal</a>.
        </p>
      )}
    </section>
  );
}

const denial = (session: SessionView, id: string, deeds: Deeds): Happening => ({
  is: 'dialog',
  dialog: {
    is: 'line',
    title: `Deny what ${nameAndId(session)} asks`,
    label: 'Why, for the agent',
    value: '',
    button: 'Deny',
    work: (text) => deeds.answering(session, id, { decision: 'deny', text }),
  },
});

const always = (session: SessionView, id: string, deeds: Deeds): Happening => ({
  is: 'dialog',
  dialog: {
    is: 'line',
    title: `Always allow this to ${nameAndId(session)}`,
    label: 'For which calls: a pattern such as Bash(npm test *). Left empty, for exactly this one',
    value: '',
    optional: true,
    button: 'Allow, and write the rule',
    work: (pattern) =>
      deeds.answering(session, id, {
        decision: 'allow',
        always: { ...(pattern !== '' && { pattern }), all: false },
      }),
  },
});
