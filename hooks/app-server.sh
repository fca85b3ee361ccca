#!/bin/sh
# Becomes an app-server whose ends nobody has to hold: it reads from a pipe with a name, which it keeps open itself, and
# adds what it says to a file. So it lives on while nobody listens, and nothing that it said is lost.
#
#   app-server.sh FOLDER COMMAND…
set -eu
folder=$1
shift
# Only these files are for their owner alone: what the agent's tools write is not our business.
mask=$(umask)
umask 077
# What an earlier one was told and has not read is not for this one.
rm -f "$folder/in"
mkfifo "$folder/in"
# Ends a line that an earlier one could not finish, and says that nothing of it goes on.
printf '\n{"method":"sm/launched"}\n' >>"$folder/out"
umask "$mask"
exec "$@" <>"$folder/in" >>"$folder/out"
