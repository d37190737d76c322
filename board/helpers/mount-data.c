// Checks and mounts /data. Never makes a file system: only `data format` on the console makes one.
//
// The initrd starts the program with the argument "early". This process is the worker. It runs until the check has
// ended, however long the check takes. Meanwhile data.service starts the program a second time. The second process
// waits for the worker, but only until `limit` seconds after the start of the kernel. Then the second process mounts a
// /data in memory, so that the music can play. This /data in memory is used until the next start. If the worker has
// ended without a decision, the second process starts another worker.
//
// Both processes try to make the file `decided`, and only one of them can succeed. The process that succeeds decides
// what /data is: the disk or memory. The worker tries to make the file only after all calls that can hang.
//
//   mount-data [early] [--partition NAME --at FOLDER --run FOLDER --limit SECONDS]

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/pidfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "erase.h"
#include "files.h"
#include "layout.h"
#include "partition.h"
#include "program.h"
#include "redact.h"
#include "report.h"
#include "settings.h"

#define ATTEMPT_SECONDS 900.0
// The longest time from the decision until /data is mounted.
#define SWITCH_SECONDS 5.0
// The daemon, and so the start of the music, waits at most this time for the settings on the boot partition.
#define SETTINGS_SECONDS 2.0

#define PARTITION "autoharp-data"

static const char *partition = PARTITION, *at = "/data", *run = "/run/data";
static double limit = 15;
static char disk[300], memory[300], view[300];

static const unsigned long safe = MS_NOSUID | MS_NODEV | MS_NOEXEC | MS_NOATIME;

// --- deciding -----------------------------------------------------------------------------------

static int exists(const char *name) { return faccessat(report_folder(), name, F_OK, 0) == 0; }

// Returns 1 in the process that decides first, and 0 in the other process.
static int decide(void) {
  int file = openat(report_folder(), "decided", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);
  if (file >= 0) close(file);
  return file >= 0;
}

// A pidfd of the child process that copies the settings from the boot partition; -1 if this process has not started it.
static int settings = -1;

