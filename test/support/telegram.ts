// For tests: a stand-in for Telegram's Bot API on loopback, with the semantics of the real one as far as we use it:
// updates that come again until a later one is asked for, one reader only, topics, buttons, limits.
import { type Said, type StandInService, standInService } from './stand-in-service.ts';
import { until } from './until.ts';

export const botToken = '12345:s3cret-token';

interface Button {
  readonly text: string;
  readonly callback_data: string;
}

export interface SentMessage {
  readonly message_id: number;
  readonly chat: number;
  readonly topic: number | null;
  readonly text: string;
  readonly replyTo: number | null;
  buttons: readonly Button[];
}

export interface Chat {
  readonly id: number;
  readonly forum?: boolean;
}

export interface TelegramStandIn {
  readonly url: string;
  readonly sent: readonly SentMessage[];
  readonly topics: ReadonlyMap<number, { readonly chat: number; readonly name: string }>;
  /** What was shown after a tap, by the id of the tap. */
  readonly alerts: ReadonlyMap<string, string>;
  /** How often updates were asked for. */
  readonly polls: number;
  /** The next calls of a method are answered so. */
  fail(method: string, ...answers: object[]): void;
  deleteTopic(topic: number): void;
  /** Somebody taps a button; answers the id of the tap. */
  tap(message: SentMessage, button: string, user?: string, chat?: number): string;
  /** The same of a message that is not looked at. */
  tapOf(chat: number, data: string): string;
  write(chat: number, text: string, where?: { readonly replyTo?: number; readonly topic?: number }): void;
  /** The last update comes once more, as after a reader that died. */
  repeat(): void;
  untilSent(fits: (message: SentMessage) => boolean): Promise<SentMessage>;
  close(): Promise<void>;
}

const ok = (result: unknown): Said => ({ status: 200, body: JSON.stringify({ ok: true, result }) });
const refused = (error_code: number, description: string, more: object = {}): Said => ({
  status: error_code,
  body: JSON.stringify({ ok: false, error_code, description, ...more }),
});

