// Telegram: a notification is a message of the bot, in a topic of the session where the chat has topics, with buttons
// where a question can be answered.
import { Api } from 'grammy';
import type { Clock } from '../../ports/clock.ts';
import type { Log } from '../../ports/log.ts';
import type { Acts, Notification, Sender, Sent } from '../../ports/notifications.ts';
import type { Tellings } from '../../ports/telling.ts';
import type { Topics } from '../../ports/topics.ts';
import { faultOf, isTopicGone } from './faults.ts';
import { createIncoming, receiptOf } from './incoming.ts';
import { type Poller, startPoller } from './poller.ts';

/** No request but the long poll takes longer. */
const timeoutSeconds = 60;

export interface TelegramDeps {
  readonly channel: string;
  readonly chats: readonly string[];
  /** Another server of the Bot API than Telegram's own; null: that one. */
  readonly server: string | null;
  /** Throws a reason for people. */
  token(): string;
  readonly acts: Acts;
  readonly topics: Topics;
  readonly tellings: Pick<Tellings, 'withReceipt'>;
  readonly clock: Clock;
  readonly log: Log;
}

export function createTelegram(deps: TelegramDeps): Sender {
  const { channel, chats, server, topics, clock, log } = deps;
  let poller: Poller | undefined;
  let unread: string | null = null;
  let stranger: number | null = null;

  function open(): { readonly api: Api; readonly token: string } {
    const token = deps.token();
    return { api: new Api(token, { timeoutSeconds, ...(server !== null && { apiRoot: server }) }), token };
  }

  async function deliver(api: Api, chat: string, notification: Notification): Promise<Sent> {
    const thread = await topicFor(api, chat, notification);
    const send = (topic: number | null) =>
      api.sendMessage(chat, textOf(notification), {
        link_preview_options: { is_disabled: true },
        ...(topic !== null && { message_thread_id: topic }),
        ...buttonsOf(notification),
      });
    const sent = await send(thread).catch(async (error: unknown) => {
      if (thread === null || !isTopicGone(error)) throw error;
      return send(await makeTopic(api, chat, notification));
    });
    return { is: 'done', receipt: receiptOf(chat, sent.message_id) };
  }

  /** Null: the chat has no topics, or it is a test. */
  async function topicFor(api: Api, chat: string, notification: Notification): Promise<number | null> {
    if (notification.test) return null;
    const known = await topics.of(chat, notification.session.id);
    if (known !== null) return known;
    const found = await api.getChat(chat);
    return 'is_forum' in found && found.is_forum ? makeTopic(api, chat, notification) : null;
  }

  async function makeTopic(api: Api, chat: string, { title, session }: Notification): Promise<number> {
    const { message_thread_id: topic } = await api.createForumTopic(chat, title.slice(0, 128));
    await topics.put(chat, session.id, topic);
    return topic;
  }

  return {
    recipients: chats.length > 0 ? chats : [nobody],
    async send(chat, notification) {
      if (chat === nobody) return { is: 'no-device', why: noChat(stranger) };
      let token = '';
      try {
        const opened = open();
        token = opened.token;
        return await deliver(opened.api, chat, notification);
      } catch (error) {
        // Without a token nothing was asked of anybody.
        if (token === '') return { is: 'failed', why: (error as Error).message, again: false };
        return faultOf(error, token);
      }
    },
    problem: () => unread ?? poller?.problem() ?? (chats.length > 0 ? null : noChat(stranger)),
    start(changed) {
      try {
        const { api, token } = open();
        const foreign = (chat: number) => {
          stranger = chat;
          changed();
        };
        const handle = createIncoming({ ...deps, api, foreign });
        poller = startPoller({ api, token, clock, log, handle, changed });
      } catch (error) {
        unread = (error as Error).message;
        log.warn({ channel, why: unread }, 'cannot read Telegram');
      }
    },
    stop: async () => poller?.stop(),
  };
}

const nobody = 'nobody';

/** So a person learns the number of his chat. */
const noChat = (stranger: number | null): string =>
  stranger === null
    ? 'no chat is named: write something to your bot, then look here again'
    : `no chat is named: somebody wrote from ${stranger}; if that was you, set chats: [${stranger}]`;

const textOf = ({ title, text, link }: Notification): string =>
  [`${title} ${text}`, ...(link === null ? [] : [link])].join('\n');

/** What a button sends back names the question: no other is answered by it. */
function buttonsOf({ question, session: { id } }: Notification) {
  if (question === null) return {};
  const button = (text: string, decision: string) => ({
    text,
    callback_data: `${decision} ${id} ${question}`,
  });
  return { reply_markup: { inline_keyboard: [[button('Allow', 'allow'), button('Deny', 'deny')]] } };
}
