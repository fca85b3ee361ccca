# Shared by hook.sh and status-line.sh: tells the daemon one fact, or keeps it for the daemon in the spool.
# Costs the agent a few milliseconds, and nothing that it can feel when the daemon is away.
#
#   report KIND BODY    prints the daemon's answer, if it has one; fails when the fact had to be kept

report() {
  spool=$SM_HOME/spool/$CLAUDE_SESSION_MANAGER_ID

  # Facts that still wait there mean that the daemon is away or busy: this one takes its place behind them, so
  # that none overtakes another and nobody waits for a daemon that hangs.
  set -- "$1" "$2" "$spool"/*.hook
  if [ ! -e "$3" ] && printf '%s' "$2" | curl -q -sS --fail --noproxy '*' --max-time 1 \
    --unix-socket "$SM_HOME/sm.sock" -H 'content-type: application/json' -H 'expect:' \
    -H "x-sm-session: $CLAUDE_SESSION_MANAGER_ID" -H "x-sm-kind: $1" -H "x-sm-fact: $fact" \
    --data-binary @- http://localhost/hooks/agent 2>/dev/null; then
    return 0
  fi

  umask 077
  mkdir -p "$spool"
  # Of samples only the newest counts; of everything else, all of it.
  case $1 in status) name=newest.status ;; *) name=$fact.$1 ;; esac
  printf '%s' "$2" >"$spool/.$fact" && mv "$spool/.$fact" "$spool/$name"
  return 1
}

# When it was said and by which process: together they name the fact for ever, and order it.
fact=$(date +%s%N)
case $fact in *N) fact=${fact%N}000000000 ;; esac
fact=$fact-$$
