#!/bin/sh
# Becomes Qwen Code. What it is told are lines in FOLDER/PID/in, and what it says for us are lines in FOLDER/PID/out. Both
# are new for each start: it does not read what stood there before, and writes over it.
#
#   qwen.sh FOLDER COMMAND…
set -eu
folder=$1
shift
# Only these files are for their owner alone: what the agent's tools write is not our business.
mask=$(umask)
umask 077
rm -rf "$folder"
mkdir -p "$folder/$$"
: >"$folder/$$/in"
umask "$mask"
exec "$@" --input-file "$folder/$$/in" --json-file "$folder/$$/out"
