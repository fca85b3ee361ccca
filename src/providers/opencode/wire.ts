// What goes between us and the program beside opencode: requests and answers, and of what its server tells, the part
// that we read. A tool's whole output, say, would come again with every line that is added to it.
import { list, number, record, text } from '../values.ts';

export interface Request {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  readonly body?: object;
  /** Done once, however often it is asked under this name. */
  readonly once?: string;
  /** It gets an id of ours. */
  readonly isPrompt?: boolean;
}

type Json = Record<string, unknown>;

const ours = 'smsmsm';

/** opencode sorts messages by their ids: by the time in them, and then by a number. */
export function idAt(ms: number, count: number, unique: string): string {
  const place = (BigInt(ms) * 4096n + BigInt(count % 4096)) & ((1n << 48n) - 1n);
  return `msg_${place.toString(16).padStart(12, '0')}${ours}${unique}`;
}

export const isOurs = (messageId: string): boolean => messageId.startsWith(ours, 'msg_'.length + 12);

export const windowsPath = '/config/providers';

export function answerOf(path: string, status: number, words: string): { status: number; body: unknown } {
  const body = parsed(words) ?? words;
  return { status, body: path === windowsPath && status === 200 ? windowsIn(record(body)) : body };
}

/** How large the contexts of models may be. There are thousands of models, and much is said of each. */
function windowsIn({ providers }: Json): Record<string, number> {
  const found = list(providers).flatMap((each) => {
    const { id, models } = record(each);
    return Object.entries(record(models)).flatMap(([model, known]) => {
      const size = number(record(record(known).limit).context);
      return size === null ? [] : [[`${id}/${model}`, size] as const];
    });
  });
  return Object.fromEntries(found);
}

/** One event as the server sends it; null: nothing that we read. */
export function slimEvent(frame: string): object | null {
  const data = frame
    .split('\n')
    .flatMap((line) => (line.startsWith('data:') ? line.slice('data:'.length) : []))
    .join('\n');
  const { type, properties } = record(parsed(data));
  const slim = kinds[text(type) ?? ''];
  if (!slim) return null;
  const said = record(properties);
  return { type, properties: { sessionID: said.sessionID, ...slim(said) } };
}

const kinds: Readonly<Record<string, (said: Json) => object>> = {
  'session.created': ({ info }) => ({ info: some(info, 'id', 'parentID') }),
  'tui.session.select': () => ({}),
  'session.status': ({ status }) => ({ status: some(status, 'type') }),
  'session.idle': () => ({}),
  'session.error': ({ error }) => ({ error: slimError(error) }),
  'session.compacted': () => ({}),
  'message.updated': ({ info }) => ({ info: slimMessage(record(info)) }),
  'message.part.updated': ({ part }) => ({ part: slimPart(record(part)) }),
  'permission.asked': (said) => some(said, 'id', 'permission', 'patterns', 'metadata', 'tool'),
  'permission.replied': (said) => some(said, 'requestID'),
  'question.asked': (said) => some(said, 'id', 'questions', 'tool'),
  'question.replied': (said) => some(said, 'requestID'),
  'question.rejected': (said) => some(said, 'requestID'),
};

function slimMessage(info: Json): object {
  return {
    ...some(info, 'id', 'role', 'parentID', 'time', 'finish', 'tokens', 'cost', 'providerID', 'modelID'),
    ...(info.summary === true && { summary: true }),
    ...(info.error !== undefined && { error: slimError(info.error) }),
  };
}

function slimPart(part: Json): object {
  const known = some(part, 'id', 'type', 'messageID', 'text', 'synthetic', 'auto', 'callID', 'time');
  return part.type === 'tool' ? { ...known, state: some(part.state, 'status') } : known;
}

const slimError = (error: unknown): object => ({
  name: record(error).name,
  data: some(record(error).data, 'message', 'statusCode'),
});

function some(value: unknown, ...names: readonly string[]): object {
  const all = record(value);
  return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])));
}

function parsed(words: string): unknown {
  try {
    return JSON.parse(words);
  } catch {
    return null;
  }
}
