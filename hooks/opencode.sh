#!/bin/sh
# Becomes opencode's server, with opencode's terminal on it. The terminal begins with the conversation whose name comes
# through the pipe FOLDER/screen. When its human leaves it, the server ends too; and it ends with the server.
#
#   opencode.sh FOLDER URL COMMAND ARGUMENT…
set -eu
folder=$1
url=$2
shift 2
rm -f "$folder/screen"
mkfifo -m 600 "$folder/screen"
# What runs in the background has no terminal to read from, unless it is given one.
exec 4<&0
(
  read -r conversation <"$folder/screen"
  "$1" attach "$url" --session "$conversation" <&4 4<&-
  kill $$
) 3>&- &
exec "$@" </dev/null >/dev/null 4<&-
