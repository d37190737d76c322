// In place of board/helpers/stick.c, for tests on a host: a stick is a folder, and the calls are written to a file.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/sysmacros.h>

#include "stick.h"

static void note(const char *call) {
  FILE *calls = fopen(getenv("CALLS"), "a");
  fprintf(calls, "%s\n", call);
  fclose(calls);
}

int open_writable(const char *path, dev_t device) {
  note(device == makedev(8, 1) ? "writable" : "wrong device");
  return open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int make_read_only(int folder) {
  note("read-only");
  errno = EIO;
  return folder >= 0 && getenv("KEEPS_WRITABLE") ? -1 : 0;
}
