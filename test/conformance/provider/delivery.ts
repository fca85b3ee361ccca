// How messages reach a provider's agent, in every mode and whatever it is doing. The same cases on all providers.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { EventView } from '../../../src/protocol/event.ts';
import { eventName } from '../../../src/protocol/event-name.ts';
import type { InputAnswer } from '../../../src/protocol/message.ts';
import type { TestDaemon } from '../../support/daemon.ts';
import { jsonLines } from '../../support/json-lines.ts';
import { is, sendText } from '../../support/talk.ts';
import { openStage, type Stage } from './stage.ts';
import type { ProviderUnderTest } from './suite.ts';

export function deliverySuite(provider: ProviderUnderTest): void {
  const { capabilities } = provider;

  describe(`messages to ${provider.name}`, () => {
    let stage: Stage;
    let daemon: TestDaemon;
    beforeAll(async () => {
      stage = await openStage(provider);
      daemon = stage.daemon;
    }, 60_000);
    afterEach(() => (provider.heavy ? stage.tidy() : undefined), 60_000);
    afterAll(() => stage?.close(), 60_000);

    async function idle(): Promise<string> {
      const id = await stage.start('hello [[say ready]]');
      await daemon.until(id, is('turn ended'));
      return id;
    }

    const send = (to: string, text: string, delivery_mode = 'sequential'): Promise<InputAnswer> =>
      sendText(daemon, to, text, { delivery_mode });

    /** Its first prompt is being answered. */
    async function speaks(id: string): Promise<void> {
      const { message } = await daemon.until(id, is('message accepted'));
      if (stage.setup.modelAnswers) await stage.setup.modelAnswers(String(message));
      else await stage.screen(id, (rows) => rows.includes('word'));
    }

    /** A tool that runs leaves its mark; the screen would show the prompt's own words. */
    async function untilFile(name: string): Promise<void> {
      // An agent that starts may be slow.
      const deadline = Date.now() + 60_000;
      while (!existsSync(join(stage.folder, name))) {
        if (Date.now() > deadline) throw new Error(`${name} never appeared`);
        await new Promise(setImmediate);
      }
    }

    /** Every text that the agent itself has taken, from its own transcript. */
    async function taken(id: string): Promise<string[]> {
      const session = await daemon.session(id);
      return (
        provider.taken?.(session) ??
        provider.transcript?.taken(jsonLines(session.transcript_path as string)) ??
        []
      );
    }

    /** The one prompt that carries a message, once the transcript has it. */
    async function prompt(id: string, message: string): Promise<{ text: string }> {
      const deadline = Date.now() + 10_000;
      for (;;) {
        const found = (await taken(id)).filter((text) => text.includes(`#${message}:`));
        if (found.length === 1) return { text: found[0] as string };
        if (found.length > 1 || Date.now() > deadline)
          throw new Error(`${found.length} prompts have #${message}`);
      }
    }

    async function answered(id: string, message: string): Promise<EventView> {
      return daemon.until(id, is('message answered', { message }));
    }

    it.each(['sequential', 'important', 'urgent'])('%s: an idle agent has it at once', async (mode) => {
      const id = await idle();
      const { message_id } = await send(id, 'a task [[say done]]', mode);
      await answered(id, message_id);
      await prompt(id, message_id);
    });

    it('sequential: waits for the end of the turn', async () => {
      const id = await stage.start('stream [[sleep 2]]');
      await daemon.until(id, is('turn began'));
      const { status, message_id } = await send(id, 'afterwards [[say done]]');
      expect(status).toBe('queued');
      await answered(id, message_id);
      const names = (await daemon.events(id)).map(eventName);
      expect(names.indexOf('turn ended')).toBeLessThan(names.lastIndexOf('message typed'));
    });

    const neverMidTurn = capabilities.midTurn === 'never';
    // Gemini CLI runs no command with another one in $(…).
    const loop =
      'loop [[bash touch in-the-loop; seq 3000 | while read i; do [ ! -e go-on ] || break; sleep 0.02; done]]';

    it.skipIf(!neverMidTurn)('important: waits for the end of a turn in a tool loop', async () => {
      const id = await stage.start(loop);
      await untilFile('in-the-loop');
      const { message_id, status } = await send(id, 'by the way [[say that, too]]', 'important');
      expect(status).toBe('queued');
      writeFileSync(join(stage.folder, 'go-on'), '');
      await answered(id, message_id);
      const events = await daemon.events(id);
      expect(events.findIndex(is('turn ended'))).toBeLessThan(
        events.findIndex(is('message typed', { message: message_id })),
      );
      expect(events.filter(is('turn ended')).map(({ end }) => end)).toEqual(['ended', 'ended']);
      await prompt(id, message_id);
    });

    it.skipIf(neverMidTurn)(
      'important: is taken up by a turn in a tool loop, without interrupting it',
      async () => {
        const id = await stage.start(loop);
        await untilFile('in-the-loop');
        const { message_id } = await send(id, 'by the way', 'important');
        await daemon.until(id, is('message accepted', { message: message_id }));
        writeFileSync(join(stage.folder, 'go-on'), '');
        await answered(id, message_id);
        const events = await daemon.events(id);
        expect(events.filter(is('turn began'))).toHaveLength(1);
        expect(events.filter(is('turn ended', { end: 'ended' }))).toHaveLength(1);
        await prompt(id, message_id);
      },
    );

    it('important: is taken up after a turn that only speaks, in a turn of its own', async () => {
      const id = await stage.start('stream [[sleep 3]]');
      await speaks(id);
      const { message_id } = await send(id, 'and then [[say that too]]', 'important');
      await answered(id, message_id);
      const events = await daemon.events(id);
      const typed = events.findIndex(is('message typed', { message: message_id }));
      const isTypedInTurn = typed < events.findIndex(is('turn ended'));
      expect(isTypedInTurn).toBe(capabilities.midTurn === 'anytime');
      const ends = events.filter(is('turn ended'));
      expect(ends.map(({ end }) => end)).toEqual(['ended', 'ended']);
      expect(ends[1]?.last_words).toContain('that too');
      await prompt(id, message_id);
    });

    it('urgent: interrupts an agent that speaks', async () => {
      const id = await stage.start('stream [[sleep 30]]');
      await speaks(id);
      const { message_id } = await send(id, 'stop that [[say stopped]]', 'urgent');
      await answered(id, message_id);
      const ends = (await daemon.events(id)).filter(is('turn ended'));
      expect(ends.map(({ end }) => end)).toEqual(['cut-off', 'ended']);
      await prompt(id, message_id);
    });

    it('urgent: interrupts an agent in a tool', async () => {
      const id = await stage.start('tool [[bash touch in-the-tool; timeout 30 tail -f /dev/null]]');
      await untilFile('in-the-tool');
      const { message_id } = await send(id, 'stop that [[say stopped]]', 'urgent');
      await answered(id, message_id);
      const ends = (await daemon.events(id)).filter(is('turn ended'));
      expect(ends.map(({ end }) => end)).toEqual(['cut-off', 'ended']);
      await prompt(id, message_id);
    });

    it('an interrupt ends the turn, of an agent that speaks and of one in a tool, and nothing follows', async () => {
      const speaking = await stage.start('stream [[sleep 30]]');
      await speaks(speaking);
      const inTool = await stage.start('tool [[bash touch in-a-tool; timeout 30 tail -f /dev/null]]');
      await untilFile('in-a-tool');
      for (const id of [speaking, inTool]) {
        const { status, body } = await daemon.call('POST', `/sessions/${id}/interrupt`);
        expect({ status, body }).toMatchObject({
          status: 200,
          body: { status: 'interrupted', returned: [] },
        });
        expect(await daemon.session(id)).toMatchObject({ phase: 'idle', waiting: { count: 0 } });
        const events = await daemon.events(id);
        expect(events.filter(is('turn ended')).map(({ end }) => end)).toEqual(['interrupted']);
        expect(events.find(is('message interrupted'))?.why).toBe('by the user');
        const { message_id } = await send(id, 'go on [[say gone on]]');
        await answered(id, message_id);
      }
    });

    const tellsPrompt = capabilities.tellsPrompt !== false;
    it.skipIf(!tellsPrompt)(
      'an interrupt before any output ends the turn, and its prompt is not sent again',
      async () => {
        const id = await stage.start('silent [[hang silent]]');
        const first = await daemon.until(id, is('message accepted'));
        const { status, body } = await daemon.call('POST', `/sessions/${id}/interrupt`);
        expect({ status, body }).toMatchObject({ status: 200, body: { status: 'interrupted' } });
        expect((await daemon.session(id)).phase).toBe('idle');
        expect(body.returned).toEqual(capabilities.returnsPrompt ? [first.message] : []);
        expect((await daemon.events(id)).filter(is('turn began'))).toHaveLength(1);
      },
    );

    it.skipIf(!tellsPrompt)('urgent: before any output, what was cut goes on together with it', async () => {
      const id = await stage.start('silent [[hang silent]]');
      const first = await daemon.until(id, is('message accepted'));
      const { message_id } = await send(id, 'now both', 'urgent');
      const began = await daemon.until(
        id,
        (event) => is('turn began')(event) && JSON.stringify(event.messages).includes(message_id),
      );
      expect(began.messages).toEqual([first.message, message_id]);
      const { text } = await prompt(id, message_id);
      // Where the prompt does not come back, the agent has it from before.
      expect(text.includes(`#${first.message}:`)).toBe(capabilities.returnsPrompt);
    });

    it.skipIf(!capabilities.stash)('a draft is put aside and comes back, in every mode', async () => {
      const id = await idle();
      await stage.composer(id);
      await stage.type(id, 'half a thought');
      await stage.screen(id, (rows) => rows.includes('half a thought'));
      for (const mode of ['sequential', 'important', 'urgent']) {
        const { message_id } = await send(id, 'meanwhile [[say ok]]', mode);
        await answered(id, message_id);
        await stage.composer(id, 'half a thought');
      }
      expect((await taken(id)).join('\n')).not.toContain('half a thought');
    });

    it.skipIf(capabilities.stash || !capabilities.typed)(
      'a draft of a human holds the message until he has sent it',
      async () => {
        const id = await idle();
        await stage.composer(id);
        await stage.type(id, 'a thought of mine [[say heard]]');
        await stage.screen(id, (rows) => rows.includes('a thought of mine'));
        const { state, why, message_id } = await send(id, 'you there? [[say yes]]');
        expect({ state, why }).toEqual({ state: 'held', why: 'draft' });
        await stage.press(id, 'Enter');
        await answered(id, message_id);
        expect(await taken(id)).toContain('a thought of mine [[say heard]]');
        expect((await prompt(id, message_id)).text).not.toContain('a thought of mine');
      },
    );

    it.skipIf(!capabilities.stash)(
      'a draft of a human is neither sent nor lost when he has a stash as well',
      async () => {
        const id = await idle();
        await stage.composer(id);
        await stage.type(id, 'first thought');
        await stage.screen(id, (rows) => rows.includes('first thought'));
        await stage.press(id, 'C-s');
        await stage.screen(id, (rows) => rows.includes('stashed'));
        await stage.type(id, 'second thought');
        await stage.screen(id, (rows) => rows.includes('second thought'));
        const { state, why, message_id } = await send(id, 'you there? [[say yes]]');
        expect({ state, why }).toEqual({ state: 'held', why: 'draft' });
        // The human sends his own; his stash comes back, and the message is held by that.
        await stage.press(id, 'Enter');
        await daemon.until(id, is('message accepted', { message: message_id }));
        await answered(id, message_id);
        await stage.composer(id, 'first thought');
      },
    );

    it('what a composer could take for something of its own arrives as a text', async () => {
      const id = await idle();
      for (const text of ['!touch not-run', '/clear', 'what is $HOME', 'look at @nobody', '# not a note']) {
        const { message_id } = await send(id, text);
        await answered(id, message_id);
        expect((await prompt(id, message_id)).text).toBe(`[sm] from the user #${message_id}:\n${text}`);
      }
      expect(existsSync(join(stage.folder, 'not-run'))).toBe(false);
      expect((await daemon.session(id)).context.number).toBe(1);
    });

    it('ten kilobytes and a megabyte arrive byte for byte', async () => {
      const id = await idle();
      const long = capabilities.longTexts === false ? [] : [lines(1_000_000)];
      for (const text of [lines(10_000), ...long]) {
        const { message_id } = await send(id, text);
        await answered(id, message_id);
        expect((await prompt(id, message_id)).text).toBe(`[sm] from the user #${message_id}:\n${text}`);
      }
    }, 120_000);

    it('clear: is proven by a new context, and the prompt behind it is the first of that context', async () => {
      const id = await idle();
      const before = await daemon.session(id);
      const { status, body } = await daemon.call('POST', `/sessions/${id}/clear`, {
        prompt: 'afresh [[say new life]]',
      });
      expect(status, JSON.stringify(body)).toBe(200);
      expect(body).toMatchObject({ status: 'cleared', context: 2 });
      const cleared = (await daemon.events(id)).find(is('clear done'));
      const end = await daemon.until(id, is('turn ended'), cleared?.number);
      expect(end).toMatchObject({ end: 'ended', last_words: 'new life' });
      expect((await daemon.session(id)).context.provider_id).not.toBe(before.context.provider_id);
    });

    it('clear: interrupts a turn that runs, and keeps what waits', async () => {
      const id = await stage.start('stream [[sleep 30]]');
      await speaks(id);
      const { message_id } = await send(id, 'kept [[say kept for the new context]]');
      expect(await daemon.call('POST', `/sessions/${id}/clear`, {})).toMatchObject({ status: 200 });
      await answered(id, message_id);
      const events = await daemon.events(id);
      expect(events.find(is('turn ended'))?.end).toBe('cut-off');
      expect(events.findIndex(is('clear done'))).toBeLessThan(
        events.findIndex(is('message accepted', { message: message_id })),
      );
    });

    it('several that wait go as one prompt, in their order', async () => {
      const id = await stage.start('stream [[sleep 2]]');
      await daemon.until(id, is('turn began'));
      const sent = [await send(id, 'one'), await send(id, 'two'), await send(id, 'three [[say all three]]')];
      await answered(id, sent[2]?.message_id as string);
      const { text } = await prompt(id, sent[2]?.message_id as string);
      const places = sent.map(({ message_id }) => text.indexOf(`#${message_id}:`));
      expect(places.every((place) => place >= 0)).toBe(true);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    });
  });
}

/** Text of about so many bytes, no two lines alike. */
function lines(bytes: number): string {
  let text = '';
  for (let i = 0; text.length < bytes; i += 1)
    text += `line ${i} of a long text with "quotes", $variables and ümläuts\n`;
  return `${text}the end`;
}
