// Reminders of one's own or for a relative, and the end of those for a status.
import { secondsFrom } from '../arguments.ts';
import { chosen, isSeveral } from '../choose-sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { Failure } from '../failure.ts';
import { presentSession } from '../find-session.ts';
import { forEach } from '../for-each.ts';
import { type Io, ownSessionId, printLines, requireSelf } from '../io.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { actor, nameAndId } from '../text/session.ts';
import { tableLines } from '../text/table.ts';

export default defineCommand({
  usage: 'SECONDS TEXT [--for S] | --every SECONDS TEXT [--for S] | SESSION --stop | --list | --cancel ID',
  about:
    'Sends you TEXT after SECONDS, or every SECONDS, as an urgent message. If the daemon is down at that time, it comes\n' +
    'later. With --stop, sm stops asking SESSION for its status (see sm send --remind).',
  options: {
    every: { value: 'SECONDS', help: 'repeat until cancelled' },
    for: { value: 'S', help: 'remind session S of your family instead of yourself' },
    stop: { help: 'stop asking SESSION for its status' },
    list: { help: 'list pending reminders' },
    cancel: { value: 'ID', help: 'cancel one' },
    json: jsonOption,
  },
  async run({ args, options, io, client }) {
    if (options.stop) return stop(io, client, args);
    if (options.list) await list(io, client, options.json);
    else if (options.cancel !== undefined) await cancel(io, client, options.cancel);
    else return set(io, client, args, options);
    return 0;
  },
});

interface Options {
  readonly every: string | undefined;
  readonly for: string | undefined;
  readonly json: boolean;
}

async function set(io: Io, client: Client, args: readonly string[], options: Options): Promise<number> {
  const { delay, text } = asked(args, options.every);
  const ref =
    options.for ?? requireSelf(io, 'Name the session to remind: sm remind SECONDS "TEXT" --for SESSION');
  const when = options.every === undefined ? `in ${delay} s` : `every ${delay} s`;
  const reminders: { reminder_id: string }[] = [];
  const exitCode = await forEach(await chosen({ io, client }, [ref]), io, async (each) => {
    const { id, display_name } = await presentSession(client, each);
    const answer = await client.ask('POST /scheduler/remind', {
      body: {
        session_id: id,
        delay_seconds: delay,
        every_seconds: options.every === undefined ? undefined : delay,
        message: text,
        requester_session_id: ownSessionId(io),
      },
    });
    reminders.push(answer);
    if (options.json) return;
    io.out(
      `Reminder ${answer.reminder_id}: ${nameAndId({ id, display_name })} ${when}. Cancel: sm remind --cancel ${answer.reminder_id}\n`,
    );
  });
  if (options.json && (isSeveral([ref]) || reminders[0]))
    io.out(safeJson(isSeveral([ref]) ? { reminders } : reminders[0]));
  return exitCode;
}

function asked(args: readonly string[], every: string | undefined): { delay: number; text: string } {
  const [seconds, text] = every === undefined ? args : [every, args[0]];
  if (text === undefined || args.length > (every === undefined ? 2 : 1))
    throw new Failure(
      'Give a time and a text: sm remind SECONDS "TEXT", or sm remind --every SECONDS "TEXT"',
    );
  return { delay: secondsFrom(every === undefined ? 'SECONDS' : '--every', seconds) as number, text };
}

async function stop(io: Io, client: Client, [ref, ...more]: readonly string[]): Promise<number> {
  if (ref === undefined || more.length > 0) throw new Failure('Name one session: sm remind SESSION --stop');
  return forEach(await chosen({ io, client }, [ref]), io, async (each) => {
    const session = await presentSession(client, each);
    const { status } = await client.ask('DELETE /sessions/{ref}/remind', { ref: session.id });
    io.out(
      status === 'none'
        ? `sm was not asking ${nameAndId(session)} for its status.\n`
        : `sm stops asking ${nameAndId(session)} for its status.\n`,
    );
  });
}

async function cancel(io: Io, client: Client, id: string): Promise<void> {
  const self = ownSessionId(io);
  await client.ask('DELETE /scheduler/remind/{id}', { id, query: { requester_session_id: self } });
  io.out(`Cancelled reminder ${oneLine(id)}\n`);
}

/** A session sees its own, a person all of them. */
async function list(io: Io, client: Client, json: boolean): Promise<void> {
  const self = ownSessionId(io);
  const answer = await client.ask('GET /scheduler/reminders', { query: { session_id: self } });
  if (json) return io.out(safeJson(answer));
  if (answer.reminders.length === 0) return io.out('No reminders. Set one with: sm remind SECONDS "TEXT"\n');
  const rows = answer.reminders.map((each) => [
    { text: each.reminder_id },
    { text: `${oneLine(each.session_name)} (${each.session_id})` },
    { text: `${each.fires_in_seconds}s` },
    { text: each.every_seconds === null ? '' : `${each.every_seconds}s` },
    { text: actor(each.from) },
    { text: oneLine(each.message) },
  ]);
  printLines(io, tableLines(['ID', 'SESSION', 'IN', 'EVERY', 'FROM', 'TEXT'], rows, io.columns));
}
