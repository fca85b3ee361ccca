#!/bin/sh
# What an agent runs at each of its hooks: passes the hook's JSON on to the daemon and exits 0 at once.
[ -n "$CLAUDE_SESSION_MANAGER_ID" ] && [ -n "$SM_HOME" ] || exit 0
. "${0%/*}/report.sh"
body=$(cat)
case $body in
*'"hook_event_name":"Stop'* | *'"hook_event_name": "Stop'* | *'"hook_event_name":"AfterAgent"'*) report_end hook "$body" ;;
*) report hook "$body" ;;
esac
exit 0
