// Completion for the shells of this user: a file where the shell looks by itself, or else one of ours and a line in the
// file that the shell reads at its start.
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { groups } from '../../cli/commands.ts';
import { completionScript, type Shell } from '../../cli/completion/scripts.ts';
import { quoted } from '../../doctor/check.ts';
import { type Change, stateAt } from '../changes.ts';
import type { Part, Plan } from '../part.ts';
import { hasProgram, type Place, shown } from '../place.ts';

export const completion: Part = { name: 'completion', plan };

interface Wanted {
  readonly shell: Shell;
  readonly file: string;
  /** The file of the user's that has to name ours; null: the shell finds it by itself. */
  readonly startFile: string | null;
}

async function plan(place: Place): Promise<Plan> {
  const wanted = shellsOf(place).map((shell) => placeFor(place, shell));
  if (wanted.length === 0) return { state: 'not here', why: 'neither bash nor zsh nor fish is here' };
  const changes: Change[] = [];
  const taken: string[] = [];
  for (const { shell, file, startFile } of wanted) {
    const text = await completionScript(shell, groups);
    const now = stateAt(place, file);
    if (now.text !== null && now.text !== text && !now.ours) taken.push(file);
    else {
      if (now.text !== text) changes.push({ do: 'write', path: file, text });
      if (startFile !== null && !mentions(startFile, file))
        changes.push({ do: 'add', path: startFile, text: block(file) });
    }
  }
  const names = wanted.map(({ shell }) => shell).join(', ');
  if (changes.length > 0)
    return {
      state: 'offered',
      question: `Complete commands and the names of sessions with Tab, in ${names}?`,
      unasked: true,
      changes,
    };
  if (taken.length > 0)
    return {
      state: 'not here',
      why: `${taken.map((file) => shown(place, file)).join(', ')} is not from sm setup, and stays as it is`,
    };
  return { state: 'there', what: `completion is there for ${names}` };
}

/** The shell of the login, and every other one that has been set up. */
function shellsOf(place: Place): Shell[] {
  const login = basename(place.env.SHELL ?? '');
  const used: Record<Shell, boolean> = {
    bash: existsSync(join(place.home, '.bashrc')),
    zsh: existsSync(startFileOfZsh(place)),
    fish: existsSync(join(configHome(place), 'fish')),
  };
  return (['bash', 'zsh', 'fish'] as const).filter(
    (shell) => hasProgram(place, shell) && (shell === login || used[shell]),
  );
}

function placeFor(place: Place, shell: Shell): Wanted {
  const data = place.env.XDG_DATA_HOME || join(place.home, '.local', 'share');
  if (shell === 'fish')
    return { shell, file: join(configHome(place), 'fish', 'completions', 'sm.fish'), startFile: null };
  if (shell === 'zsh')
    return { shell, file: join(data, 'sm', 'completion.zsh'), startFile: startFileOfZsh(place) };
  return hasBashCompletion(place)
    ? { shell, file: join(data, 'bash-completion', 'completions', 'sm'), startFile: null }
    : { shell, file: join(data, 'sm', 'completion.bash'), startFile: startFileOfBash(place) };
}

const configHome = ({ env, home }: Place): string => env.XDG_CONFIG_HOME || join(home, '.config');

/** Terminals of macOS open login shells. A new .bash_profile would hide the .profile that is there. */
function startFileOfBash({ home, platform }: Place): string {
  const names = platform === 'darwin' ? ['.bash_profile', '.profile'] : ['.bashrc'];
  const name = names.find((each) => existsSync(join(home, each))) ?? names[0];
  return join(home, name as string);
}

const startFileOfZsh = ({ env, home }: Place): string => join(env.ZDOTDIR || home, '.zshrc');

/** The package that loads what lies in its folder when it is needed. */
const bashCompletions = [
  '/usr/share/bash-completion/bash_completion',
  '/usr/local/share/bash-completion/bash_completion',
  '/opt/homebrew/etc/profile.d/bash_completion.sh',
  '/usr/local/etc/profile.d/bash_completion.sh',
];

/** Installed, and read at the start of the user's shells. */
function hasBashCompletion({ home }: Place): boolean {
  if (!bashCompletions.some((file) => existsSync(file))) return false;
  return ['.bashrc', '.bash_profile', '.profile'].some((name) =>
    mentions(join(home, name), 'bash_completion'),
  );
}

function mentions(file: string, text: string): boolean {
  return existsSync(file) && readFileSync(file, 'utf8').includes(text);
}

const block = (file: string): string =>
  `\n# sm: completion (sm setup added this, and sm uninstall removes it)\n[ ! -r ${quoted(file)} ] || . ${quoted(file)}\n`;
