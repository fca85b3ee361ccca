// An agent rotates its own context; anybody may read what was last handed over.
import { resolve } from 'node:path';
import type { HandoffAnswer } from '../answers.ts';
import { sessionPath } from '../client.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { safeJson, safeText } from '../format/text.ts';
import { ownSessionId } from '../io.ts';
import { requireSelf } from '../self.ts';

const notInside = 'CLAUDE_SESSION_MANAGER_ID not set. sm handoff can only be called from within a session.';

export default defineCommand({
  usage: 'FILE | --auto FILE | --show [SESSION] [--json]',
  about:
    'Rotates the context of the session that calls it: write into FILE what the new context must know, call this as the\n' +
    'last thing in your turn, and end the turn. The context is then cleared and continues from FILE. Anything you do\n' +
    'after the call in the same turn is lost. With --auto nothing happens now: when the context is nearly full you are\n' +
    'asked for the document, and rotated once it stands there.',
  options: {
    auto: { help: 'rotate by itself, once the context is nearly full and FILE is written' },
    show: { help: 'print the last document that was handed over, by yourself or by SESSION' },
    json: jsonOption,
  },
  arity: [0, 1],
  async run({ args: [given], options, io, client }) {
    if (options.show) {
      const ref = given ?? requireSelf(io, 'Name one: sm handoff --show SESSION');
      const answer = await client.get<HandoffAnswer>(sessionPath(ref, '/handoff'));
      if (options.json) return io.out(safeJson(answer));
      if (answer.text === null)
        throw new Failure(`The copy of ${answer.file_path} is gone from the state directory.`);
      return io.out(`${safeText(answer.text).trimEnd()}\n`);
    }
    const self = ownSessionId(io);
    if (self === undefined) throw new Failure(notInside, 2);
    if (given === undefined) throw new Failure('The document is missing: sm handoff FILE');
    const path = resolve(io.cwd, given);
    await client.send('POST', sessionPath(self, '/handoff'), {
      requester_session_id: self,
      file_path: path,
      auto: options.auto,
    });
    io.out(
      options.auto
        ? `When your context is nearly full you will be asked to write ${path}, and rotated once it stands.\n`
        : 'Handoff scheduled — will execute after current turn completes\n',
    );
  },
});
