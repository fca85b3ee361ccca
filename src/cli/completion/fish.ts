// Completion for fish.
import { isEmpty, type Place, type Shape } from './shape.ts';
import { quote, valued } from './shell.ts';

export function fishScript(shapes: readonly Shape[]): string {
  return `# fish completion for sm, printed by: sm completion fish

# NAME TAB ID TAB PHASE for each session. curl asks the daemon itself, because a new Node takes longer.
function __sm_names
    set -l state "$HOME/.local/state"
    set -q XDG_STATE_HOME; and test -n "$XDG_STATE_HOME"; and set state $XDG_STATE_HOME
    set -l home $state/sm
    set -q SM_HOME; and test -n "$SM_HOME"; and set home $SM_HOME
    test -S $home/sm.sock; or return 0
    if command -q curl
        curl -q -s --max-time 1 --noproxy '*' --unix-socket $home/sm.sock http://localhost/completion/sessions 2>/dev/null
    else
        command sm completion sessions 2>/dev/null
    end
end

# With "," several of them, joined with commas.
function __sm_sessions -a separator
    set -l current (commandline -ct)
    set -l before ''
    test "$separator" = ,; and set before (string replace -r '[^,]*$' '' -- $current)
    for line in (__sm_names)
        set -l part (string split \\t -- $line)
        printf '%s%s\\t%s, %s\\n' "$before" $part[1] $part[3] $part[2]
        # An id is meant only where something is typed.
        test "$current" = "$before"; or printf '%s%s\\t%s, %s\\n' "$before" $part[2] $part[1] $part[3]
    end
end

function __sm_first
    test (count (commandline -opc)) -eq 1
end

function __sm_in -a word
    set -l tokens (commandline -opc)
    test (count $tokens) -gt 1; and test $tokens[2] = $word
end

# Whether the cursor is at this argument of this command, counted from 0 and without options.
function __sm_at -a word place
    __sm_in $word; or return 1
    string match -q -- '-*' (commandline -ct); and return 1
    set -l tokens (commandline -opc)
    set -l at 0
    set -l value no
    for token in $tokens[3..-1]
        if test $value = yes
            set value no
            continue
        end
        switch "$word $token"
            case ${valued(shapes).join(' ')}
                set value yes
            case "$word -*"
            case '*'
                set at (math $at + 1)
        end
    end
    test $value = no; or return 1
    test -z "$place"; or test $at -eq $place
end

complete -c sm -f
complete -c sm -n __sm_first -l help -d 'print the commands'
complete -c sm -n __sm_first -l version -d 'print the version'
complete -c sm -n __sm_first -a help -d 'explain a command'
${shapes.map(({ word, summary }) => `complete -c sm -n '__sm_first; or __sm_at help 0' -a ${word} -d ${quote(summary)}`).join('\n')}
${shapes.flatMap(options).join('\n')}
${shapes.flatMap(places).join('\n')}
`;
}

const options = ({ word, options }: Shape): string[] =>
  options.map(({ flags, help, value }) => {
    const names = flags.map((flag) =>
      flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
    );
    const takes = value ? ['-r', ...offers(value)] : [];
    return `complete -c sm -n '__sm_in ${word}' ${[...names, ...takes].join(' ')} -d ${quote(help)}`;
  });

const places = ({ word, places, repeats }: Shape): string[] =>
  places.flatMap((place, at) => {
    if (isEmpty(place)) return [];
    const where = repeats && at === places.length - 1 ? word : `${word} ${at}`;
    return `complete -c sm -n '__sm_at ${where}' ${offers(place).join(' ')}`;
  });

function offers({ words, sessions, list, files, folders }: Place): string[] {
  return [
    ...(words.length > 0 ? [`-a '${words.join(' ')}'`] : []),
    ...(sessions ? [list ? "-a '(__sm_sessions ,)'" : "-a '(__sm_sessions)'"] : []),
    ...(files ? ['-F'] : []),
    ...(folders ? ["-a '(__fish_complete_directories)'"] : []),
  ];
}
