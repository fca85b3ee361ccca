// What the scripts of several shells have in common.
import { isEmpty, type Place, type Shape } from './shape.ts';

/**
 * Prints `NAME TAB ID TAB PHASE` for each session. A new Node takes longer than a person who has pressed Tab should
 * wait, so curl asks the daemon itself; one that does not run has nothing to tell, and is not started for it.
 */
export const fastSessions = `  local socket=\${SM_HOME:-\${XDG_STATE_HOME:-$HOME/.local/state}/sm}/sm.sock
  [ -S "$socket" ] || return 0
  if command -v curl >/dev/null; then
    curl -q -s --max-time 1 --noproxy '*' --unix-socket "$socket" http://localhost/completion/sessions
  else
    command sm completion sessions
  fi 2>/dev/null`;

/** As any of these shells takes it for one word. */
export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The commands that offer what can stand at a place. */
export type Offer = (place: Place) => readonly string[];

/** Every option that takes a value, as patterns of `WORD OPTION`. */
export const valued = (shapes: readonly Shape[]): string[] =>
  shapes.flatMap(({ word, options }) =>
    options.flatMap(({ flags, value }) => (value ? flags.map((flag) => quote(`${word} ${flag}`)) : [])),
  );

/** Of `case "$word $previous"`: the value of an option, and nothing else. */
export const valueCases = (shapes: readonly Shape[], offer: Offer): string =>
  shapes
    .flatMap(({ word, options }) =>
      options.flatMap(({ flags, value }) => {
        if (!value) return [];
        const patterns = flags.map((flag) => quote(`${word} ${flag}`)).join(' | ');
        return `    ${patterns}) ${[...offer(value), 'return'].join('; ')} ;;`;
      }),
    )
    .join('\n');

/** Of `case "$word $place"`. */
export const placeCases = (shapes: readonly Shape[], offer: Offer): string =>
  shapes
    .flatMap(({ word, places, repeats }) =>
      places.flatMap((place, at) => {
        if (isEmpty(place)) return [];
        const any = repeats && at === places.length - 1;
        return `    ${any ? `'${word} '*` : quote(`${word} ${at}`)}) ${offer(place).join('; ')} ;;`;
      }),
    )
    .join('\n');
