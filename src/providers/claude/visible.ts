// What Claude Code needs to see of its user's files in a sandbox.
import { realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Session } from '../../domain/core/session.ts';
import type { Environment, Visible } from '../../ports/provider.ts';

/** What its user has written for all of his sessions. Each can name programs, so none may be changed. */
const reads = [
  ...['settings.json', 'CLAUDE.md', 'rules', 'agents', 'commands', 'skills', 'plugins', 'hooks'],
  ...['output-styles', 'keybindings.json', 'themes'],
];

/** `settings`: those that we give it. `config`: the directory of its configuration, as `env` has it. */
export function claudeVisible(settings: string, session: Session, config: string, env: Environment): Visible {
  return {
    config,
    reads: [...reads.map((name) => join(config, name)), settings],
    // A login that was renewed and not kept would be lost for everybody.
    writes: [join(config, '.credentials.json')],
    transcripts: join(config, 'projects', projectOf(session.workingDir)),
    // Which directories it trusts, and MCP servers: the first it may change, the second start programs.
    copies: { [join(env.CLAUDE_CONFIG_DIR ? config : dirname(config), '.claude.json')]: '.claude.json' },
    // Else that file would lie beside the directory.
    env: { CLAUDE_CONFIG_DIR: config },
  };
}

/** The folder for the conversations of a directory. */
export function projectOf(directory: string): string {
  const name = realDirectory(directory).replace(/[^a-zA-Z0-9]/g, '-');
  if (name.length > 200) throw new Error(`the path of ${directory} is too long for a sandbox`);
  return name;
}

function realDirectory(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
