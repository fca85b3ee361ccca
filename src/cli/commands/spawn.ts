import { resolve } from 'node:path';
import { cards } from '../../providers/cards.ts';
import { wholeNumber } from '../arguments.ts';
import { defineCommand, jsonOption } from '../command.ts';
import type { Client } from '../daemon/client.ts';
import { endText, isAnswered, messageEnd } from '../events.ts';
import { Failure } from '../failure.ts';
import { environment, type Io, ownSessionId } from '../io.ts';
import { sessionOptionSpecs, sessionOptions, sessionUsage } from '../session-options.ts';
import { oneLine, safeJson, safeText } from '../text/safe.ts';
import { cut } from '../text/width.ts';
import { given, givenText } from '../text-argument.ts';
import { untilStarted } from '../wait-for-start.ts';
import { worktreeBody, worktreeOptions, worktreeUsage } from '../worktrees/options.ts';

/** The words that name a provider, beside those that only the configuration knows. */
const providers = cards.map(({ name }) => name);

export default defineCommand({
  usage: `[${providers.join('|')}] PROMPT|-|--file F [--name NAME] [--model MODEL] [--working-dir DIR] [--on NODE] ${worktreeUsage} ${sessionUsage} [--wait N] [--json] [-- ARGS…]`,
  about:
    'Starts a session in the background with a first message. - reads the prompt from standard input. Returns when the\n' +
    'agent is ready or asks something; fails, with its last output, if the agent does not start. ARGS go to the agent as\n' +
    'they are. sm restore starts it with the same options again.',
  options: {
    file: { value: 'F', help: 'read the prompt from a file' },
    name: { value: 'NAME', help: 'name of the session' },
    model: { value: 'MODEL', help: 'model to use' },
    'working-dir': { value: 'DIR', help: 'working directory (default: here)' },
    on: { value: 'NODE', help: 'another machine of the fleet, or label:L for one that has it' },
    ...worktreeOptions,
    ...sessionOptionSpecs,
    wait: { value: 'N', help: 'wait up to N seconds for its first turn to end, and print the last words' },
    json: jsonOption,
  },
  handsOn: true,
  async run({ args, options, rest, io, client }) {
    const seconds = wholeNumber('--wait', options.wait, 0);
    const { provider, prompt } = await request(io, client, args, options);
    const working_dir = resolve(io.cwd, options['working-dir'] ?? '.');
    const worktree = await worktreeBody(io, client, working_dir, options);
    const since = io.now();
    const spawned = await client.ask('POST /sessions/spawn', {
      body: {
        prompt,
        provider,
        name: given('name', options.name),
        model: given('model', options.model),
        options: sessionOptions(io, options, rest),
        ...(options.tag.length > 0 && { tags: [...options.tag] }),
        working_dir,
        ...(options.on !== undefined && { on: options.on }),
        parent_session_id: ownSessionId(io),
        env: environment(io),
        ...worktree,
      },
    });
    const { session_id: id, message_id } = spawned;
    const called = `${oneLine(spawned.friendly_name ?? spawned.name)} (${id})`;
    const more = await untilStarted(io, client, { id, called, seconds }).catch((error: Error) => {
      if (options.json) io.out(safeJson({ ...spawned, error: error.message }));
      throw error;
    });
    const { message } = await client.ask('GET /messages/{id}', { id: message_id });
    const started = { ...spawned, message_state: message.state };
    if (!options.json) {
      io.out(`Spawned ${called} in ${safeText(spawned.working_dir)}\n`);
      io.out(`${more}First message: ${oneLine(message.state)}\n`);
    }
    if (seconds === 0) {
      if (options.json) io.out(safeJson(started));
      return 0;
    }
    const sent = { session_id: id, message_id, after: 0, since };
    const end = await messageEnd(io, client, sent, seconds);
    if (options.json) io.out(safeJson({ ...started, ...end }));
    else if (end.last_message !== null && isAnswered(end))
      io.out(`${safeText(end.last_message).trimEnd()}\n`);
    if (isAnswered(end)) return 0;
    const why = cut(oneLine(endText(end)), 200);
    throw new Failure(`${called} did not answer: ${why}. See: sm trace ${message_id}`);
  },
});

async function request(
  io: Io,
  client: Client,
  args: readonly string[],
  { file, on }: { readonly file?: string | undefined; readonly on?: string | undefined },
): Promise<{ provider?: string | undefined; prompt: string }> {
  const [provider, text] = args.length === (file === undefined ? 2 : 1) ? args : [undefined, ...args];
  // Which kinds another machine has, it says itself.
  if (provider !== undefined && !providers.includes(provider) && on === undefined) {
    const known = /\s/.test(provider)
      ? providers
      : (await client.ask('GET /kinds')).kinds.map(({ name }) => name);
    if (!known.includes(provider))
      throw new Failure(
        `Unknown provider "${provider}" (known: ${known.join(', ')}). If it is part of the prompt, put the whole prompt in quotes.`,
      );
  }
  const prompt = await givenText(io, { what: 'prompt', text, file });
  if (prompt === undefined)
    throw new Failure(
      'Missing argument PROMPT. Usage: sm spawn "PROMPT", or - for standard input, or --file F',
    );
  return { provider, prompt };
}
