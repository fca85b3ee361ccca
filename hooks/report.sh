# Shared by the programs that an agent runs: tells the daemon one fact, or keeps it for the daemon in the spool.
# Costs the agent a few milliseconds, and nothing that it can feel when the daemon is away. Every process that is
# not started here counts: only cat and curl are.
#
#   report KIND BODY    prints the daemon's answer, if it has one

# Names the fact for ever: one that comes twice, directly and by the spool, counts once. The time in front keeps the
# names of one moment together, so that the daemon finds and files them in one place.
if [ -r /proc/sys/kernel/random/uuid ]; then
  read -r fact </proc/sys/kernel/random/uuid
  read -r up _ </proc/uptime
  fact=$up-$fact
else
  fact=$(uuidgen 2>/dev/null) ||
    fact=$(date +%s)-$$-$({ od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; } 2>/dev/null)
fi
spool=$SM_HOME/spool/$CLAUDE_SESSION_MANAGER_ID

report() {
  tell "$@" || keep "$@"
}

# A turn's end is kept before it is told: whatever ends this program on the way, the daemon finds it in the spool.
report_end() {
  others_wait && alone=no || alone=yes
  keep "$@"
  [ $alone = no ] || ! post "$@" || rm -f "$kept"
}

# Says which fact of which session it is about, and who tells it; the rest is up to the caller. The headers come from a
# file, because everybody on the machine can read the arguments of a program; one without a value is not sent.
ask_daemon() {
  curl -q -sS --fail --noproxy '*' --unix-socket "$SM_HOME/sm.sock" -H @/dev/fd/3 "$@" 2>/dev/null 3<<HEADERS
x-sm-session: $CLAUDE_SESSION_MANAGER_ID
x-sm-fact: $fact
x-sm-caller: $SM_CALLER
HEADERS
}

# Fails if the daemon did not take it.
tell() {
  ! others_wait && post "$@"
}

# Facts that still wait there mean that the daemon is away or busy: this one takes its place behind them, so that none
# overtakes another and nobody waits for a daemon that hangs.
others_wait() {
  set -- "$spool"/*.hook
  [ -e "$1" ]
}

post() {
  ask_daemon --max-time 1 -H 'content-type: application/json' -H 'expect:' \
    -H "x-sm-kind: $1" --data-binary @- http://localhost/hooks/agent <<BODY
$2
BODY
}

keep() {
  # What the daemon refuses because it is told with the key of another session is not told by a back door either.
  case $SM_CALLER in '' | "$CLAUDE_SESSION_MANAGER_ID".*) ;; *) return 0 ;; esac
  umask 077
  [ -d "$spool" ] || mkdir -p "$spool"
  # Ordered by when it was said. Of samples only the newest counts; of everything else, all of it.
  at=$(date +%s%N)
  # Not every date knows nanoseconds: those of macOS and busybox leave a word there. The daemon sees when it was written.
  at=${at%%[!0-9]*}
  [ ${#at} -gt 10 ] || at=${at}000000000
  case $1 in status) name=newest.status ;; *) name=$at-$fact.hook ;; esac
  kept=$spool/$name
  printf '%s' "$2" >"$spool/.$fact" && mv "$spool/.$fact" "$kept"
}
