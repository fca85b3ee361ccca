// A disk that takes its time, as one over a network does: everything that has to reach it waits.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <time.h>

static void wait_for_disk(void) {
  const char *text = getenv("SLOW_DISK_MS");
  long ms = text ? atol(text) : 20;
  struct timespec time = {ms / 1000, (ms % 1000) * 1000000};
  nanosleep(&time, NULL);
}

#define SLOW(type, name, takes, gives)                       \
  type name takes {                                          \
    static type(*real) takes;                                \
    if (!real) real = (type(*) takes)dlsym(RTLD_NEXT, #name); \
    wait_for_disk();                                         \
    return real gives;                                       \
  }

SLOW(int, fsync, (int fd), (fd))
SLOW(int, fdatasync, (int fd), (fd))
SLOW(int, rename, (const char *from, const char *to), (from, to))
SLOW(int, unlink, (const char *path), (path))
SLOW(int, mkdir, (const char *path, mode_t mode), (path, mode))
SLOW(int, ftruncate, (int fd, off_t length), (fd, length))
SLOW(int, ftruncate64, (int fd, off64_t length), (fd, length))
