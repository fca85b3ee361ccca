// What every provider must let the engine see. The same cases run on the scripted agent and on the real programs,
// so that the double cannot drift from the thing. What a provider cannot do is skipped by its declared capability.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Capabilities } from '../../../src/ports/provider.ts';
import type { EventView } from '../../../src/protocol/event.ts';
import type { SessionView } from '../../../src/protocol/session.ts';
import { childrenOf, killFamily, type TestDaemon } from '../../support/daemon.ts';
import { is } from '../../support/talk.ts';
import { openStage, pane, type Stage, stageOn } from './stage.ts';

export interface ProviderUnderTest {
  readonly name: string;
  readonly capabilities: Capabilities;
  setup(): Promise<Setup>;
  /** The same, so that a tool call asks for permission. */
  asking(setup: Setup): Setup;
  /** What the tests must know of its terminal and its files. Only a provider that is typed to has the first. */
  readonly terminal?: {
    /** A composer that takes text; with a text, one that has exactly this in it. */
    composer(draft?: string): RegExp;
    /** Its question whether a tool may run. */
    readonly question: RegExp;
    /** What a human presses to interrupt it, where it is not Escape. */
    readonly interrupt?: readonly string[];
  };
  readonly transcript?: {
    /** Every text that the agent has taken, from the lines of its transcript. */
    // biome-ignore lint/suspicious/noExplicitAny: what is in a line differs from agent to agent
    taken(lines: any[]): string[];
    /** Stands in it once a turn has ended. */
    readonly turnOver: string;
  };
  /** The same of one that keeps its conversations otherwise. */
  readonly taken?: (session: SessionView) => string[];
  /** Nothing names a turn when it begins: what tells of the prompt comes before the line that has the name. */
  readonly namesTurnLater?: boolean;
  /** Where it has another name. */
  readonly commandToCompact?: string;
  /** Each takes so much memory that it is ended when its case is over. */
  readonly heavy?: boolean;
}

/** Configuration of the daemon, and the environment of the agents. */
export interface Setup {
  readonly config?: object;
  readonly agentEnv?: Record<string, string>;
  readonly workingDir?: string;
  /** Resolves when the model answers this message: where there is no screen, nothing else shows that it speaks. */
  readonly modelAnswers?: (message: string) => Promise<unknown>;
  readonly dispose?: () => Promise<void>;
}

type EvidenceView = { readonly source: string };

