// What a person writes to the bot or taps: an answer to a question, or a message to a session. Only from chats that the
// configuration allows; what comes from elsewhere is not even answered.
import { createHash } from 'node:crypto';
import type { Api } from 'grammy';
import type { CallbackQuery, Message, Update, User } from 'grammy/types';
import type { Log } from '../../ports/log.ts';
import type { Acts } from '../../ports/notifications.ts';
import type { Tellings } from '../../ports/telling.ts';
import type { Topics } from '../../ports/topics.ts';

export interface IncomingDeps {
  readonly api: Api;
  /** The name of our tellings. */
  readonly channel: string;
  readonly chats: readonly string[];
  readonly acts: Acts;
  readonly topics: Topics;
  readonly tellings: Pick<Tellings, 'withReceipt'>;
  readonly log: Log;
  /** Somebody has written from a chat that is not allowed. */
  foreign(chat: number): void;
}

const help =
  'Reply to a notification of sm, or write in the topic of a session: your words go to that session as a message.';

export function createIncoming(deps: IncomingDeps): (update: Update) => Promise<void> {
  const { api, channel, chats, acts, topics, tellings, log, foreign } = deps;

  function isAllowed(chat: { readonly id: number }): boolean {
    if (chats.includes(String(chat.id))) return true;
    log.info({ chat: chat.id }, 'something came from a Telegram chat that is not in chats:');
    foreign(chat.id);
    return false;
  }

  async function tapped({ id, data = '', message, from }: CallbackQuery): Promise<void> {
    const [decision, session, question] = data.split(' ');
    if (!message || !isAllowed(message.chat)) return;
    if ((decision !== 'allow' && decision !== 'deny') || !session || !question) return;
    const { text } = await acts.answer({ session, question, decision, via: viaOf(from) });
    // First what matters: that it is answered. The rest is only said.
    await api.answerCallbackQuery(id, { text: text.slice(0, 200), show_alert: true }).catch(() => {});
    const { chat, message_id: sent } = message;
    await api.editMessageReplyMarkup(chat.id, sent).catch(() => {});
    await api.sendMessage(chat.id, text, replyingTo(sent));
  }

  async function wrote(message: Message): Promise<void> {
    const { chat, text, message_id: id, from } = message;
    if (text === undefined || !isAllowed(chat)) return;
    const session = await sessionOf(message);
    const said =
      session === null
        ? help
        : (await acts.send({ session, text, id: messageId(chat.id, id), via: viaOf(from) })).text;
    await api.sendMessage(chat.id, said, replyingTo(id));
  }

  /** What it replies to, or the topic that it stands in. */
  async function sessionOf({ chat, reply_to_message: replied, message_thread_id: topic }: Message) {
    const told = replied ? await tellings.withReceipt(channel, receiptOf(chat.id, replied.message_id)) : null;
    if (told) return told.sessionId;
    return topic === undefined ? null : topics.sessionOf(String(chat.id), topic);
  }

  return async ({ callback_query: tap, message }) => {
    if (tap) await tapped(tap);
    else if (message) await wrote(message);
  };
}

export const receiptOf = (chat: number | string, message: number): string => `${chat}/${message}`;

const viaOf = (user: User | undefined): string => `Telegram${user ? `, ${user.first_name}` : ''}`;

const replyingTo = (message_id: number) => ({
  reply_parameters: { message_id, allow_sending_without_reply: true },
});

/** The same words that come a second time have the same id. */
const messageId = (chat: number, message: number): string =>
  createHash('sha256').update(`telegram ${chat} ${message}`).digest('hex').slice(0, 8);
