#!/bin/sh
# A machine on which sh and all small programs are busybox: as on Alpine, and in many containers.
set -e
mount --make-rprivate /
work=$(mktemp -d)
mount -t tmpfs tmpfs "$work"
mkdir "$work/upper" "$work/work" "$work/bin"
mount -t overlay overlay -o "lowerdir=/usr/bin,upperdir=$work/upper,workdir=$work/work" /usr/bin
ln -sf busybox /usr/bin/sh
busybox --install -s "$work/bin"
PATH=$work/bin:$PATH exec "$@"
