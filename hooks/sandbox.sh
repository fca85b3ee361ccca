#!/bin/sh
# Becomes a program in its sandbox. ARGUMENTS is a private file with all that bubblewrap is told, the environment of the
# program among it: nothing of that is in the environment of whatever runs outside.
#
#   sandbox.sh BUBBLEWRAP ARGUMENTS COMMAND…
set -eu
bubblewrap=$1
exec 9<"$2"
rm -f -- "$2"
shift 2
exec "$bubblewrap" --args 9 --setenv TERM "${TERM:-dumb}" -- "$@"
