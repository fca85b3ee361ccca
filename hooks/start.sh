#!/bin/sh
# What an agent runs when it starts: as at every hook, and after a compaction it gets back the last document that it
# handed over to itself. That is a file which only needs printing, so it comes also when the daemon is away.
[ -n "$CLAUDE_SESSION_MANAGER_ID" ] && [ -n "$SM_HOME" ] || exit 0
. "${0%/*}/report.sh"
body=$(cat)
case $body in
*'"source":"compact"'* | *'"source": "compact"'*)
  document=$SM_HOME/handoffs/$CLAUDE_SESSION_MANAGER_ID/recovery.json
  [ ! -r "$document" ] || cat "$document"
  ;;
esac
report hook "$body"
exit 0
