import { secondsFrom, wholeNumber } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { Failure } from '../failure.ts';
import { safeJson, safeText } from '../format/text.ts';
import { givenText } from '../given-text.ts';
import { giveInput } from '../input.ts';
import { ownSessionId } from '../io.ts';
import { modeOf } from '../mode.ts';
import { remindFields } from '../remind-fields.ts';
import { requireSelf } from '../self.ts';
import { type Give, sendTo } from '../send-to.ts';

export default defineCommand({
  usage: 'SESSION[,SESSION…] TEXT|-|--file F [--important|--urgent] [--remind [N]] [--wait N] [--json]',
  about:
    'Sends a text to one session, or to several (their names joined by commas), and says what is known of it: accepted,\n' +
    'with the proof; or queued or held, and why. With - the text is read from standard input. It is sent as it is, up\n' +
    'to 1 MB; put -- before one that begins with a dash.',
  options: {
    file: { value: 'F', help: 'read the text from a file' },
    sequential: { help: 'when the session is idle (the default)' },
    important: { help: 'at its next step, without interrupting it' },
    urgent: { help: 'at once: interrupts it' },
    remind: {
      value: 'N',
      optional: true,
      help: 'ask for its status N seconds after it was accepted, and again until its turn ends',
    },
    wait: {
      value: 'N',
      help: 'wait up to N seconds for the turn that takes it to end, and print its last words',
    },
    'no-notify-on-stop': { help: 'do not tell the session that sends when that turn ends' },
    'notify-on-delivery': { help: 'tell the session that sends when it is accepted' },
    'notify-after': {
      value: 'N',
      help: 'tell the session that sends when it was accepted N seconds ago and is not done',
    },
    timeout: { value: 'N', help: 'let it expire when it still waits after N seconds' },
    json: jsonOption,
  },
  arity: [1, 2],
  async run({ args: [recipients = '', given], options, io, client }) {
    const seconds = wholeNumber('--wait', options.wait, 0);
    const refs = refsIn(recipients);
    const self = ownSessionId(io);
    if (options['notify-on-delivery'] || options['notify-after'] !== undefined)
      requireSelf(io, 'Such a notice goes to the session that sends. To wait for the answer: --wait N');
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
      throw new Failure('The text is missing: sm send SESSION "TEXT", or - for standard input, or --file F.');

    const print = {
      out: options.json ? () => {} : io.out,
      error: (to: string, message: string) =>
        io.err(`Error: ${safeText(refs.length > 1 ? `${to}: ${message}` : message)}\n`),
    };
    const give: Give = (session) => giveInput(io, client, session, '/input', { text, ...request });
    const sent = await Promise.all(refs.map((ref) => sendTo({ io, client, print }, ref, give, seconds)));
    if (options.json) io.out(safeJson({ messages: sent.map(({ report }) => report) }));
    return Math.max(...sent.map(({ exitCode }) => exitCode));
  },
});

/** The names of sessions have no commas. */
function refsIn(recipients: string): string[] {
  const refs = recipients.split(',').map((ref) => ref.trim());
  if (refs.includes(''))
    throw new Failure('A recipient is missing. Several are joined by commas: sm send ONE,TWO "TEXT"');
  return [...new Set(refs)];
}