export function providerSuite(provider: ProviderUnderTest): void {
  describe(`provider ${provider.name}`, () => {
    let stage: Stage;
    let asking: Stage | null = null;
    let daemon: TestDaemon;
    beforeAll(async () => {
      stage = await openStage(provider);
      daemon = stage.daemon;
    }, 120_000);
    afterAll(async () => {
      await asking?.close();
      await stage?.close();
    }, 120_000);

    afterEach(async () => {
      if (!provider.heavy) return;
      await stage?.tidy();
      await asking?.tidy();
    }, 60_000);

    /**
     * As a human does it who pastes, sees his text, and presses Enter. He sees a little later than sm is told that a turn is over,
     * and Codex refuses a command until then. Where there is no pane, he uses sm.
     */
    const enter = async (id: string, text: string) => {
      if (!provider.terminal) return say(id, text);
      await stage.atRest(id);
      await stage.composer(id);
      await daemon.tmux('set-buffer', '-b', id, '--', text);
      await daemon.tmux('paste-buffer', '-p', '-d', '-b', id, '-t', pane(id));
      await stage.screen(id, (rows) => rows.includes(text));
      await stage.afterPaste();
      await stage.press(id, 'Enter');
    };
    const say = async (id: string, text: string) => {
      const [what, body] = text.startsWith('/') ? ['slash', { command: text }] : ['input', { text }];
      const answer = await daemon.call('POST', `/sessions/${id}/${what}`, body);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    };
    const ended =
      (end: string, after = 0) =>
      (event: EventView) =>
        is('turn ended', { end })(event) && event.number > after;

    /**
     * An agent writes its transcript, and makes the file, a little later than it says so; killed before, it has nothing
     * to resume.
     */
    async function wholeTranscript({ transcript_path }: SessionView): Promise<void> {
      if (!provider.transcript) return;
      const path = transcript_path as string;
      const deadline = Date.now() + 60_000;
      while (!existsSync(path) || !readFileSync(path, 'utf8').includes(provider.transcript.turnOver)) {
        if (Date.now() > deadline) throw new Error(`${path} was never finished`);
        await new Promise(setImmediate);
      }
    }

    it('starts, takes its first prompt on evidence, and ends the turn with its last words', async () => {
      const id = await stage.start('greet me [[say hello from the agent]]');
      const end = await daemon.until(id, ended('ended'));
      expect(end.last_words).toBe('hello from the agent');
      const events = await daemon.events(id);
      const accepted = events.find(is('message accepted'));
      expect(['hook', 'notification']).toContain((accepted?.evidence as EvidenceView | undefined)?.source);
      expect(events.filter(is('message accepted'))).toHaveLength(1);
      expect(events.find(is('turn began'))?.turn).toBe(provider.namesTurnLater ? null : end.turn);
      expect(await daemon.session(id)).toMatchObject({ phase: 'idle', turn: null });
    });

    it('works while it works, also through a tool', async () => {
      const id = await stage.start(
        'use a tool [[bash timeout 0.3 tail -f /dev/null; touch used]] [[say tool done]]',
      );
      await daemon.until(id, is('turn began'));
      expect(await daemon.session(id)).toMatchObject({ phase: 'working', status: 'running' });
      expect((await daemon.until(id, ended('ended'))).last_words).toContain('tool done');
      expect(existsSync(join(stage.folder, 'used'))).toBe(true);
    });

    it('gives its tools the session, so that they find sm and are known to it', async () => {
      const id = await stage.start('report [[bash sm status "half way"]] [[say reported]]');
      expect((await daemon.until(id, ended('ended'))).last_words).toContain('reported');
      expect(await daemon.session(id)).toMatchObject({ agent_status_text: 'half way' });
    });

    it('gives its tools the key of the session: without saying who it is, it is itself', async () => {
      const other = await stage.start('wait [[say here]]');
      await daemon.until(other, ended('ended'));
      const id = await stage.start(
        // Not a kill: Copilot's shell refuses that word without the number of a process behind it.
        `clear it [[bash unset CLAUDE_SESSION_MANAGER_ID; sm clear ${other} > clearing 2>&1]] [[say tried]]`,
      );
      expect((await daemon.until(id, ended('ended'))).last_words).toContain('tried');
      expect(readFileSync(join(stage.folder, 'clearing'), 'utf8')).toMatch(
        /^Error: Only the parent of .*, or a person, may clear it\.$/m,
      );
      expect((await daemon.session(other)).phase).toBe('idle');
    });

    const tellsModel = provider.capabilities.tellsModel !== false;
    it.skipIf(!tellsModel)('says which model it uses, and keeps to it through a clear', async () => {
      const id = await stage.start('hello [[say hello]]');
      await daemon.until(id, ended('ended'));
      const { model } = await daemon.untilSession(id, (session) => session.model !== null);
      expect(model).toMatch(/\w/);
      expect((await daemon.call('POST', `/sessions/${id}/clear`)).status).toBe(200);
      expect((await daemon.session(id)).model).toBe(model);
    });

    it.skipIf(!provider.capabilities.typed)('is interrupted by a human, which no hook tells', async () => {
      const id = await stage.start('count [[sleep 30]]');
      await daemon.until(id, is('turn began'));
      await stage.screen(id, (rows) => rows.includes('word'));
      for (const key of provider.terminal?.interrupt ?? ['Escape']) await stage.press(id, key);
      const end = await daemon.until(id, ended('interrupted'));
      expect(end.evidence).toMatchObject({ source: 'transcript' });
      expect(await daemon.session(id)).toMatchObject({ phase: 'idle' });
    });

    it('starts a new context at /clear, and the next turn belongs to it', async () => {
      const id = await stage.start('first [[say one]]');
      await daemon.until(id, ended('ended'));
      const before = await daemon.session(id);
      await enter(id, '/clear');
      const began = await daemon.until(id, is('context began', { context: 2 }));
      const after = await daemon.session(id);
      expect(after.context).toMatchObject({ number: 2, provider_id: began.provider_id });
      expect(after.context.provider_id).not.toBe(before.context.provider_id);
      expect(after.phase).toBe('idle');
      await enter(id, 'second [[say two]]');
      expect((await daemon.until(id, ended('ended', began.number))).last_words).toBe('two');
    });

    it.skipIf(!provider.capabilities.compact)('compacts, and says so from beginning to end', async () => {
      const id = await stage.start('talk [[say something to compact]]');
      await daemon.until(id, ended('ended'));
      await enter(id, provider.commandToCompact ?? '/compact');
      const began = await daemon.until(id, is('compaction began', { trigger: 'manual' }));
      const over = await daemon.until(id, is('compaction ended'), began.number);
      expect(over.number).toBeGreaterThan(began.number);
      expect(await daemon.session(id)).toMatchObject({ phase: 'idle', context: { number: 1 } });
    });

    it('fails a turn with the error that the model gave', async () => {
      const id = await stage.start('bad [[fail no such thing]]');
      expect((await daemon.until(id, ended('failed'))).last_words).toContain('no such thing');
    });

    it.skipIf(!provider.capabilities.resume)(
      'is restored with the same conversation after its process was killed',
      async () => {
        const id = await stage.start('remember [[say noted]]');
        await daemon.until(id, ended('ended'));
        const before = await daemon.session(id);
        await wholeTranscript(before);
        const launcher = Number(await daemon.tmux('display-message', '-p', '-t', pane(id), '#{pane_pid}'));
        killFamily(childrenOf(launcher)[0] as number);
        const dead = await daemon.untilSession(id, (session) => session.phase === 'exited');
        expect(dead.ended).toMatchObject({ killed: false });

        expect(
          (
            await daemon.call(
              'POST',
              `/sessions/${id}/restore`,
              stage.setup.agentEnv ? { env: stage.setup.agentEnv } : {},
            )
          ).status,
        ).toBe(200);
        const restored = await daemon.untilSession(id, (session) => session.phase === 'idle');
        expect(restored.context).toMatchObject({ number: 1, provider_id: before.context.provider_id });
        const mark = (await daemon.events(id)).at(-1)?.number ?? 0;
        await enter(id, 'again [[say still here]]');
        expect((await daemon.until(id, ended('ended', mark))).last_words).toBe('still here');
      },
    );

    it.skipIf(!provider.capabilities.typed)('exits with its code when it is told to', async () => {
      const id = await stage.start('work [[say bye soon]]');
      await daemon.until(id, ended('ended'));
      await enter(id, '/exit');
      const gone = await daemon.untilSession(id, (session) => session.phase === 'exited');
      expect(gone.ended).toMatchObject({ code: 0, killed: false });
    });

    it.skipIf(!provider.capabilities.usage)('reports how full its context is', async () => {
      // Below every mark: what is told at one has a turn of its own, and a sample.
      const id = await stage.start('think [[usage 80000]] [[say thought]]');
      await daemon.until(id, ended('ended'));
      const isKnown = (each: SessionView) => each.context.used_percentage !== null;
      const session = await daemon.untilSession(id, isKnown);
      expect(session.context.window_size).toBe(200_000);
      if (provider.capabilities.usage === 'estimated') expect(session.tokens_used).toBeGreaterThan(0);
      else {
        expect(Math.round(session.context.used_percentage as number)).toBe(40);
        // Some count their answer as well, which is of 20 tokens.
        expect([80_000, 80_020]).toContain(session.tokens_used);
      }
    });

    describe.skipIf(!provider.capabilities.permissionDialog)('a permission dialog', () => {
      const ask = async (): Promise<{ on: Stage; id: string }> => {
        asking ??= await stageOn(provider, provider.asking(stage.setup));
        const id = await asking.start('dangerous [[bash touch asked-for]] [[say it is done]]');
        await asking.daemon.until(id, is('question asked'));
        return { on: asking, id };
      };

      /** A fresh dialog of Claude Code takes no answer for up to 200 ms; no human is as fast. */
      const answerable = async (id: string, on: Stage) => {
        const question = provider.terminal?.question ?? /./;
        await on.screen(id, (rows) => question.test(rows));
        await new Promise((resolve) => setTimeout(resolve, 400));
      };

      it('blocks the session with its text, and a yes lets it go on', async () => {
        const { on, id } = await ask();
        const blocked = await on.daemon.session(id);
        expect(blocked).toMatchObject({ phase: 'blocked', question: { kind: 'permission' } });
        expect(blocked.question?.text).toContain('touch asked-for');
        if (provider.terminal) {
          await answerable(id, on);
          await on.press(id, 'Enter');
        } else await on.daemon.call('POST', `/sessions/${id}/answer`, { decision: 'allow' });
        await on.daemon.until(id, is('question closed'));
        expect((await on.daemon.until(id, ended('ended'))).last_words).toContain('it is done');
      });

      it
        .skipIf(!provider.capabilities.remoteAnswers)
        .each([
          ['allow', undefined, /it is done/],
          ...(provider.capabilities.takesWords === false
            ? []
            : [['deny', 'use the other file', /it is done/] as const]),
        ] as const)('is answered from afar: %s', async (decision, text, lastWords) => {
        const { on, id } = await ask();
        const answer = await on.daemon.call('POST', `/sessions/${id}/answer`, {
          decision,
          ...(text && { text }),
        });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        expect((await on.daemon.until(id, ended('ended'))).last_words).toMatch(lastWords);
        expect(await on.daemon.session(id)).toMatchObject({ phase: 'idle', question: null });
      });

      it.skipIf(provider.capabilities.takesWords !== false)(
        'takes a no without words, and refuses words',
        async () => {
          const { on, id } = await ask();
          const answer = (body: object) => on.daemon.call('POST', `/sessions/${id}/answer`, body);
          expect((await answer({ decision: 'deny', text: 'the other file' })).status).toBe(400);
          expect((await on.daemon.session(id)).phase).toBe('blocked');
          expect((await answer({ decision: 'deny' })).status).toBe(200);
          const { last_words: words } = await on.daemon.until(id, ended('ended'));
          if (provider.capabilities.goesOnAfterNo !== false) expect(words).toContain('it is done');
          expect(await on.daemon.session(id)).toMatchObject({ phase: 'idle', question: null });
        },
      );

      it.skipIf(!provider.capabilities.typed)(
        'answered "no" with Escape, which no hook tells, leaves the session idle',
        async () => {
          const { on, id } = await ask();
          await answerable(id, on);
          await on.press(id, 'Escape');
          await on.daemon.until(id, ended('interrupted'));
          expect(await on.daemon.session(id)).toMatchObject({ phase: 'idle', question: null });
        },
      );
    });
  });
}
