import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { ownSessionId, printLines, requireSelf } from '../io.ts';
import { startOne } from '../text/hints.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { tableLines } from '../text/table.ts';

export default defineCommand({
  usage: 'enable|disable|status [SESSION] [--notify S] [--json]',
  about:
    'Tells an agent once when its context is half full, and once when it is critically full. A session may set its own\n' +
    "monitor and its children's; a person any. --notify tells another session as well.",
  options: { notify: { value: 'S', help: 'also tell this session' }, json: jsonOption },
  async run({ args: [word, ref], options, io, client }) {
    if (word === 'status') {
      const { monitored } = await client.ask('GET /sessions/context-monitor');
      const shown = monitored.filter(
        ({ session_id, name }) => !ref || session_id.startsWith(ref) || name === ref,
      );
      if (options.json) return io.out(safeJson({ monitored: shown }));
      if (shown.length === 0) return io.out(`No sessions. ${startOne}\n`);
      const rows = shown.map((each) => [
        { text: `${oneLine(each.name)} (${each.session_id})` },
        { text: each.enabled ? 'on' : 'off' },
        { text: each.used_percentage === null ? '' : `${Math.round(each.used_percentage)}%` },
        { text: each.critical ? 'critical' : each.warned ? 'warning' : '' },
        { text: each.notify_session_id ?? '' },
      ]);
      return printLines(
        io,
        tableLines(['SESSION', 'MONITOR', 'CONTEXT', 'TOLD', 'NOTIFIES'], rows, io.columns),
      );
    }
    if (word !== 'enable' && word !== 'disable')
      throw new Failure(`Use enable, disable or status, not "${oneLine(word ?? '')}".`);
    const target = ref ?? requireSelf(io, `Name one: sm context-monitor ${word} SESSION`);
    const answer = await client.ask('POST /sessions/{ref}/context-monitor', {
      ref: target,
      body: {
        enabled: word === 'enable',
        notify_session_id: options.notify,
        requester_session_id: ownSessionId(io),
      },
    });
    if (options.json) return io.out(safeJson(answer));
    io.out(
      `Context monitor of ${oneLine(answer.name)} (${answer.session_id}): ${answer.enabled ? 'on' : 'off'}\n`,
    );
  },
});
