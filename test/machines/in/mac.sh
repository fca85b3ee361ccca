#!/bin/sh
# As much of a Mac as there is on Linux: no /proc but for what Node itself needs there, the ps of macOS, and a date that knows no
# nanoseconds. What our programs see as the platform says the environment.
set -e
here=$(dirname "$0")
mount --make-rprivate /
real=$(mktemp -d)
mount --rbind /proc "$real"
mount -t tmpfs tmpfs /proc
for name in self stat meminfo cpuinfo mounts; do ln -s "$real/$name" "/proc/$name"; done
SM_TEST_PROC=$real PATH=$(cd "$here/../mac" && pwd):$PATH exec "$@"
