// Puts together the channels of notifications: a sender for each that is configured.
import { randomUUID } from 'node:crypto';
import type { Session } from '../domain/core/session.ts';
import { isAlive } from '../domain/core/session.ts';
import type { Engine } from '../engine/engine.ts';
import { createBroken } from '../notify/broken.ts';
import { createDesktop } from '../notify/desktop.ts';
import { createNotifier } from '../notify/notifier.ts';
import type { PushKeys } from '../notify/push.ts';
import { standardRules } from '../notify/rules.ts';
import { readSecret } from '../notify/secret.ts';
import { createWebhook } from '../notify/webhook.ts';
import type { Channel } from '../ports/channel.ts';
import type { Clock } from '../ports/clock.ts';
import type { PushDevices } from '../ports/devices.ts';
import type { Log } from '../ports/log.ts';
import {
  type Acts,
  type ChannelState,
  type Notification,
  type Notifications,
  notifyChannel,
  type Sender,
} from '../ports/notifications.ts';
import type { Store } from '../ports/store.ts';
import type { Telling } from '../ports/telling.ts';
import type { ChannelConfig, NotifyConfig } from './notify-config.ts';

interface Needs {
  readonly config: NotifyConfig;
  readonly engine: Engine;
  readonly store: Store;
  readonly clock: Clock;
  /** Where secrets may be. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** How other devices reach the page. */
  readonly site: string | null;
  readonly acts: Acts;
  /** For programs that we run. */
  readonly programEnv: Readonly<Record<string, string>>;
  /** Of people who look at a session now. */
  terminals(): Promise<readonly string[]>;
  readonly log: Log;
  readonly devices: PushDevices;
  pushKeys(): Promise<PushKeys>;
  session(id: string): Promise<Session | null>;
  selects(selector: string, session: Session): boolean;
}

export async function createNotifications(needs: Needs): Promise<{
  readonly channels: readonly Channel[];
  readonly notifications: Notifications;
  start(): void;
  stop(): Promise<void>;
}> {
  const { config, engine, store, clock, site } = needs;
  const link = ({ id }: { readonly id: string }) => (site === null ? null : new URL(`#s/${id}`, site).href);
  const hasPush = Object.values(config.channels).some(({ kind }) => kind === 'push');
  const rules = config.rules ?? standardRules(Object.keys(config.channels));
  const senders = new Map<string, { readonly kind: string; readonly sender: Sender }>();
  for (const [name, channel] of Object.entries(config.channels))
    senders.set(name, { kind: channel.kind, sender: await senderOf(name, channel, needs) });

  const broken = createBroken(() =>
    Promise.all([...senders].map(([name, { kind, sender }]) => stateOf(name, kind, sender))),
  );
  const channels = [...senders].map(([name, { sender }]) =>
    createNotifier({
      name,
      sender,
      rules,
      quietHours: config.quiet_hours,
      tellings: store.tellings,
      clock,
      session: needs.session,
      selects: needs.selects,
      ancestry: (session) => ancestry(engine, session),
      hasParent: ({ parentId }) => {
        const parent = parentId === null ? undefined : engine.get(parentId);
        return parent !== undefined && isAlive(parent.session);
      },
      link,
      told: broken.look,
    }),
  );

  async function stateOf(name: string, kind: string, sender: Sender): Promise<ChannelState> {
    const last = await store.tellings.lastSent(notifyChannel(name));
    const problem = sender.problem?.() ?? null;
    const failed = last && last.state.is !== 'done' && 'why' in last.state ? (last.state.why ?? null) : null;
    return {
      name,
      kind,
      problem: problem ?? failed,
      lastSentAt: last?.state.is === 'done' ? last.state.at : null,
    };
  }

  async function test(name: string) {
    const found = senders.get(name);
    if (!found) return null;
    const { signal } = new AbortController();
    const tested = await Promise.all(
      found.sender.recipients.map(async (to) => {
        const sent = await found.sender.send(to, sample(site), signal);
        await store.tellings.record(asTelling(name, to, clock.now(), sent));
        return { to, sent };
      }),
    );
    void broken.look();
    return tested;
  }

  return {
    channels,
    start() {
      for (const { sender } of senders.values()) sender.start?.(broken.look);
      void broken.look();
    },
    async stop() {
      await Promise.all([...senders.values()].map(({ sender }) => sender.stop?.()));
    },
    notifications: {
      broken,
      pushKey: hasPush ? (await needs.pushKeys()).publicKey : null,
      channels: () =>
        Promise.all([...senders].map(([name, { kind, sender }]) => stateOf(name, kind, sender))),
      test,
    },
  };
}

function* ancestry(engine: Engine, session: Session): Generator<Session> {
  for (let each: Session | undefined = session; each; ) {
    yield each;
    each = each.parentId === null ? undefined : engine.get(each.parentId)?.session;
  }
}

async function senderOf(name: string, channel: ChannelConfig, needs: Needs): Promise<Sender> {
  const { clock, env, store, acts, log } = needs;
  if (channel.kind === 'telegram') {
    // Loaded where it is wanted: it is larger than all the rest of us.
    const { createTelegram } = await import('../notify/telegram/telegram.ts');
    const { chats, server, token } = channel;
    return createTelegram({
      channel: notifyChannel(name),
      chats,
      server,
      token: () => readSecret(token, env),
      acts,
      topics: store.topics,
      tellings: store.tellings,
      clock,
      log,
    });
  }
  if (channel.kind === 'push') {
    const { createPush } = await import('../notify/push.ts');
    const keys = needs.pushKeys();
    return createPush({
      devices: needs.devices,
      keys: await keys,
      contact: channel.contact ?? contactOf(needs.site),
      buttons: channel.buttons,
      clock,
    });
  }
  if (channel.kind === 'desktop')
    return createDesktop({
      platform: process.platform,
      env: needs.programEnv,
      terminals: needs.terminals,
      clock,
    });
  const { kind, url, token } = channel;
  return createWebhook({
    shape: kind,
    url: () => (typeof url === 'string' ? url : readSecret(url, env)),
    token: () => (token === null ? null : readSecret(token, env)),
    clock,
  });
}

/** Push services want to know whom to turn to. */
const contactOf = (site: string | null): string =>
  site?.startsWith('https:') ? site : 'mailto:nobody@example.com';

const nobody = '00000000';

const sample = (site: string | null): Notification => ({
  occasion: 'waiting',
  session: { id: nobody, name: 'sm' },
  title: 'sm',
  text: 'This is a test.',
  link: site,
  question: null,
  test: true,
});

function asTelling(
  name: string,
  to: string,
  at: number,
  sent: { readonly is: 'done' } | { readonly is: 'failed' | 'no-device'; readonly why: string },
): Telling {
  const state = sent.is === 'done' ? { is: sent.is, at } : { is: sent.is, at, why: sent.why };
  return {
    id: `test.${randomUUID()}`,
    event: 0,
    sessionId: nobody,
    occasion: 'waiting',
    channel: notifyChannel(name),
    to,
    at,
    state,
  };
}
