// Completion for bash: also for the old one of macOS.
import type { Place, Shape } from './shape.ts';
import { fastSessions, placeCases, valueCases, valued } from './shell.ts';

export function bashScript(shapes: readonly Shape[]): string {
  const commands = shapes.map(({ word }) => word).join(' ');
  return `# bash completion for sm, printed by: sm completion bash

_sm_names() {
${fastSessions}
}

# Of these words, those that begin with what is typed.
_sm_reply() {
  local word quoted
  for word; do
    case $word in "$current"*) ;; *) continue ;; esac
    printf -v quoted %q "$word"
    COMPREPLY+=("$before$quoted")
  done
}

# With "," several of them, joined with commas.
_sm_sessions() {
  local line name id phase names=() ids=()
  case $1$current in ,*,*) before=\${current%,*},; current=\${current##*,} ;; esac
  while IFS=$'\\t' read -r name id phase; do
    names+=("$name")
    ids+=("$id")
  done < <(_sm_names)
  _sm_reply "\${names[@]}"
  # An id is meant only where no name is.
  [ \${#COMPREPLY[@]} -gt 0 ] || [ -z "$current" ] || _sm_reply "\${ids[@]}"
}

_sm_files() {
  compopt -o filenames 2>/dev/null
  while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$1" -- "$current")
}

_sm() {
  local word=\${COMP_WORDS[1]} current=\${COMP_WORDS[COMP_CWORD]} before='' place=0 i line
  # As it is meant, not as it is typed.
  current=\${current//\\\\/}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands} help --help --version' -- "$current"))
    return
  fi
  if [ "$word" = help ]; then
    COMPREPLY=($(compgen -W '${commands}' -- "$current"))
    return
  fi
  case "$word \${COMP_WORDS[COMP_CWORD - 1]}" in
${valueCases(shapes, offer)}
  esac
  case $current in -*)
    case $word in
${shapes.map(({ word, options }) => `      ${word}) COMPREPLY=($(compgen -W '${options.map(({ flags }) => flags[0]).join(' ')}' -- "$current")) ;;`).join('\n')}
    esac
    return
    ;;
  esac
  for ((i = 2; i < COMP_CWORD; i++)); do
    case "$word \${COMP_WORDS[i]}" in
      ${valued(shapes).join(' | ')}) i=$((i + 1)) ;;
      *' -'*) ;;
      *) place=$((place + 1)) ;;
    esac
  done
  case "$word $place" in
${placeCases(shapes, offer)}
  esac
}

complete -F _sm sm
`;
}

function offer({ words, sessions, list, files, folders }: Place): string[] {
  return [
    ...(words.length > 0 ? [`_sm_reply ${words.join(' ')}`] : []),
    ...(sessions ? [list ? '_sm_sessions ,' : '_sm_sessions'] : []),
    ...(files ? ['_sm_files -f'] : []),
    ...(folders ? ['_sm_files -d'] : []),
  ];
}
