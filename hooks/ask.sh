#!/bin/sh
# What an agent runs when it asks for permission: tells the daemon, waits at most $1 seconds for an answer from there,
# and prints it. The agent's dialog stands meanwhile, and a human may answer in it first. To print nothing is to leave
# it to him: when no answer comes in time, and at once when there is no daemon to wait for. With 0 seconds only a rule
# of the user's can answer, which takes no time.
[ -n "$CLAUDE_SESSION_MANAGER_ID" ] && [ -n "$SM_HOME" ] || exit 0
. "${0%/*}/report.sh"
question=$(cat)
case $1 in 0) limit=5 way='?ruled' ;; *) limit=$1 way= ;; esac
# Two requests, because they have two limits: to be heard takes milliseconds, to be answered may take an hour.
if tell question "$question"; then
  # Printed only when it is there as a whole.
  answer=$(ask_daemon --connect-timeout 1 --max-time "$limit" "http://localhost/hooks/answer$way") &&
    [ -n "$answer" ] && printf '%s\n' "$answer"
else
  keep question "$question"
fi
exit 0
