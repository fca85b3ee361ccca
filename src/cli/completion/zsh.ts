// Completion for zsh: sourced, or as a file `_sm` in the fpath.
import type { Place, Shape } from './shape.ts';
import { fastSessions, placeCases, quote, valueCases, valued } from './shell.ts';

export function zshScript(shapes: readonly Shape[]): string {
  const commands = shapes.map(({ word, summary }) => `    ${described(word, summary)}`).join('\n');
  return `#compdef sm
# zsh completion for sm, printed by: sm completion zsh

_sm_names() {
${fastSessions}
}

# With "," several of them, joined with commas.
_sm_sessions() {
  local -a lines names ids
  local line name id phase
  lines=("\${(@f)$(_sm_names)}")
  for line in $lines; do
    IFS=$'\\t' read -r name id phase <<<"$line"
    names+=("\${name//:/\\\\:}:$phase, $id")
    ids+=("$id:$name, $phase")
  done
  [[ $1 != , ]] || compset -P '*,'
  _describe -t sessions session names && return
  # An id is meant only where no name is.
  [[ -z $PREFIX ]] || _describe -t ids 'session id' ids
}

_sm_commands() {
  local -a commands
  commands=(
${commands}
    ${described('help', 'explain a command')}
  )
  _describe -t commands command commands
}

_sm() {
  local word=$words[2] place=0 i
  local -a options choices
  if ((CURRENT == 2)) || { [[ $word == help ]] && ((CURRENT == 3)); }; then
    _sm_commands
    return
  fi
  case "$word $words[CURRENT - 1]" in
${valueCases(shapes, offer)}
  esac
  if [[ $words[CURRENT] == -* ]]; then
    case $word in
${shapes.map(optionCase).join('\n')}
    esac
    _describe -o -t options option options
    return
  fi
  for ((i = 3; i < CURRENT; i++)); do
    case "$word $words[i]" in
      (${valued(shapes).join(' | ')}) ((i++)) ;;
      (*' '-*) ;;
      (*) ((place++)) ;;
    esac
  done
  case "$word $place" in
${placeCases(shapes, offer)}
  esac
}

if [[ $funcstack[1] == _sm ]]; then
  _sm "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _sm sm
fi
`;
}

/** `NAME:HELP`, where a colon is escaped. */
const described = (name: string, help: string): string =>
  quote(`${name.replaceAll(':', '\\:')}:${help.replaceAll(':', '\\:')}`);

const optionCase = ({ word, options }: Shape): string =>
  `      (${word}) options=(${options.map(({ flags, help }) => described(flags[0] as string, help)).join(' ')}) ;;`;

function offer({ words, sessions, list, files, folders }: Place): string[] {
  return [
    ...(words.length > 0 ? [`choices=(${words.join(' ')}); _describe word choices`] : []),
    ...(sessions ? [list ? '_sm_sessions ,' : '_sm_sessions'] : []),
    ...(files ? ['_files'] : []),
    ...(folders ? ['_files -/'] : []),
  ];
}
