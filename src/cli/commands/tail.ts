import { numberWithin } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { followEvents, lastEvents } from '../events.ts';
import { Failure } from '../failure.ts';
import { findSession } from '../find-session.ts';
import { printLines } from '../io.ts';
import { eventLine, saidLines } from '../text/event.ts';
import { safeJson } from '../text/safe.ts';
import { cut } from '../text/width.ts';

export default defineCommand({
  usage: 'SESSION [-n N] [-f] [--json]',
  options: {
    lines: { value: 'N', short: 'n', help: 'number of events (default 20)' },
    follow: { short: 'f', help: 'keep printing new events' },
    json: jsonOption,
  },
  async run({ args: [ref = ''], options, io, client }) {
    const count = numberWithin('-n', options.lines, [1, 1000]) ?? 20;
    if (options.follow && options.json) throw new Failure('--json does not work with -f. Leave one out.');
    const { id } = await findSession(io, client, ref);
    const events = await lastEvents(client, id, count);
    if (options.json) return io.out(safeJson({ events }));
    const print = (batch: typeof events) =>
      printLines(
        io,
        batch.flatMap((event) =>
          event.type === 'said'
            ? saidLines(event, io.now())
            : [cut(eventLine(event, io.now()), io.columns ?? Number.POSITIVE_INFINITY)],
        ),
      );
    if (events.length === 0) io.out('No events.\n');
    print(events);
    if (!options.follow) return;
    for await (const event of followEvents(client, id, events.at(-1)?.number ?? 0)) print([event]);
  },
});
