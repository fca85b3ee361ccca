// Programs that our hooks find before the real ones, so that a hook dies or tells of another file where a test wants it.
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Shims {
  /** The folder to put in front of the PATH. */
  readonly folder: string;
  /** The transcript that the agent itself writes, once a hook has named it. */
  transcript(): string | null;
}

interface Wanted {
  /** Which hook dies by SIGKILL: before it has read what it is told, or when it is about to post it. */
  readonly kill?: { readonly hook: string; readonly at: 'cat' | 'curl' };
  /** The file that every hook names instead of the transcript. */
  readonly transcript?: string;
}

export function makeShims(folder: string, { kill, transcript }: Wanted): Shims {
  mkdirSync(folder, { recursive: true });
  const seen = join(folder, 'transcript-path');
  const isHook = kill ? `*'"hook_event_name":"${kill.hook}"'*` : 'nothing-at-all';
  const program = (name: string, text: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${text}`);
    chmodSync(join(folder, name), 0o755);
  };
  // Only as a hook calls it: without arguments.
  program(
    'cat',
    `[ $# -eq 0 ] || exec /bin/cat "$@"
body=$(/bin/cat)
path=$(printf '%s' "$body" | sed -n 's/.*"transcript_path":"\\([^"]*\\)".*/\\1/p')
[ -z "$path" ] || printf '%s' "$path" >'${seen}'
case $body in ${isHook}) ${kill?.at === 'cat' ? 'kill -9 $PPID; exit 1' : ':'} ;; esac
printf '%s' "$body"${transcript ? ` | sed 's#"transcript_path":"[^"]*"#"transcript_path":"${transcript}"#'` : ''}
`,
  );
  program(
    'curl',
    `body=$(/bin/cat)
case $body in ${isHook}) ${kill?.at === 'curl' ? 'kill -9 $PPID; exit 1' : ':'} ;; esac
printf '%s\\n' "$body" | exec /usr/bin/curl "$@"
`,
  );
  return { folder, transcript: () => (existsSync(seen) ? readFileSync(seen, 'utf8') : null) };
}
