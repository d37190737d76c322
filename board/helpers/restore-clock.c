// Sets the time of day to the last time that the daemon has saved, if the clock shows an earlier time. So on a board
// without a clock chip the times in the log never go backwards from one start to the next. The unit still treats the
// time of day as unknown, because the length of the time without power is unknown.
//
// The program does not run as root. Its only right is to set the clock. The daemon writes /data/autoharp/clock: the
// seconds since 1970, as one decimal number.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "files.h"

// The beginnings of 2025 and of 2100.
#define EARLIEST 1735689600LL
#define LATEST 4102444800LL

// Reads the saved time. Returns -1 if there is no plausible time.
static long long read_saved(const char *data) {
  char text[32];
  int parent = open(data, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int folder = parent < 0 ? -1 : open_folder(parent, "autoharp");
  ssize_t size = folder < 0 ? -1 : read_small(folder, "clock", text, sizeof text);
  if (folder >= 0) close(folder);
  if (parent >= 0) close(parent);
  if (size < 0) return -1;
  size_t count = strspn(text, "0123456789");
  if (count == 0 || count > 12 || strcmp(text + count, "\n")) return -1;
  long long seconds = atoll(text);
  return seconds >= EARLIEST && seconds < LATEST ? seconds : -1;
}

int main(int count, char **arguments) {
  const char *data = count == 3 && strcmp(arguments[1], "--data") == 0 ? arguments[2] : "/data";
  if (count != 1 && count != 3) {
    fprintf(stderr, "usage: restore-clock [--data FOLDER]\n");
    return 2;
  }
  long long seconds = read_saved(data);
  if (seconds < 0) {
    fprintf(stderr, "restore-clock.unusable: the saved time cannot be used\n");
    return 1;
  }
  if (time(NULL) >= seconds) return 0;
  struct timespec time = {.tv_sec = (time_t)seconds};
  if (clock_settime(CLOCK_REALTIME, &time)) {
    fprintf(stderr, "restore-clock.failed: %s\n", strerror(errno));
    return 1;
  }
  fprintf(stderr, "restore-clock.restored: the clock continues at the last saved time\n");
  return 0;
}
