#define _GNU_SOURCE
#include "settings.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "partition.h"
#include "report.h"

#define PARTITION "autoharp-esp"
#define FOLDER "/run/boot"
#define NAME "autoharp.conf"
// The same limit as Source.maximumBytes in Sources/Unit/Settings/Configuration.swift.
#define LIMIT (256 << 10)

void notify_settings_unreadable(const char *reason) {
  report("settings", "the boot partition: %s", reason);
  remove_notice("boot.unreadable");
  notice("boot.unreadable", "The owner's settings on the boot partition cannot be read (%s). The unit uses its defaults "
         "and the settings on /data.", reason);
}

static void copy(int from) {
  // One byte more than LIMIT shows the daemon that the file is too large. read_small adds a NUL byte.
  static char text[LIMIT + 2];
  ssize_t size = read_small(from, NAME, text, sizeof text);
  if (size < 0 && errno == ENOENT) return;
  if (size < 0) return notify_settings_unreadable(strerror(errno));
  mkdir(FOLDER, 0755);
  int to = open(FOLDER, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (to < 0 || replace_file(to, NAME, 0644, text, (size_t)size)) notify_settings_unreadable(strerror(errno));
  if (to >= 0) close(to);
}

void copy_settings(const char *at) {
  const unsigned long flags = MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC;
  char device[300];
  if (!find_partition_beside_root(PARTITION, device, sizeof device))
    return notify_settings_unreadable("the disk has no partition " PARTITION);
  mkdir(at, 0700);
  if (mount(device, at, "vfat", flags, "utf8=1,errors=continue"))
    return notify_settings_unreadable(errno == EINVAL ? "its file system is damaged" : strerror(errno));
  int from = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (from >= 0) {
    copy(from);
    close(from);
  } else {
    notify_settings_unreadable(strerror(errno));
  }
  umount2(at, MNT_DETACH);
}
