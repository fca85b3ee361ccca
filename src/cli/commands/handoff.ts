// An agent rotates its own context; anybody may read what was last handed over.
import { resolve } from 'node:path';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { ownSessionId, requireSelf } from '../io.ts';
import { safeJson, safeText } from '../text/safe.ts';

const notInside = 'CLAUDE_SESSION_MANAGER_ID not set. sm handoff can only be called from within a session.';

export default defineCommand({
  usage: 'FILE | --auto FILE | --show [SESSION] [--json]',
  about:
    'Continues your work in a fresh context: write what it must know into FILE, run this as the last step of your turn,\n' +
    'and end the turn. sm then clears the context and starts the next one from FILE. Anything you do after this call in\n' +
    'the same turn is lost. With --auto nothing happens now: when the context is nearly full, sm asks you to write FILE,\n' +
    'and hands over once it is written.',
  options: {
    auto: { help: 'hand over automatically, once the context is nearly full and FILE is written' },
    show: { help: 'print the last handoff document of SESSION (default: yourself)' },
    json: jsonOption,
  },
  async run({ args: [given], options, io, client }) {
    if (options.show) {
      const ref = given ?? requireSelf(io, 'Name one: sm handoff --show SESSION');
      const answer = await client.ask('GET /sessions/{ref}/handoff', { ref });
      if (options.json) return io.out(safeJson(answer));
      if (answer.text === null)
        throw new Failure(`sm's copy of ${answer.file_path} is gone from the state directory.`);
      return io.out(`${safeText(answer.text).trimEnd()}\n`);
    }
    const self = ownSessionId(io);
    if (self === undefined) throw new Failure(notInside, 2);
    if (given === undefined) throw new Failure('Missing argument FILE. Usage: sm handoff FILE');
    const path = resolve(io.cwd, given);
    await client.ask('POST /sessions/{ref}/handoff', {
      ref: self,
      body: {
        requester_session_id: self,
        file_path: path,
        auto: options.auto,
      },
    });
    io.out(
      options.auto
        ? `When your context is nearly full, sm asks you to write ${path}, and hands over once it is written.\n`
        : 'Handoff scheduled — will execute after current turn completes\n',
    );
  },
});
