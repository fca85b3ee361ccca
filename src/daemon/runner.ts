// Runs effects: the one place where decisions touch panes and processes.
import type { EffectResult, OwedEffect } from '../domain/effect.ts';
import type { Look } from '../domain/fact.ts';
import type { Session } from '../domain/session.ts';
import type { Intake } from '../intake/intake.ts';
import type { Transcripts } from '../intake/transcripts.ts';
import type { EffectRunner } from '../ports/effects.ts';
import type { Provider } from '../ports/provider.ts';
import { paneName, type Terminal, type Typing } from '../ports/terminal.ts';

interface RunnerDeps {
  readonly terminal: Terminal;
  readonly provider: (name: string) => Provider | undefined;
  /** Known only once the engine exists, which needs the runner. */
  readonly evidence: () => { intake: Intake; transcripts: Transcripts };
  /** Gives an answer to the hook that told this fact. */
  readonly answer: (fact: string, answer: string) => Promise<'taken' | 'nobody'>;
  /** What every agent's environment gets from us. */
  readonly agentEnv: (session: Session, env: Readonly<Record<string, string>>) => Record<string, string>;
}

export function createRunner({ terminal, provider, answer, evidence, agentEnv }: RunnerDeps): EffectRunner {
  async function launch(
    session: Session,
    effect: Extract<OwedEffect['effect'], { do: 'launch' }>,
  ): Promise<EffectResult> {
    const kind = provider(session.provider);
    if (!kind) return { of: 'launch', outcome: 'failed', why: `there is no provider ${session.provider}` };
    try {
      const env = agentEnv(session, effect.env);
      const located = await kind.locate(env.PATH ?? '');
      if ('missing' in located) return { of: 'launch', outcome: 'failed', why: located.missing };
      const plan = await kind.plan(session, { providerId: effect.providerId, resume: effect.resume, env });
      const pane = await terminal.launch({
        name: paneName(session.id),
        argv: plan.argv,
        env: plan.env,
        cwd: session.workingDir,
      });
      return {
        of: 'launch',
        outcome: 'launched',
        pid: pane.pid,
        startedAt: pane.startedAt,
        agentVersion: located.version,
      };
    } catch (error) {
      return { of: 'launch', outcome: 'failed', why: (error as Error).message };
    }
  }

  /** What was said before the look must be known before the look is judged. */
  async function look(session: Session): Promise<Look | null> {
    const kind = provider(session.provider);
    const screen = await terminal.look(paneName(session.id));
    const { intake, transcripts } = evidence();
    await intake.drain(session.id);
    await transcripts.catchUp(session.id);
    if (!screen || screen.dead || !kind) return null;
    const { text, ...reading } = kind.read(screen);
    return {
      reading: reading.shows === 'composer' ? reading : { ...reading, text },
      canStash: kind.capabilities.stash,
      copyMode: screen.copyMode,
      humanActiveAt: screen.humanActiveAt,
      text,
    };
  }

  return {
    async run({ effect }, session) {
      const name = paneName(session.id);
      switch (effect.do) {
        case 'launch':
          return launch(session, effect);
        case 'kill':
          await terminal.kill(name);
          return { of: 'kill' };
        case 'bury':
          await terminal.kill(name);
          return { of: 'bury' };
        case 'look':
          return { of: 'look', look: await look(session) };
        case 'post':
          throw new Error('messages to other sessions are posted by the engine');
        case 'answer': {
          const text = provider(session.provider)?.hookAnswer(effect);
          return { of: 'answer', outcome: text ? await answer(effect.fact, text) : 'nobody' };
        }
        case 'submit': {
          const { text, stash, erase, cursor } = effect;
          const steps: Typing['steps'] = [
            // A row takes one to empty it and one to join it with the row above.
            ...Array.from({ length: 2 * erase }, () => ({ key: 'C-u' as const })),
            ...(stash ? [{ key: 'C-s' as const }] : []),
            ...(text === null ? [] : [{ paste: text }]),
            { key: 'Enter' },
          ];
          return { of: 'submit', outcome: await terminal.type(name, { onlyIf: { cursor }, steps }) };
        }
        case 'escape': {
          const typing: Typing = { onlyIf: { cursor: effect.cursor }, steps: [{ key: 'Escape' }] };
          return { of: 'escape', outcome: await terminal.type(name, typing) };
        }
        case 'leave-copy-mode':
          await terminal.leaveCopyMode(name);
          return { of: 'leave-copy-mode' };
      }
    },
  };
}
