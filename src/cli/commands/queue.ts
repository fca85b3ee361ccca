import { defineCommand, jsonOption } from '../command.ts';
import { printLines } from '../io.ts';
import { messageTable, whyItWaits } from '../text/message.ts';
import { oneLine, safeJson } from '../text/safe.ts';
import { nameAndId } from '../text/session.ts';

export default defineCommand({
  usage: 'SESSION [--json]',
  about: 'Lists the messages that wait for a session, next one first, and why they wait.',
  options: { json: jsonOption },
  async run({ args: [ref = ''], options, io, client }) {
    const answer = await client.ask('GET /sessions/{ref}/send-queue', { ref });
    if (options.json) return io.out(safeJson(answer));
    const session = await client.ask('GET /sessions/{ref}', { ref: answer.session_id });
    const { pending_count: count, pending_messages: messages } = answer;
    const { pending_commands: commands = [] } = answer;
    if (commands.length > 0)
      io.out(`Commands that wait for ${nameAndId(session)}: ${commands.map(oneLine).join(', ')}\n`);
    if (count === 0) {
      if (commands.length > 0) return;
      return io.out(`Nothing waits for ${nameAndId(session)}: ${whyItWaits(session)}\n`);
    }
    const waiting = `${count} message${count === 1 ? ' waits' : 's wait'}`;
    io.out(`${waiting} for ${nameAndId(session)}: ${whyItWaits(session)}\n`);
    printLines(io, messageTable(io, messages));
    if (messages.length < count) io.out(`and ${count - messages.length} more\n`);
  },
});
