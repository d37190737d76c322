// Makes a new file system for /data when the console requests it. Everything on /data is lost.
//
// data-format.socket starts the program with the connection as its input and output. The program reads one line,
// `format` or `format force`. Each line that it writes has a kind, an identifier and a text. The last line is the
// result. The kinds:
//
//   progress   a step begins
//   refused    result: /data was not changed
//   done       result: there is a new file system, and the machine restarts
//   failed     result: there is no new file system, and the machine restarts
//
// Only the user of the console can connect, so the program does not check the client.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <poll.h>
#include <signal.h>
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
#include "request.h"

#define PARTITION "autoharp-data"
#define RUN "/run/data"
#define STOP_SECONDS 20.0
#define ANSWER_MILLISECONDS 3000
#define MAKE_SECONDS 600.0

// All systemd units that have files open on /data. systemctl does not fail if a unit is not running.
static char *const users[] = {"autoharp.service", "autoharp-screen.service", "bluetooth.service",
                              "autoharp-library.service"};
#define USERS (sizeof users / sizeof *users)

static int systemctl(const char *verb, int with_users) {
  char *arguments[4 + USERS] = {"/usr/bin/systemctl", (char *)verb};
  for (size_t i = 0; with_users && i < USERS; i++) arguments[2 + i] = users[i];
  struct ending ending = run_program(arguments, -1, 0, STOP_SECONDS);
  return ending.kind == EXITED && ending.number == 0 ? 0 : -1;
}

// Kills the worker of mount-data if its check is still running, because the check uses the partition.
static void end_worker(void) {
  int worker = open_worker(report_folder());
  if (worker < 0) return;
  pidfd_send_signal(worker, SIGKILL, NULL, 0);
  wait_for_process(worker, STOP_SECONDS);
  close(worker);
}

// Unmounts /data, and the mounts below /run/data from which mount-data makes a read-only /data. Returns 0 if all of
// them are unmounted, else errno.
static int unmount_all(void) {
  static const char *const places[] = {"/data", RUN "/view", RUN "/memory", RUN "/disk"};
  int busy = 0;
  for (size_t i = 0; i < sizeof places / sizeof *places; i++)
    if (umount2(places[i], UMOUNT_NOFOLLOW) && errno != EINVAL && errno != ENOENT) busy = errno;
  return busy;
}

// Waits until the device is free. A check that was killed, or a mount in another process, can use the device for a
// moment longer. This function polls, because the kernel sends no event when a device becomes free. Returns 0 or errno.
static int wait_until_free(const char *device) {
  for (double end = uptime() + STOP_SECONDS;;) {
    int file = open(device, O_RDONLY | O_EXCL | O_CLOEXEC), writable = 0;
    if (file >= 0) {
      // Makes the device writable. mount-data sets the device read-only before it mounts the file system read-only.
      int failed = ioctl(file, BLKROSET, &writable) ? errno : 0;
      close(file);
      return failed;
    }
    if (errno != EBUSY || uptime() >= end) return errno;
    usleep(50000);
  }
}

static int make_file_system(const char *device) {
  // With -F, mke2fs asks no questions. It still refuses a partition that is mounted or in use. The build makes the file
  // system of the image with the same sizes of blocks and inodes: FORMAT in board/imagebuilder/data.py gives the
  // reason.
  char *const arguments[] = {"/usr/sbin/mke2fs", "-q", "-F", "-t", "ext4", "-b", "4096", "-i", "32768",
                             "-L", PARTITION, "-m", "0", "-E", "lazy_itable_init=1,root_owner=0:0", (char *)device, NULL};
  struct ending ending = run_program(arguments, report_output(), OUTPUT_LIMIT, MAKE_SECONDS);
  if (ending.kind == EXITED && ending.number == 0) return 0;
  return ending.number ? ending.number : -1;
}

// Ends the answer to the console. Then waits, for at most ANSWER_MILLISECONDS, until the console closes the connection.
static void end_answer(void) {
  shutdown(1, SHUT_WR);
  struct pollfd wait = {0, POLLIN, 0};
  poll(&wait, 1, ANSWER_MILLISECONDS);
}

int main(void) {
  char request[32], state[32] = "", device[300];
  open_report(RUN);
  if (read_request(request, sizeof request)) return reply("refused incomplete", "The request did not arrive completely.");
  int is_forced = strcmp(request, "format force") == 0;
  if (!is_forced && strcmp(request, "format")) return reply("refused unknown", "The request is not known.");
  read_small(report_folder(), "state", state, sizeof state);
  if (!state[0])
    return reply("refused checking", "The check of the storage is not finished. Try again in a minute.");
  if (strcmp(state, "disk\n") == 0 && !is_forced)
    return reply("refused healthy", "The storage works and has no errors.");
  if (!find_partition_beside_root(PARTITION, device, sizeof device))
    return reply("refused no-partition", "The disk has no partition %s.", PARTITION);

  reply("progress stop", "stopping the programs that use the storage");
  if (systemctl("stop", 1)) {
    systemctl("start", 1);
    return reply("refused users", "A program that uses the storage did not stop. Nothing was changed.");
  }
  // From here on, only a restart of the machine makes /data usable again.
  end_worker();
  int busy = unmount_all();
  if (!busy) busy = wait_until_free(device);
  if (busy) {
    reply("failed busy", "The storage is in use: %s. Nothing was changed. The machine restarts.", strerror(busy));
  } else {
    reply("progress make", "making an empty file system on %s", device);
    int failure = make_file_system(device);
    if (failure)
      reply("failed mke2fs", "mke2fs failed with status %d. The storage cannot be used. The machine restarts.",
            failure);
    else
      reply("done empty", "The storage is empty. The machine restarts.");
  }
  end_answer();
  return systemctl("reboot", 0);
}
