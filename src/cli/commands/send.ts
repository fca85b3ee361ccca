import { secondsFrom, wholeNumber } from '../arguments.ts';
import { chosen } from '../choose-sessions.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { ownSessionId, requireSelf } from '../io.ts';
import { modeOf, remindFields } from '../message-options.ts';
import { type Give, giveInput, sendTo } from '../send-and-wait.ts';
import { safeJson, safeText } from '../text/safe.ts';
import { givenText } from '../text-argument.ts';

export default defineCommand({
  usage: 'SESSION[,SESSION…] TEXT|-|--file F [--important|--urgent] [--remind [N]] [--wait N] [--json]',
  about:
    'Sends a text to one or more sessions and prints its state: accepted, with the evidence; or queued or held, and why.\n' +
    '- reads the text from standard input. The limit is 1 MB. Put -- before a text that starts with a dash.',
  options: {
    file: { value: 'F', help: 'read the text from a file' },
    sequential: { help: 'when the session is idle (default)' },
    important: { help: 'at its next step, without an interrupt' },
    urgent: { help: 'now, with an interrupt' },
    remind: {
      value: 'N',
      optional: true,
      help: 'ask for its status after N seconds without one, until its turn ends',
    },
    wait: {
      value: 'N',
      help: 'wait up to N seconds for its turn to end, and print the last words',
    },
    'no-notify-on-stop': { help: 'do not tell the sender when that turn ends' },
    'notify-on-delivery': { help: 'tell the sender when it is accepted' },
    'notify-after': {
      value: 'N',
      help: 'tell the sender when it is not done N seconds after it was accepted',
    },
    timeout: { value: 'N', help: 'drop it if it still waits after N seconds' },
    json: jsonOption,
  },
  async run({ args: [recipients = '', given], options, io, client }) {
    const seconds = wholeNumber('--wait', options.wait, 0);
    const refs = await chosen({ io, client }, refsIn(recipients));
    const self = ownSessionId(io);
    if (options['notify-on-delivery'] || options['notify-after'] !== undefined)
      requireSelf(io, 'Only a session gets such a notice. To wait for the answer: --wait N');
    const request = {
      sender_session_id: self,
      from_sm_send: true,
      delivery_mode: modeOf(options),
      // When a person sends, there is nobody to tell.
      notify_on_stop: self !== undefined && !options['no-notify-on-stop'],
      notify_on_delivery: options['notify-on-delivery'] || undefined,
      notify_after_seconds: secondsFrom('--notify-after', options['notify-after']),
      timeout_seconds: secondsFrom('--timeout', options.timeout),
      ...remindFields(options.remind),
    };
    const text = await givenText(io, { what: 'text', text: given, file: options.file });
    if (text === undefined)
      throw new Failure(
        'Missing argument TEXT. Usage: sm send SESSION "TEXT", or - for standard input, or --file F',
      );

    const print = {
      out: options.json ? () => {} : io.out,
      error: (to: string, message: string) =>
        io.err(`Error: ${safeText(refs.length > 1 ? `${to}: ${message}` : message)}\n`),
    };
    const give: Give = (session) => giveInput(io, client, session, { text, ...request });
    const sent = await Promise.all(refs.map((ref) => sendTo({ io, client, print }, ref, give, seconds)));
    if (options.json) io.out(safeJson({ messages: sent.map(({ report }) => report) }));
    return Math.max(...sent.map(({ exitCode }) => exitCode));
  },
});

/** The names of sessions have no commas. */
function refsIn(recipients: string): string[] {
  const refs = recipients.split(',').map((ref) => ref.trim());
  if (refs.includes(''))
    throw new Failure('A recipient is empty. Join several with commas: sm send ONE,TWO "TEXT"');
  return [...new Set(refs)];
}