export async function standInTelegram(chats: readonly Chat[]): Promise<TelegramStandIn> {
  const sent: SentMessage[] = [];
  const topics = new Map<number, { chat: number; name: string }>();
  const alerts = new Map<string, string>();
  const taps = new Set<string>();
  const failing = new Map<string, object[]>();
  let updates: { update_id: number }[] = [];
  let last: { update_id: number } | undefined;
  let number = 100;
  let polls = 0;
  /** The reader that waits. */
  let reader: { answer(said: Said): void; offset: number } | null = null;

  const next = () => ++number;
  const user = (first_name: string) => ({ id: 7, is_bot: false, first_name });

  function add(update: object): void {
    last = { update_id: next(), ...update };
    updates.push(last);
    serve();
  }
  function serve(): void {
    if (!reader || updates.length === 0) return;
    const { answer } = reader;
    reader = null;
    answer(ok(updates));
  }

  function tapped(data: string, name: string, message: object): string {
    const id = String(next());
    taps.add(id);
    add({ callback_query: { id, from: user(name), chat_instance: 'x', data, message } });
    return id;
  }

  const methods: Record<string, (body: Record<string, unknown>) => Said | Promise<Said | null>> = {
    getUpdates({ offset = 0, timeout = 0 }) {
      polls += 1;
      updates = updates.filter(({ update_id }) => update_id >= Number(offset));
      reader?.answer(
        refused(
          409,
          'Conflict: terminated by other getUpdates request; make sure that only one bot instance is running',
        ),
      );
      reader = null;
      if (updates.length > 0 || timeout === 0) return ok(updates);
      return new Promise((resolve) => {
        reader = { answer: resolve, offset: Number(offset) };
      });
    },
    getChat({ chat_id }) {
      const chat = chats.find(({ id }) => id === Number(chat_id));
      if (!chat) return refused(400, 'Bad Request: chat not found');
      return ok({
        id: chat.id,
        type: chat.forum ? 'supergroup' : 'private',
        ...(chat.forum && { is_forum: true }),
      });
    },
    createForumTopic({ chat_id, name }) {
      const chat = chats.find(({ id }) => id === Number(chat_id));
      if (!chat?.forum) return refused(400, 'Bad Request: the chat is not a forum');
      const topic = next();
      topics.set(topic, { chat: chat.id, name: String(name) });
      return ok({ message_thread_id: topic, name, icon_color: 0 });
    },
    sendMessage({ chat_id, text, message_thread_id: topic, reply_markup: markup, reply_parameters: reply }) {
      if (!chats.some(({ id }) => id === Number(chat_id))) return refused(400, 'Bad Request: chat not found');
      if (topic !== undefined && !topics.has(Number(topic)))
        return refused(400, 'Bad Request: message thread not found');
      const buttons = (markup as { inline_keyboard: Button[][] } | undefined)?.inline_keyboard.flat() ?? [];
      const message: SentMessage = {
        message_id: next(),
        chat: Number(chat_id),
        topic: topic === undefined ? null : Number(topic),
        text: String(text),
        replyTo: (reply as { message_id: number } | undefined)?.message_id ?? null,
        buttons,
      };
      sent.push(message);
      return ok({
        message_id: message.message_id,
        date: 0,
        chat: { id: message.chat, type: 'private' },
        text,
      });
    },
    answerCallbackQuery({ callback_query_id: id, text }) {
      if (!taps.delete(String(id)))
        return refused(
          400,
          'Bad Request: query is too old and response timeout expired or query ID is invalid',
        );
      alerts.set(String(id), String(text));
      return ok(true);
    },
    editMessageReplyMarkup({ message_id }) {
      const message = sent.find((each) => each.message_id === Number(message_id));
      if (!message || message.buttons.length === 0)
        return refused(400, 'Bad Request: message is not modified');
      message.buttons = [];
      return ok(true);
    },
  };

  const service: StandInService = await standInService(({ path, body }) => {
    const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(path) ?? [];
    if (token !== botToken) return refused(401, 'Unauthorized');
    const failure = failing.get(method)?.shift();
    if (failure) return refused(500, '', failure);
    const call = methods[method];
    if (!call) return refused(404, 'Not Found: method not found');
    return call(body.length > 0 ? JSON.parse(body.toString('utf8')) : {});
  });

  return {
    url: service.url,
    sent,
    topics,
    alerts,
    get polls() {
      return polls;
    },
    fail(method, ...answers) {
      failing.set(method, [...(failing.get(method) ?? []), ...answers]);
    },
    deleteTopic: (topic) => void topics.delete(topic),
    tap(message, text, name = 'Ann', chat = message.chat) {
      const data = message.buttons.find((each) => each.text === text)?.callback_data;
      if (data === undefined) throw new Error(`the message has no button ${text}`);
      return tapped(data, name, {
        message_id: message.message_id,
        date: 1,
        chat: { id: chat, type: 'private' },
      });
    },
    tapOf: (chat, data) =>
      tapped(data, 'Ann', { message_id: next(), date: 1, chat: { id: chat, type: 'private' } }),
    write(chat, text, { replyTo, topic } = {}) {
      const replied =
        replyTo === undefined
          ? {}
          : { reply_to_message: { message_id: replyTo, date: 1, chat: { id: chat } } };
      add({
        message: {
          message_id: next(),
          date: 1,
          chat: { id: chat, type: 'private' },
          from: user('Ann'),
          text,
          ...replied,
          ...(topic !== undefined && { message_thread_id: topic, is_topic_message: true }),
        },
      });
    },
    repeat() {
      if (last) updates = [last];
      serve();
    },
    untilSent: (fits) => until('a message of the bot', () => sent.find(fits)),
    close: () => service.close(),
  };
}
