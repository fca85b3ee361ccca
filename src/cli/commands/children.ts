import { defineCommand, jsonOption } from '../command.ts';
import { printLines, requireSelf } from '../io.ts';
import { safeJson } from '../text/safe.ts';
import { childLines } from '../text/session-details.ts';

export default defineCommand({
  usage: '[SESSION] [--recursive] [--json]',
  about: 'Lists the sessions that a session (default: yourself) has started, with their last status.',
  options: { recursive: { help: 'include their own children' }, json: jsonOption },
  async run({ args: [ref], options, io, client }) {
    const parent = ref ?? requireSelf(io, 'Name one: sm children SESSION');
    const query = { recursive: options.recursive };
    const answer = await client.ask('GET /sessions/{ref}/children', { ref: parent, query });
    if (options.json) return io.out(safeJson(answer));
    if (answer.children.length === 0) return io.out('No children. Start one with: sm spawn "PROMPT"\n');
    printLines(io, childLines(io, answer.children));
  },
});
