#!/bin/sh
# An agent that costs nothing, so that hundreds fit on a small machine: it says through its hook that it has started,
# shows an empty composer, and waits for ever. $BENCH_HOOK is the hook program.
# Asked for its version it must answer, as every agent does: whoever asks would wait for it, and end it in the middle of
# what is measured.
while [ $# -gt 0 ]; do
  case $1 in
    --version) echo 1.0.0; exit ;;
    --session-id | --resume) id=$2 ;;
  esac
  shift
done
: >"$PWD/$id.jsonl"
rule=────────────────────────
printf '\033[2J\033[H%s\n❯ \n%s\033[2;3H' $rule $rule
printf '{"hook_event_name":"SessionStart","session_id":"%s","source":"startup","transcript_path":"%s","cwd":"%s"}' \
  "$id" "$PWD/$id.jsonl" "$PWD" | sh "$BENCH_HOOK"
exec sleep 1000000
