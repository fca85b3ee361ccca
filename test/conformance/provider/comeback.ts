// What every provider must let sm do with conversations that are there already: continue one twice, or take one over.
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ConversationView } from '../../../src/protocol/conversation.ts';
import type { SessionView } from '../../../src/protocol/session.ts';
import { childrenOf, killFamily, type TestDaemon } from '../../support/daemon.ts';
import { is, sendText, startWith } from '../../support/talk.ts';
import { openStage, pane, type Stage, stageOn } from './stage.ts';
import type { ProviderUnderTest } from './suite.ts';

export function comebackSuite(provider: ProviderUnderTest): void {
  describe.skipIf(!provider.capabilities.fork)(`a fork of ${provider.name}`, () => {
    let stage: Stage;
    let daemon: TestDaemon;
    beforeAll(async () => {
      stage = await openStage(provider);
      daemon = stage.daemon;
    }, 120_000);
    afterAll(() => stage?.close(), 120_000);

    const env = () => (stage.setup.agentEnv ? { env: stage.setup.agentEnv } : {});

    async function fork(id: string): Promise<SessionView> {
      const { status, body } = await daemon.call<SessionView>('POST', `/sessions/${id}/fork`, env());
      expect(status, JSON.stringify(body)).toBe(200);
      return daemon.untilSession(body.id, ({ phase }) => phase === 'idle');
    }

    async function said(id: string, text: string): Promise<string> {
      const { message_id } = await sendText(daemon, id, text);
      await daemon.until(id, is('message answered', { message: message_id }));
      const { body } = await daemon.call<{ last_message: string }>('GET', `/sessions/${id}/last-message`);
      return body.last_message;
    }

    /** A conversation that the agent has written down: hooks are faster than its files. */
    async function conversation(): Promise<string> {
      const id = await stage.start('remember the heron [[say noted]]');
      await daemon.until(id, is('turn ended'));
      await said(id, 'and the otter [[say noted, too]]');
      return id;
    }

    it('goes on from what was said, under a name of its own, and the original knows nothing of it', async () => {
      const original = await conversation();
      const before = await daemon.session(original);
      // A sample of its usage may come late.
      const lifeOf = async () => (await daemon.events(original)).filter(({ type }) => type !== 'usage');
      const events = await lifeOf();
      const copy = await fork(original);
      expect(copy).toMatchObject({
        forked_from: { session_id: original, context: 1 },
        working_dir: before.working_dir,
        context: { number: 1 },
      });
      if (provider.capabilities.pane) await stage.screen(copy.id, (rows) => rows.includes('noted'));
      expect(await said(copy.id, 'who? [[say one of two]]')).toBe('one of two');
      expect(await said(copy.id, 'and now? [[say still one of two]]')).toBe('still one of two');
      const after = await daemon.session(copy.id);
      expect(after.context.provider_id).not.toBe(before.context.provider_id);
      expect(
        (await daemon.events(copy.id)).filter(is('turn ended')).map(({ last_words }) => last_words),
      ).toEqual(['one of two', 'still one of two']);
      expect(await lifeOf()).toEqual(events);
      expect(await said(original, 'you? [[say the first]]')).toBe('the first');
    });

    it('does not disturb one that works', async () => {
      const original = await conversation();
      const gate = join(stage.folder, `gate-${original}`);
      const wait = `[[bash until [ -e ${gate} ]; do timeout 0.1 tail -f /dev/null; done]]`;
      const { message_id } = await sendText(daemon, original, `work ${wait} [[say worked]]`);
      await daemon.until(original, is('message accepted', { message: message_id }));
      await daemon.untilSession(original, ({ phase }) => phase === 'working');
      const copy = await fork(original);
      expect(await said(copy.id, 'meanwhile [[say beside]]')).toBe('beside');
      expect((await daemon.session(original)).phase).toBe('working');
      writeFileSync(gate, '');
      const end = await daemon.until(original, is('turn ended', { end: 'ended', last_words: 'worked' }));
      expect(end.last_words).toBe('worked');
    });

    it('that died before anything was said in it is made once more when it is restored', async () => {
      const copy = await fork(await conversation());
      const launcher = Number(await daemon.tmux('display-message', '-p', '-t', pane(copy.id), '#{pane_pid}'));
      killFamily(childrenOf(launcher)[0] as number);
      await daemon.untilSession(copy.id, ({ phase }) => phase === 'exited');
      expect((await daemon.call('POST', `/sessions/${copy.id}/restore`, env())).status).toBe(200);
      await daemon.untilSession(copy.id, ({ phase }) => phase === 'idle');
      if (provider.capabilities.pane) await stage.screen(copy.id, (rows) => rows.includes('noted'));
      expect(await said(copy.id, 'again? [[say at last]]')).toBe('at last');
      expect((await daemon.session(copy.id)).context.number).toBe(1);
    });
  });

  describe.skipIf(!provider.capabilities.adopt)(`adopting a conversation of ${provider.name}`, () => {
    let stage: Stage;
    /** Another sm, to which the conversations of the first are as foreign as those of a terminal. */
    let elsewhere: Stage;
    let home: string;
    beforeAll(async () => {
      stage = await openStage(provider);
      elsewhere = await stageOn(provider, { ...stage.setup, workingDir: stage.folder });
      home = mkdtempSync(join(tmpdir(), 'sm-home-'));
    }, 120_000);
    afterAll(async () => {
      await elsewhere?.close();
      await stage?.close();
      rmSync(home, { recursive: true, force: true, maxRetries: 5 });
    }, 120_000);

    const env = () =>
      stage.setup.agentEnv ?? {
        ...{ PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
      };
    const adopt = (id: string, more: object = {}) =>
      stage.daemon.call<SessionView & { data: object }>('POST', '/conversations/adopt', {
        ...{ provider: provider.name, id, env: env(), ...more },
      });

    it('is refused while it is open, and goes on from what was said when it is not', async () => {
      const there = elsewhere.daemon;
      const foreign = await startWith(there, 'remember the heron [[say noted]]', {
        ...{ provider: provider.name, working_dir: stage.folder, env: env() },
      });
      await there.until(foreign, is('turn ended'));
      await sendText(there, foreign, 'and the otter [[say noted, too]]');
      await there.until(foreign, is('turn ended', { last_words: 'noted, too' }));
      const { context, transcript_path } = await there.session(foreign);
      const id = context.provider_id as string;

      const found = await stage.daemon.call<{ conversations: ConversationView[] }>(
        'POST',
        '/conversations/find',
        {
          ...{ provider: provider.name, env: env(), limit: 5 },
        },
      );
      expect(found.body.conversations).toMatchObject([
        {
          provider: provider.name,
          id,
          working_dir: realpathSync(stage.folder),
          first_words: 'remember the heron [[say noted]]',
          session: null,
          open: { pid: expect.any(Number) },
        },
      ]);
      const pid = found.body.conversations[0]?.open?.pid as number;
      expect(await adopt(id)).toMatchObject({
        status: 409,
        body: { data: { is: 'conversation-open', conversation: id, pid } },
      });

      const adopted = await adopt(id, { end_pid: pid, name: 'taken-over' });
      expect(adopted.status, JSON.stringify(adopted.body)).toBe(200);
      await there.untilSession(foreign, ({ phase }) => phase === 'exited' || phase === 'lost');
      const { id: own } = await stage.daemon.untilSession('taken-over', ({ phase }) => phase === 'idle');
      if (provider.capabilities.pane) await stage.screen(own, (rows) => rows.includes('noted'));
      const { message_id } = await sendText(stage.daemon, own, 'who? [[say the same]]');
      await stage.daemon.until(own, is('message answered', { message: message_id }));
      const after = await stage.daemon.session(own);
      expect(after).toMatchObject({ context: { number: 1, provider_id: id }, transcript_path });
      expect((await stage.daemon.events(own)).filter(is('turn ended'))).toMatchObject([
        { last_words: 'the same' },
      ]);

      expect(await adopt(id)).toMatchObject({
        status: 409,
        body: { data: { is: 'conversation-taken', session: { id: own } } },
      });
      // Nor can the session that had it before go on with it meanwhile.
      expect(await there.call('POST', `/sessions/${foreign}/restore`, { env: env() })).toMatchObject({
        status: 409,
        body: { data: { is: 'conversation-open', conversation: id, session: { id: foreign } } },
      });
    });
  });

  it.skipIf(!provider.capabilities.resume)(
    `two of ${provider.name}, parent and child, come back with sm restore --all after everything ended`,
    async () => {
      const stage = await openStage(provider);
      const { daemon, setup, folder } = stage;
      try {
        const more = {
          provider: provider.name,
          working_dir: folder,
          ...(setup.agentEnv && { env: setup.agentEnv }),
        };
        const lead = await startWith(daemon, 'lead [[say one]]', { ...more, name: 'lead' });
        await daemon.until(lead, is('turn ended'));
        const child = { ...more, name: 'worker', parent_session_id: lead };
        const worker = await startWith(daemon, 'work [[say two]]', child);
        await daemon.until(worker, is('turn ended'));
        for (const id of [lead, worker]) {
          const { message_id } = await sendText(daemon, id, 'more [[say more]]');
          await daemon.until(id, is('message answered', { message: message_id }));
        }
        const before = await Promise.all([lead, worker].map((id) => daemon.session(id)));
        await daemon.crash();
        await daemon.endAgents();
        await daemon.start();
        const back = await daemon.smWith(setup.agentEnv ?? {}, 'restore', '--all', '--json');
        expect([back.code, back.stderr]).toEqual([0, '']);
        expect(JSON.parse(back.stdout).sessions).toMatchObject([
          { id: lead, outcome: 'ready', resumed: true },
          { id: worker, outcome: 'ready', resumed: true },
        ]);
        for (const { id, context } of before) {
          const { message_id } = await sendText(daemon, id, 'still? [[say still here]]');
          await daemon.until(id, is('message answered', { message: message_id }));
          expect((await daemon.session(id)).context).toMatchObject({
            number: 1,
            provider_id: context.provider_id,
          });
        }
      } finally {
        await stage.close();
      }
    },
    180_000,
  );
}
