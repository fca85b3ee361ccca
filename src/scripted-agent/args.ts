// The command line: the flags of Claude Code that a session manager uses, and no others.

export interface Options {
  sessionId: string | null;
  resume: string | null;
  /** The resumed conversation is left as it is, and a copy goes on. */
  fork: boolean;
  settings: string | null;
  model: string;
  permissionMode: string;
  name: string | null;
  systemPrompt: string | null;
  /** Compact before a request when more input tokens than this are in use. */
  autocompact: number | null;
  prompt: string | null;
}

export class UsageError extends Error {}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

const MODES: Record<string, string> = {
  // The program itself calls it `default` in hooks and transcripts.
  manual: 'default',
  default: 'default',
  acceptEdits: 'acceptEdits',
  auto: 'auto',
  bypassPermissions: 'bypassPermissions',
  dontAsk: 'dontAsk',
  plan: 'plan',
};

export function parseArgs(argv: readonly string[]): Options {
  const options: Options = {
    sessionId: null,
    resume: null,
    fork: false,
    settings: null,
    model: 'scripted-1',
    permissionMode: 'auto',
    name: null,
    systemPrompt: null,
    autocompact: null,
    prompt: null,
  };
  const setters: Record<string, (value: string) => void> = {
    '--session-id': (value) => {
      if (!UUID.test(value)) throw new UsageError('Error: Invalid session ID. Must be a valid UUID.');
      options.sessionId = value;
    },
    '--resume': (value) => (options.resume = value),
    '--settings': (value) => (options.settings = value),
    '--model': (value) => (options.model = value),
    '--permission-mode': (value) => (options.permissionMode = permissionMode(value)),
    '--name': (value) => (options.name = value),
    '--append-system-prompt': (value) => (options.systemPrompt = value),
    // Taken, and of no consequence.
    '--add-dir': () => {},
    '--mcp-config': () => {},
    '--autocompact': (value) => (options.autocompact = tokens(value)),
  };

  const rest = [...argv];
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '--') {
      options.prompt = rest.shift() ?? options.prompt;
      continue;
    }
    if (!arg.startsWith('-')) {
      options.prompt = arg;
      continue;
    }
    if (arg === '--dangerously-skip-permissions') {
      options.permissionMode = 'bypassPermissions';
      continue;
    }
    if (arg === '--fork-session') {
      options.fork = true;
      continue;
    }
    const [flag, inline] = arg.split(/=(.*)/s) as [string, string?];
    const set = setters[flag];
    if (!set) throw new UsageError(`error: unknown option '${flag}'`);
    const value = inline ?? rest.shift();
    if (value === undefined) throw new UsageError(`error: option '${flag}' argument missing`);
    set(value);
  }
  return options;
}

function permissionMode(value: string): string {
  const mode = MODES[value];
  if (!mode) throw new UsageError(`error: option '--permission-mode' argument '${value}' is invalid`);
  return mode;
}

function tokens(value: string): number {
  const match = /^(\d+)(k?)$/i.exec(value);
  if (!match) throw new UsageError(`error: option '--autocompact' argument '${value}' is invalid`);
  return Number(match[1]) * (match[2] ? 1000 : 1);
}
