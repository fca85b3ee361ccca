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
    quoted=$before$quoted
    COMPREPLY+=("\${quoted#"$cut"}")
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

# The words before the cursor. Bash has them too, but cut at colons, which names may have.
_sm_words() {
  local typed=\${COMP_LINE:0:COMP_POINT} mark left
  read -a words <<<"$typed"
  case $typed in *[[:space:]]) words+=('') ;; esac
  last=$((\${#words[@]} - 1))
  current=\${words[last]}
  # What bash keeps by itself of the last one.
  for mark in : = @; do
    case $COMP_WORDBREAKS in *$mark*) ;; *) continue ;; esac
    left=\${current##*"$mark"}
    left=\${current%"$left"}
    [ \${#left} -le \${#cut} ] || cut=$left
  done
}

_sm() {
  local words=() last current cut='' before='' place=0 i line
  _sm_words
  local word=\${words[1]}
  COMPREPLY=()
  if [ "$last" -eq 1 ]; then
    COMPREPLY=($(compgen -W '${commands} help --help --version' -- "$current"))
    return
  fi
  if [ "$word" = help ]; then
    COMPREPLY=($(compgen -W '${commands}' -- "$current"))
    return
  fi
  case "$word \${words[last - 1]}" in
${valueCases(shapes, offer)}
  esac
  case $current in -*)
    case $word in
${shapes.map(({ word, options }) => `      ${word}) COMPREPLY=($(compgen -W '${options.map(({ flags }) => flags[0]).join(' ')}' -- "$current")) ;;`).join('\n')}
    esac
    return
    ;;
  esac
  for ((i = 2; i < last; i++)); do
    case "$word \${words[i]}" in
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
