#!/bin/sh
# What an agent runs before it edits a file: asks the daemon whether another session has locked the workspace for
# edits, and prints what the agent is to hear then. To print nothing is to let it go on: also at once when the daemon
# is away, and soon when it is slow. A lock is a courtesy between agents; none of them stands still for it.
[ -n "$CLAUDE_SESSION_MANAGER_ID" ] && [ -n "$SM_HOME" ] || exit 0
. "${0%/*}/report.sh"
edit=$(cat)
# Facts that wait mean that the daemon is away, or hangs.
set -- "$spool"/*.hook
[ ! -e "$1" ] || exit 0
answer=$(ask_daemon --max-time 1 -H 'content-type: application/json' -H 'expect:' \
  --data-binary @- http://localhost/hooks/edit <<BODY
$edit
BODY
) && [ -n "$answer" ] && printf '%s\n' "$answer"
exit 0
