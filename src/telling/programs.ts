// The channel that runs programs of the user's: one for each trigger that wants to hear of the occasion.
import type { EventBody } from '../domain/core/event.ts';
import type { SessionId } from '../domain/core/names.ts';
import type { Occasion } from '../domain/core/occasion.ts';
import { displayName, type Session } from '../domain/core/session.ts';
import type { Channel } from '../ports/channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { StoredEvent } from '../ports/store.ts';
import type { ProcessName } from '../ports/telling.ts';
import { type Trigger, type Triggers, triggerChannel } from '../ports/triggers.ts';
import { endGroup, type Ran, runProgram } from './run-program.ts';
import { occasionText } from './words.ts';

export interface ProgramsDeps {
  readonly triggers: readonly Trigger[];
  readonly clock: Clock;
  readonly log: Log;
  /** Where they run. */
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** Also one that was killed; null: it is forgotten. */
  session(id: SessionId): Promise<Session | null>;
  selects(selector: string, session: Session): boolean;
  /** As clients see them. */
  views(event: StoredEvent, session: Session | null): { readonly event: unknown; readonly session: unknown };
  processStartTime(pid: number): Promise<string | null>;
}

interface Told {
  readonly occasion: Occasion;
  readonly event: StoredEvent;
  readonly test: boolean;
}

export function createPrograms(deps: ProgramsDeps): {
  readonly channel: Channel;
  readonly triggers: Triggers;
} {
  const { triggers, clock, log, home, env } = deps;

  async function wanted(occasion: Occasion, id: SessionId): Promise<readonly Trigger[]> {
    const apt = triggers.filter(({ when }) => when.includes(occasion));
    const session = apt.length > 0 ? await deps.session(id) : null;
    return apt.filter(({ sessions }) => sessions === null || (session && deps.selects(sessions, session)));
  }

  async function run(
    trigger: Trigger,
    { occasion, event, test }: Told,
    signal: AbortSignal,
    started: (pid: number) => void,
  ): Promise<Ran> {
    const session = await deps.session(event.sessionId);
    const text = occasionText(session, event.sessionId, event.body);
    const views = deps.views(event, session);
    return runProgram({
      argv: trigger.run,
      env: {
        ...env,
        SM_OCCASION: occasion,
        SM_TEXT: text,
        SM_SESSION_ID: event.sessionId,
        SM_SESSION_NAME: session ? displayName(session) : '',
      },
      cwd: home,
      input: `${JSON.stringify({ occasion, text, test, ...views })}\n`,
      seconds: trigger.seconds,
      signal,
      clock,
      started,
    });
  }

  const channel: Channel = {
    name: triggerChannel,
    atOnce: 4,
    // A script that deploys twice is worse than one that did not run.
    again: false,
    recipients: async (occasion, { sessionId }) =>
      (await wanted(occasion, sessionId)).map(({ name }) => ({ to: name })),
    async tell({ to, occasion }, event, { signal, begun }) {
      const trigger = triggers.find(({ name }) => name === to);
      if (!trigger) return { is: 'failed', why: 'its rule is gone from the configuration' };
      const remember = async (pid: number) => begun({ pid, startedAt: await deps.processStartTime(pid) });
      let remembered: Promise<void> | undefined;
      const { why, output } = await run(trigger, { occasion, event, test: false }, signal, (pid) => {
        remembered = remember(pid);
      });
      await remembered;
      if (output !== '')
        log.info({ trigger: to, session: event.sessionId, occasion, output }, 'a program said');
      return why === null ? { is: 'done' } : { is: 'failed', why };
    },
    async endOrphan({ pid, startedAt }: ProcessName) {
      if (startedAt !== null && (await deps.processStartTime(pid)) === startedAt) endGroup(pid);
    },
  };

  return {
    channel,
    triggers: {
      all: triggers,
      async test(occasion, session) {
        const apt = session
          ? await wanted(occasion, session.id)
          : triggers.filter(({ when }) => when.includes(occasion));
        const event = {
          number: 0,
          sessionId: session?.id ?? '00000000',
          at: clock.now(),
          body: samples[occasion],
        };
        const signal = new AbortController().signal;
        return Promise.all(
          apt.map(async (trigger) => ({
            trigger: trigger.name,
            ...(await run(trigger, { occasion, event, test: true }, signal, () => {})),
          })),
        );
      },
    },
  };
}

const evidence = { source: 'hook', id: 'test', at: 0 } as const;
const lastWords = 'This is a test.';

const samples: Readonly<Record<Occasion, EventBody>> = {
  waiting: { type: 'question', step: 'asked', kind: 'permission', text: lastWords },
  failed: { type: 'turn', step: 'ended', turn: 'test', end: 'failed', lastWords, evidence },
  died: { type: 'session', step: 'lost', reason: lastWords },
  silent: { type: 'reminder', step: 'unheeded', times: 2 },
  finished: { type: 'turn', step: 'ended', turn: 'test', end: 'ended', lastWords, evidence },
  limit: { type: 'limit', step: 'reached', text: lastWords, until: null, evidence },
  budget: { type: 'budget', step: 'near', family: false, text: lastWords },
};
