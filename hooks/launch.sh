#!/bin/sh
# Runs one agent in its terminal pane and keeps what the terminal may lose: which process the agent was and
# how it ended. It stays as the agent's parent, in the agent's own process group.
#
#   launch.sh RECORD START
#
# RECORD is the path that the records start with, START a private file with the environment and the command.
# With P for the pid of this script, which is the one that the terminal knows:
#   RECORD.P.run    the agent's pid and its start time, written before the agent runs
#   RECORD.P.exit   its exit code, or 128 + n when signal n ended it

# Records appear whole or not at all.
write() {
  printf '%s\n' "$2" >"$1.new" && mv "$1.new" "$1"
}

# Sets `started` to when this process did, in the system's words: with the pid it names one process for ever.
find_start_time() {
  if [ -r "/proc/$$/stat" ]; then
    read -r stat <"/proc/$$/stat"
    # The name of the program comes second, in parentheses, and may contain anything.
    # shellcheck disable=SC2086
    set -- ${stat##*) }
    started=${20}
  else
    started=$(LC_ALL=C ps -o lstart= -p $$)
  fi
}

if [ "$1" = --agent ]; then
  find_start_time
  write "$2.run" "$$ $started"
  # Deletes itself, goes to the working directory, exports the environment and sets the arguments.
  # shellcheck source=/dev/null
  . "$3"
  # The shell adds variables of its own; env takes them out again. The pid stays the same.
  exec /usr/bin/env "$@"
fi

record=$1.$$
# Of an earlier pane, whose pid has come round again.
[ ! -e "$record.exit" ] || rm -f "$record.exit"

# Ctrl-C is for the agent, yet reaches the whole group. Unlike an ignored signal, a handled one is back at its
# default in the agent.
trap : INT QUIT

env -i PATH="$PATH" TERM="$TERM" TMUX="$TMUX" TMUX_PANE="$TMUX_PANE" /bin/sh "$0" --agent "$record" "$2"
code=$?
write "$record.exit" "$code"
exit "$code"
