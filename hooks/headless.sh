#!/bin/sh
# Becomes an agent without a terminal whose ends nobody has to hold. What it is told are files in FOLDER/say; the pipe
# FOLDER/names carries only their names, which are written whole or not at all, so that nobody who dies over a long line
# can leave half of it behind. What it says is added to FOLDER/out. So it lives on while nobody listens, and nothing
# that it said is lost.
#
#   headless.sh FOLDER COMMAND…
#   headless.sh FOLDER --beside NODE PROGRAM ARGUMENT COMMAND…
#
# In the second form the agent keeps its terminal. What is told, and what says, is PROGRAM ARGUMENT FOLDER, which stands
# beside it and ends with it.

# Passes on what is named, as long as the agent holds the pipe open.
if [ "$1" = --pass ]; then
  while IFS= read -r name; do
    # The agent holds the pipe as well, and may have no more than what it is told.
    case $name in */*) continue ;; esac
    cat "$2/say/$name" || continue
    # What is kept is needed until the agent says what became of it.
    case $name in *.kept) ;; *) rm -f "$2/say/$name" ;; esac
  done <"$2/names" >"$2/in" 2>/dev/null
  exit
fi

set -eu
folder=$1
shift
# Only these files are for their owner alone: what the agent's tools write is not our business.
mask=$(umask)
umask 077
# What an earlier one was told and has not read is not for this one.
rm -rf "$folder/names" "$folder/in" "$folder/say"
mkfifo "$folder/names" "$folder/in"
mkdir "$folder/say"
# Ends a line that an earlier one could not finish, and says that nothing of it goes on.
printf '\n{"method":"sm/launched"}\n' >>"$folder/out"
umask "$mask"
# Held by the agent, so that whoever writes may come and go, and that the pipe ends with it.
exec 3<>"$folder/names"
(/bin/sh "$0" --pass "$folder" 3>&- &)
if [ "$1" = --beside ]; then
  ("$2" "$3" "$4" "$folder" <"$folder/in" >>"$folder/out" 2>"$folder/beside.log" 3>&- &)
  shift 4
  exec "$@"
fi
exec "$@" <"$folder/in" >>"$folder/out"
