// Makes a new file system for /data, when the console asks for it. Everything on /data is lost.
//
// data-format.socket starts it with the connection as its input and output. One line comes in, `format` or
// `format force`. Lines go out: a kind, an identifier, and words. The last one says how it ended:
//
//   progress   a step
//   refused    nothing was changed
//   done       the machine starts again
//   failed     the machine starts again, with /data in memory
//
// Only the group of the console can connect, so nothing else is checked about the other side.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "files.h"
#include "partition.h"
#include "program.h"
#include "report.h"

#define PARTITION "autoharp-data"
#define RUN "/run/data"
#define REQUEST_SECONDS 5.0
#define STOP_SECONDS 20.0
#define ANSWER_MILLISECONDS 3000
#define MAKE_SECONDS 600.0

// Everything that has files open on /data. What is not there is no failure.
static char *const users[] = {"autoharp.service", "autoharp-screen.service", "bluetooth.service",
                              "autoharp-radio.service"};
#define USERS (sizeof users / sizeof *users)

__attribute__((format(printf, 2, 3))) static int say(const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%s ", kind);
  vprintf(format, arguments);
  va_end(arguments);
  printf("\n");
  fflush(stdout);
  return 0;
}

// One line of at most 30 bytes, within the time.
static int read_request(char *line, size_t size) {
  size_t filled = 0;
  double end = uptime() + REQUEST_SECONDS;
  for (struct pollfd wait = {0, POLLIN, 0}; filled < size - 1;) {
    int left = (int)((end - uptime()) * 1000);
    if (left <= 0 || poll(&wait, 1, left) <= 0 || read(0, line + filled, 1) != 1) return -1;
    if (line[filled] == '\n') {
      line[filled] = 0;
      return 0;
    }
    filled++;
  }
  return -1;
}

static int systemctl(const char *verb, int with_users) {
  char *arguments[4 + USERS] = {"/usr/bin/systemctl", (char *)verb};
  for (size_t i = 0; with_users && i < USERS; i++) arguments[2 + i] = users[i];
  struct ending ending = run_program(arguments, -1, 0, STOP_SECONDS);
  return ending.kind == EXITED && ending.number == 0 ? 0 : -1;
}

// A check that is still running works on the partition.
static void end_worker(void) {
  int worker = open_worker(report_folder());
  if (worker < 0) return;
  pidfd_send_signal(worker, SIGKILL, NULL, 0);
  wait_for_process(worker, STOP_SECONDS);
  close(worker);
}

// /data itself, and what lies below it where it is read-only. 0 where nothing of them is mounted any more.
static int unmount_all(void) {
  static const char *const places[] = {"/data", RUN "/view", RUN "/memory", RUN "/disk"};
  int busy = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (umount2(places[i], UMOUNT_NOFOLLOW) && errno != EINVAL && errno != ENOENT) busy = errno;
  return busy;
}

// A check that was ended, or a mount of another process, may hold the device for a moment. It has no event.
static int wait_until_free(const char *device) {
  for (double end = uptime() + STOP_SECONDS;;) {
    int file = open(device, O_RDONLY | O_EXCL | O_CLOEXEC), writable = 0;
    if (file >= 0) {
      // mount-data has made it read-only where its file system is.
      int failed = ioctl(file, BLKROSET, &writable) ? errno : 0;
      close(file);
      return failed;
    }
    if (errno != EBUSY || uptime() >= end) return errno;
    usleep(50000);
  }
}

static int make_file_system(const char *device) {
  // -F asks nothing. mke2fs still refuses a partition that is mounted or in use.
  char *const arguments[] = {"/usr/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-L", PARTITION, "-m", "0",
                             "-E", "lazy_itable_init=1,root_owner=0:0", (char *)device, NULL};
  struct ending ending = run_program(arguments, report_output(), OUTPUT_LIMIT, MAKE_SECONDS);
  if (ending.kind == EXITED && ending.number == 0) return 0;
  return ending.number ? ending.number : -1;
}

// Ends the answer, and waits until the console has shown it.
static void end_answer(void) {
  shutdown(1, SHUT_WR);
  struct pollfd wait = {0, POLLIN, 0};
  poll(&wait, 1, ANSWER_MILLISECONDS);
}

int main(void) {
  char request[32], state[32] = "", device[300];
  open_report(RUN);
  if (read_request(request, sizeof request)) return say("refused incomplete", "The request is incomplete.");
  int is_forced = strcmp(request, "format force") == 0;
  if (!is_forced && strcmp(request, "format")) return say("refused unknown", "The request is unknown.");
  read_small(report_folder(), "state", state, sizeof state);
  if (!state[0]) return say("refused checking", "The storage is still being checked; try again in a minute.");
  if (strcmp(state, "disk\n") == 0 && !is_forced)
    return say("refused healthy", "The storage is in use and nothing is wrong with it.");
  if (!find_partition_beside_root(PARTITION, device, sizeof device))
    return say("refused no-partition", "There is no partition %s.", PARTITION);

  say("progress stop", "stopping what uses the storage");
  if (systemctl("stop", 1)) {
    systemctl("start", 1);
    return say("refused users", "What uses the storage did not stop.");
  }
  // From here on only a start of the machine leads back.
  end_worker();
  int busy = unmount_all();
  if (!busy) busy = wait_until_free(device);
  if (busy) {
    say("failed busy", "The storage is in use: %s. The machine starts again.", strerror(busy));
  } else {
    say("progress make", "making an empty file system on %s", device);
    int failure = make_file_system(device);
    if (failure)
      say("failed mke2fs", "mke2fs ended with %d. The machine starts again.", failure);
    else
      say("done empty", "The storage is empty. The machine starts again.");
  }
  end_answer();
  return systemctl("reboot", 0);
}
