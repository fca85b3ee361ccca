// Puts itself between the agents and our hook programs, and does with them what the mood of the moment says.
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Those that tell a fact. What only asks (`tool.sh`) is not told twice or late. */
const programs = ['hook.sh', 'ask.sh', 'start.sh', 'status-line.sh'];

export function hookWrapper(hooks: string, mood: string): void {
  for (const name of programs) {
    renameSync(join(hooks, name), join(hooks, `true-${name}`));
    writeFileSync(join(hooks, name), wrapperOf(name, mood));
    chmodSync(join(hooks, name), 0o755);
  }
}

/**
 * `late` holds the agent up, as a slow machine does. `astray` lets it go on and tells every other fact late, so that
 * facts overtake each other. A question is never told twice at once, because its answer is printed.
 */
const wrapperOf = (name: string, mood: string): string => `#!/bin/sh
true="\${0%/*}/true-${name}"
[ -r '${mood}' ] || exec /bin/sh "$true" "$@"
read -r how seconds <'${mood}'
body=$(cat)
tell() { printf '%s\\n' "$body" | /bin/sh "$true" "$@"; }
case $how in
late) sleep "$seconds"; tell "$@" ;;
lost) ${name === 'ask.sh' ? 'tell "$@"' : ':'} ;;
double) ${name === 'ask.sh' ? 'tell "$@"' : 'tell "$@" >/dev/null; tell "$@"'} ;;
astray)
  if [ $(($$ % 2)) = 0 ] && [ ${name} != ask.sh ]; then (sleep "$seconds"; tell "$@") >/dev/null 2>&1 &
  else tell "$@"; fi ;;
*) tell "$@" ;;
esac
exit 0
`;
