#!/bin/sh
# What an agent runs before it uses a tool: asks the daemon whether a rule of the user's denies that, or another session
# has locked the workspace for edits, and prints what the agent is to hear then. To print nothing is to let it go on:
# also at once when the daemon is away, and soon when it is slow. The agent then asks as if there were no rules.
#
#   tool.sh [TOOL…]    of tools that are not named here, only while some rule denies something
[ -n "$CLAUDE_SESSION_MANAGER_ID" ] && [ -n "$SM_HOME" ] || exit 0
call=$(cat)
if [ $# -gt 0 ] && [ ! -e "$SM_HOME/denials" ]; then
  for tool; do
    case $call in *"\"tool_name\":\"$tool\""* | *"\"tool_name\": \"$tool\""*) set -- && break ;; esac
  done
  [ $# -eq 0 ] || exit 0
fi
. "${0%/*}/report.sh"
# Facts that wait mean that the daemon is away, or hangs.
set -- "$spool"/*.hook
[ ! -e "$1" ] || exit 0
answer=$(ask_daemon --max-time 1 -H 'content-type: application/json' -H 'expect:' \
  --data-binary @- http://localhost/hooks/tool <<BODY
$call
BODY
) && [ -n "$answer" ] && printf '%s\n' "$answer"
exit 0
