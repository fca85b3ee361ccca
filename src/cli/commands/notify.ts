import type { ChannelView, NotificationView } from '../../protocol/notification.ts';
import { wholeNumber } from '../arguments.ts';
import { defineCommand, type Invocation, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { type Io, printLines } from '../io.ts';
import { coloursFor } from '../text/colours.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { type Cell, tableLines } from '../text/table.ts';
import { ago } from '../text/time.ts';

type Run = Invocation<{ readonly json: boolean; readonly lines: string | undefined }>;

export default defineCommand({
  usage: '[log | test CHANNEL] [-n N] [--json]',
  about:
    'Lists the channels that tell you what happens (notify: in the configuration), and what is wrong with them. log lists\n' +
    'the notifications, the newest first: sent, suppressed (and why), no-device or failed. test sends one now.',
  options: {
    lines: { value: 'N', short: 'n', help: 'how many the log lists (default 50)' },
    json: jsonOption,
  },
  arity: [0, 2],
  async run(invocation) {
    const [action, ...args] = invocation.args;
    if (action === undefined) return list(invocation);
    if (action === 'log' && args.length === 0) return log(invocation);
    if (action === 'test') return tryOut(invocation, args[0]);
    throw new Failure(
      `Unknown action "${invocation.args.join(' ')}". Use log, or test CHANNEL; or none, to list.`,
    );
  },
});

async function list({ options, io, client }: Run): Promise<number> {
  const answer = await client.ask('GET /notifications/channels');
  if (options.json) io.out(safeJson(answer));
  else printLines(io, channelLines(io, answer.channels));
  return 0;
}

function channelLines(io: Io, channels: readonly ChannelView[]): string[] {
  if (channels.length === 0)
    return ['No channels. Write them under notify: in the configuration (see docs/guide/notify.md).'];
  const { dim, red } = coloursFor(io);
  const rows = channels.map(({ name, kind, problem, last_sent_at: sent }): Cell[] => [
    oneLine(name),
    oneLine(kind),
    sent === null ? 'nothing' : ago(sent, io.now()),
    { text: problem === null ? '' : oneLine(problem), paint: red },
  ]);
  const [head = '', ...lines] = tableLines(['CHANNEL', 'KIND', 'LAST SENT', 'PROBLEM'], rows, io.columns);
  return [dim(head), ...lines];
}

async function log({ options, io, client }: Run): Promise<number> {
  const answer = await client.ask('GET /notifications', {
    query: { limit: wholeNumber('-n', options.lines, 50) },
  });
  if (options.json) io.out(safeJson(answer));
  else printLines(io, logLines(io, answer.notifications));
  return 0;
}

function logLines(io: Io, notifications: readonly NotificationView[]): string[] {
  if (notifications.length === 0) return ['Nothing was to be told. Try a channel: sm notify test CHANNEL'];
  const { dim, red } = coloursFor(io);
  const now = io.now();
  const rows = notifications.map((each): Cell[] => [
    ago(each.at, now),
    oneLine(each.channel),
    each.event === 0 ? 'test' : each.occasion,
    each.event === 0 ? '' : `${oneLine(each.session_name ?? 'forgotten')} (${each.session_id})`,
    {
      text: outcomeText(each, now),
      paint: each.outcome === 'failed' || each.outcome === 'no-device' ? red : undefined,
    },
  ]);
  const [head = '', ...lines] = tableLines(
    ['WHEN', 'CHANNEL', 'OCCASION', { title: 'SESSION', leaves: 1 }, 'OUTCOME'],
    rows,
    io.columns,
  );
  return [dim(head), ...lines];
}

/** `sent`, `suppressed: it works again`, `waiting, 40 s more: quiet hours` */
function outcomeText({ outcome, why, due_at: due }: NotificationView, now: number): string {
  const left = outcome === 'waiting' && due !== null ? Math.ceil((Date.parse(due) - now) / 1_000) : 0;
  const said = left > 0 ? `${outcome}, ${length(left)} more` : outcome;
  return why === null ? said : `${said}: ${oneLine(why)}`;
}

const length = (seconds: number): string =>
  seconds < 120
    ? `${seconds} s`
    : seconds < 7_200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 3_600)} h`;

async function tryOut({ options, io, client }: Run, channel: string | undefined): Promise<number> {
  if (channel === undefined) throw new Failure('Name a channel: sm notify test CHANNEL. See: sm notify');
  const { sent } = await client.ask('POST /notifications/test', { body: { channel } });
  if (options.json) io.out(safeJson({ sent }));
  else
    printLines(
      io,
      sent.map(({ to, outcome, why }) => {
        const whom = sent.length > 1 ? `${oneLine(channel)} ${oneLine(to)}` : oneLine(channel);
        return `${whom}: ${outcome}${why === null ? '' : `: ${oneLine(why)}`}`;
      }),
    );
  return sent.every(({ outcome }) => outcome === 'sent') ? 0 : 1;
}