static int finish(const char *state) {
  if (settings >= 0 && !wait_for_process(settings, SETTINGS_SECONDS))
    notify_settings_unreadable("the partition does not answer");
  set_state(state);
  int file = openat(report_folder(), "mounted", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
  close(file);
  return 0;
}

static int make_layout_at(const char *folder) {
  int data = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int failed = data < 0 || make_layout(data);
  if (data >= 0) close(data);
  return failed;
}

static void erase_at(const char *folder) {
  int data = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (data < 0) return;
  erase_if_marked(data);
  close(data);
}

// Waits until the process that has decided has mounted /data. The wait is short, because the last steps of that process
// do not wait for a device.
static void wait_for_mounted(void) {
  for (double end = uptime() + SWITCH_SECONDS; !exists("mounted") && uptime() < end;) usleep(20000);
}

// Mounts /data in memory. Only the process that has decided calls this. A tmpfs does not wait for a device.
static int use_memory(void) {
  report("mounted", "in memory");
  if (mount("tmpfs", at, "tmpfs", safe, "size=32m,mode=0755"))
    report("tmpfs", "%s", strerror(errno));
  else
    make_layout_at(at);
  return finish("memory");
}

// Makes a mounted folder appear as /data. This is a bind mount and not a move: the kernel cannot move a mount out of a
// shared mount, and systemd makes all mounts shared.
static int bind_to_data(const char *folder) { return mount(folder, at, NULL, MS_BIND, NULL); }

// --- the worker ---------------------------------------------------------------------------------

// Ends a worker that is too late: data.service has already decided that /data is in memory, and the daemon writes to
// this /data. If the worker mounted the disk at /data now, the files that the daemon has written would be lost.
static int use_disk_next_time(void) {
  umount2(disk, MNT_DETACH);
  wait_for_mounted();
  remove_notice("data.checking");
  notice("data.checked",
         "The check of the storage has finished. The unit uses the storage again after the next start.");
  return 0;
}

static int use_disk(void) {
  make_layout_at(disk);
  erase_at(disk);
  if (!decide()) return use_disk_next_time();
  if (bind_to_data(disk)) {
    report("bind", "%s", strerror(errno));
    return use_memory();
  }
  umount2(disk, MNT_DETACH);
  report("mounted", "read-write");
  return finish("disk");
}

// Saves the report of the last repair on the disk, for `data check`.
static void save_repair_report(void) {
  int data = open(disk, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int log = data < 0 ? -1 : open_folder(data, "log");
  static char text[REPORT_LIMIT + OUTPUT_LIMIT];
  ssize_t size = read_small(report_folder(), "report", text, REPORT_LIMIT);
  if (size < 0) size = 0;
  // Puts an empty line between the report and the output of e2fsck.
  text[size++] = '\n';
  ssize_t more = read_small(report_folder(), "e2fsck", text + size, sizeof text - (size_t)size);
  // e2fsck prints names of folders. In the folder of the bonds, these names are addresses of phones.
  size_t whole = redact(text, (size_t)size + (more > 0 ? (size_t)more : 0), -1);
  if (log >= 0
      && (replace_file(log, "repair", 0640, text, whole) || fchownat(log, "repair", 0, LOG_READERS, AT_SYMLINK_NOFOLLOW)))
    report("repair", "/data/log/repair: %s", strerror(errno));
  if (log >= 0) close(log);
  if (data >= 0) close(data);
}

static void notify_read_only(const struct check_result *check, int mount_error, int is_late) {
  const char *lost =
      is_late ? "New data is lost when power is cut. After the next start, the files on the storage can be read."
              : "The files on the storage can be read. New data is lost when power is cut.";
  static const char again[] = "The unit tries again at the next start.";
  if (check->outcome == CHECK_NOT_REPAIRED)
    notice("data.read-only.unrepaired",
           "The storage is damaged and cannot be repaired. %s Copy the files that you need, then use "
           "'data format' on the console.", lost);
  else if (check->outcome == CHECK_NOT_RUN)
    notice("data.read-only.unchecked", "The check of the storage failed (%s). %s %s", check->reason, lost,
           again);
  else
    notice("data.read-only.unmounted", "The storage cannot be mounted for writing (%s). %s %s",
           strerror(mount_error), lost, again);
}

// Sets the device read-only or writable. If only the mount is read-only, the kernel still writes to the file system: it
// removes orphans and records errors. With a read-only device, the kernel does not write.
static int set_read_only(const char *device, int is_read_only) {
  int file = open(device, O_RDONLY | O_CLOEXEC);
  int failed = file < 0 || ioctl(file, BLKROSET, &is_read_only);
  if (file >= 0) close(file);
  return failed;
}

// Mounts the disk read-only below an overlay in memory. Programs can read the files of the disk, and can write files.
// The written files are lost when power is cut. Returns -1 if this is not possible.
static int use_disk_read_only(const char *device, const struct check_result *check, int mount_error) {
  char upper[320], work[320], options[1024];
  snprintf(upper, sizeof upper, "%s/upper", memory);
  snprintf(work, sizeof work, "%s/work", memory);
  // With redirect_dir, programs can rename folders of the disk.
  snprintf(options, sizeof options, "lowerdir=%s,upperdir=%s,workdir=%s,redirect_dir=on", disk, upper, work);
  // With noload, the kernel does not replay the journal. A replay would write to the disk.
  if (set_read_only(device, 1) || mount(device, disk, "ext4", safe | MS_RDONLY, "noload,errors=continue")) {
    report("mount read-only", "%s", strerror(errno));
    return -1;
  }
  if (mount("tmpfs", memory, "tmpfs", safe, "size=32m,mode=0755") || mkdir(upper, 0755)
      || mkdir(work, 0755) || mount("overlay", view, "overlay", safe, options))
    report("overlay", "%s", strerror(errno));
  else if (make_layout_at(view) == 0) {
    int is_first = decide();
    if (!is_first) wait_for_mounted();
    remove_notice("data.checking");
    notify_read_only(check, mount_error, !is_first);
    if (is_first && bind_to_data(view)) {
      report("bind", "%s", strerror(errno));
      return use_memory();
    }
    umount2(view, MNT_DETACH);
    if (!is_first) return 0;
    report("mounted", "read-only, new data stays in memory");
    return finish("read-only");
  }
  umount2(view, MNT_DETACH);
  umount2(memory, MNT_DETACH);
  umount2(disk, MNT_DETACH);
  set_read_only(device, 0);
  return -1;
}

static int work_without_disk(const char *identifier, const char *text) {
  int is_first = decide();
  if (!is_first) wait_for_mounted();
  remove_notice("data.checking");
  notice(identifier, "%s Settings and state are lost when power is cut.", text);
  return is_first ? use_memory() : 0;
}

static int work(const char *device) {
  struct check_result check = check_file_system(device, ATTEMPT_SECONDS);
  if (check.outcome == CHECK_NO_FILE_SYSTEM)
    return work_without_disk(
        "data.memory.no-file-system",
        "The storage has no file system. 'data format' on the console makes an empty one.");
  int is_usable = check.outcome == CHECK_NO_ERRORS || check.outcome == CHECK_REPAIRED, number = 0;
  // With errors=continue, damage in one file does not prevent writes to the other files.
  if (is_usable && mount(device, disk, "ext4", safe, "errors=continue") == 0) {
    if (check.outcome == CHECK_REPAIRED) {
      make_layout_at(disk);
      save_repair_report();
      notice("data.repaired",
             "The storage was damaged and is repaired. 'data check' on the console shows the changes.");
    }
    return use_disk();
  }
  if (is_usable) {
    number = errno;
    report("mount", "%s", strerror(number));
  }
  if (use_disk_read_only(device, &check, number) == 0) return 0;
  if (check.outcome == CHECK_NOT_REPAIRED)
    return work_without_disk(
        "data.memory.unrepaired",
        "The storage is damaged and cannot be repaired. 'data format' on the console makes an empty one.");
  return work_without_disk(
      "data.memory.unchecked",
      "The storage cannot be checked or mounted. The unit tries again at the next start. 'data check' on the "
      "console shows the reason.");
}

// Finds the partition of /data. Only tests use another name than PARTITION. A partition with another name can be on any
// disk.
static int find_data(char *device, size_t size) {
  return strcmp(partition, PARTITION) ? find_partition(partition, device, size)
                                      : find_partition_beside_root(partition, device, size);
}

// Runs `start` in a child process. Returns a pidfd of the child, or -1. The child opens the folder of the reports
// again, because a lock belongs to an open file description. With the description of its parent, both processes would
// hold the lock at the same time.
static int run_in_child(void (*start)(void), pid_t *child) {
  *child = fork();
  if (*child == 0) {
    setsid();
    open_report(run);
    start();
    _exit(0);
  }
  return *child > 0 ? pidfd_open(*child, 0) : -1;
}

static void copy_settings_here(void) {
  char place[320];
  snprintf(place, sizeof place, "%s/boot", run);
  copy_settings(place);
}

static int run_worker(void) {
  char device[300];
  pid_t child;
  // The settings are read while this process checks the storage. A test with another partition needs no settings.
  if (strcmp(partition, PARTITION) == 0) settings = run_in_child(copy_settings_here, &child);
  if (!find_data(device, sizeof device)) {
    char text[100];
    snprintf(text, sizeof text, "The disk has no partition %s.", partition);
    return work_without_disk("data.memory.no-partition", text);
  }
  report("partition", "%s", device);
  return work(device);
}

// --- data.service -------------------------------------------------------------------------------

static void work_in_child(void) { run_worker(); }

static int start_worker(void) {
  pid_t child;
  int process = run_in_child(work_in_child, &child);
  char text[32];
  int length = snprintf(text, sizeof text, "%d\n", child);
  replace_file(report_folder(), "worker", 0644, text, (size_t)length);
  return process;
}

static int is_mounted(const char *folder) {
  struct statx status;
  return statx(AT_FDCWD, folder, 0, STATX_BASIC_STATS, &status) == 0
         && status.stx_attributes & STATX_ATTR_MOUNT_ROOT;
}

static int wait_for_worker(void) {
  if (exists("mounted")) return 0;
  int worker = open_worker(report_folder());
  if (worker >= 0) wait_for_process(worker, limit - uptime());
  // If the worker has ended without a decision, there was no partition yet, or the worker was killed.
  if ((worker < 0 || wait_for_process(worker, 0)) && !exists("decided")) {
    if (worker >= 0) close(worker);
    worker = start_worker();
    wait_for_process(worker, limit - uptime());
  }
  int is_running = worker >= 0 && !wait_for_process(worker, 0);
  if (!decide()) {
    wait_for_mounted();
    // If /data is not mounted now, the worker has ended between its decision and the mount, or this process cannot
    // write to the folder `run`. Then /data is in memory until the next start, because the music must not wait longer.
    return exists("mounted") || is_mounted(at) ? 0 : use_memory();
  }
  if (is_running)
    notice("data.checking",
           "The storage is being checked. Until the next start, settings and state are in memory and are lost "
           "when power is cut.");
  else
    notice("data.memory.unchecked",
           "The check of the storage was interrupted. The unit tries again at the next start. "
           "Settings and state are lost when power is cut.");
  return use_memory();
}

// --- both processes -----------------------------------------------------------------------------

static int read_options(char **arguments) {
  for (; *arguments; arguments += 2) {
    if (!arguments[1]) return -1;
    if (strcmp(*arguments, "--partition") == 0) partition = arguments[1];
    else if (strcmp(*arguments, "--at") == 0) at = arguments[1];
    else if (strcmp(*arguments, "--run") == 0) run = arguments[1];
    else if (strcmp(*arguments, "--limit") == 0) limit = atof(arguments[1]);
    else return -1;
  }
  return 0;
}

int main(int count, char **arguments) {
  int is_early = count > 1 && strcmp(arguments[1], "early") == 0;
  if (read_options(arguments + 1 + is_early)) {
    fprintf(stderr, "usage: mount-data [early] [--partition NAME --at FOLDER --run FOLDER --limit SECONDS]\n");
    return 2;
  }
  open_report(run);
  snprintf(disk, sizeof disk, "%s/disk", run);
  snprintf(memory, sizeof memory, "%s/memory", run);
  snprintf(view, sizeof view, "%s/view", run);
  mkdir(disk, 0700);
  mkdir(memory, 0700);
  mkdir(view, 0700);
  char device[300];
  // If the driver of the disk is not ready, there is no partition yet. data.service searches for the partition again.
  if (is_early) return find_data(device, sizeof device) ? run_worker() : 0;
  return wait_for_worker();
}
