import { wholeNumber } from '../arguments.ts';
import { defineCommand, type Invocation, jsonOption, type OptionValues } from '../command.ts';
import { Refusal } from '../daemon/client.ts';
import { listRoles } from '../dispatch/list.ts';
import { filledTemplate } from '../dispatch/role.ts';
import { allRoles, type FoundRole, findRole, noRole } from '../dispatch/roles.ts';
import { Failure } from '../failure.ts';
import { ownSessionId } from '../io.ts';
import { modeOf, type RemindFields, remindFields } from '../message-options.ts';
import { type Give, giveClear, giveInput, sendTo } from '../send-and-wait.ts';
import { safeJson, safeText } from '../text/safe.ts';

const options = {
  role: { value: 'ROLE', help: 'which template to fill' },
  list: { help: 'list the roles, their keys and their files' },
  'dry-run': { help: 'print the text and stop' },
  'no-clear': { help: 'keep the present context' },
  sequential: { help: 'with --no-clear: when the session is idle (default)' },
  important: { help: 'with --no-clear: at its next step, without an interrupt' },
  urgent: { help: 'with --no-clear: now, with an interrupt' },
  remind: {
    value: 'N',
    help: 'ask for its status after N seconds without one (default: from the configuration)',
  },
  'no-remind': { help: 'do not ask for its status' },
  wait: {
    value: 'N',
    help: 'wait up to N seconds for its turn to end, and print the last words',
  },
  json: jsonOption,
} as const;

type Options = OptionValues<typeof options>;

/** What a key of a template cannot be called. */
const taken = [...Object.keys(options), 'help'];

export default defineCommand({
  usage:
    'SESSION --role ROLE [--KEY TEXT …] [--no-clear [--important|--urgent]] [--remind N|--no-remind] [--dry-run] [--wait N] [--json] | --list',
  about:
    'Gives a session its work: fills in the template of a role, clears the session, and sends the text as the first\n' +
    'prompt of the new context. Roles come from .sm/dispatch_templates.yaml in this directory or above it, up to the\n' +
    'root of the repository; from dispatch_templates.yaml beside the configuration; then built in: engineer, architect,\n' +
    'scout. The first match wins. While the session works, sm asks for its status as dispatch.auto_remind in the\n' +
    'configuration says (after 210 s, and urgently after 420 s).',
  options,
  takesKeys: true,
  async run(invocation) {
    const { args, options, keys, io } = invocation;
    if (options.list) {
      if (args.length > 0 || keys.size > 0)
        throw new Failure('--list takes no other arguments, only --json.');
      return listRoles(io, await allRoles(io, taken), options.json);
    }
    const role = await wantedRole(invocation);
    const text = filledTemplate(role, keys);
    if (options['dry-run']) {
      io.out(options.json ? safeJson({ role: role.name, from: role.from, text }) : `${safeText(text)}\n`);
      return 0;
    }
    return send(invocation, role, text);
  },
});

async function wantedRole({ options, io }: Invocation<Options>): Promise<FoundRole> {
  if (options.role !== undefined) return findRole(io, options.role, taken);
  const roles = await allRoles(io, taken);
  throw noRole(
    'Missing option --role ROLE.',
    undefined,
    roles.map(({ name }) => name),
  );
}

async function send(invocation: Invocation<Options>, role: FoundRole, text: string): Promise<number> {
  const { args, options, io, client } = invocation;
  const [to] = args;
  if (to === undefined)
    throw new Failure('Missing argument SESSION. Usage: sm dispatch SESSION --role ROLE …');
  const mode = modeOf(options);
  const clears = !options['no-clear'];
  if (clears && mode !== 'sequential')
    throw new Failure(`--${mode} needs --no-clear: a clear interrupts the session anyway.`);
  const seconds = wholeNumber('--wait', options.wait, 0);
  const remind = remindFieldsOf(options);
  const self = ownSessionId(io);
  const give: Give = clears
    ? (session) =>
        giveClear(io, client, session, { prompt: text, requester_session_id: self, ...remind }).catch(
          suggestNoClear,
        )
    : (session) =>
        giveInput(io, client, session, {
          text,
          sender_session_id: self,
          from_sm_send: true,
          delivery_mode: mode,
          notify_on_stop: self !== undefined,
          ...remind,
        });
  const print = {
    out: options.json ? () => {} : io.out,
    error: (_: string, message: string) => io.err(`Error: ${safeText(message)}\n`),
  };
  const { report, exitCode } = await sendTo({ io, client, print }, to, give, seconds);
  if (options.json) io.out(safeJson({ role: role.name, from: role.from, cleared: clears, message: report }));
  return exitCode;
}

function remindFieldsOf({ remind, 'no-remind': never }: Options): RemindFields {
  if (never && remind !== undefined) throw new Failure('Choose only one of --remind and --no-remind.');
  if (never) return {};
  return remind === undefined ? { remind: 'dispatch' } : remindFields(remind);
}

/** Who may not clear a session may still write to it. */
function suggestNoClear(error: unknown): never {
  if (error instanceof Refusal && error.code === 'forbidden')
    throw new Failure(`${error.message} To send it without a clear, add --no-clear.`);
  throw error;
}
