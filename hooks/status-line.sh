#!/bin/sh
# What an agent runs to draw its status line: passes its figures on to the daemon, then shows the user's own status
# line (the command in $1), or without one what the daemon says about this session.
[ -n "$CLAUDE_SESSION_MANAGER_ID" ] && [ -n "$SM_HOME" ] || exit 0
. "${0%/*}/report.sh"
figures=$(cat)
line=$(report status "$figures")
if [ -n "$1" ]; then
  printf '%s' "$figures" | sh -c "$1"
else
  printf '%s\n' "${line:-sm $CLAUDE_SESSION_MANAGER_ID}"
fi
exit 0
