#define _GNU_SOURCE
#include "layout.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "report.h"

// User and group of the daemon, as in rootfs-overlay/etc/passwd and group.
#define AUTOHARP 800
// User and group of the library process.
#define LIBRARY 806

// The daemon has the same limit for a configuration file.
#define CONFIGURATION_LIMIT (256 << 10)
#define ASIDE_LIMIT 99

struct folder {
  const char *name;
  uid_t owner;
  gid_t group;
  mode_t mode;
};

static const struct folder folders[] = {
    {"autoharp", AUTOHARP, AUTOHARP, 0755},
    {"music", AUTOHARP, AUTOHARP, 0755},
    {"library", LIBRARY, LIBRARY, 0700},
    {"bluetooth", 0, 0, 0700},
    {"log", 0, LOG_READERS, 0750},
};

// Entries that older images kept in /data itself.
static const char *const moved[] = {"state", "state.damaged", "artwork"};

// --- names --------------------------------------------------------------------------------------

// Renames an entry that has the wrong type or owner. The entry is not removed, so that no data is lost.
static int put_aside(int data, const char *name) {
  for (int number = 1; number <= ASIDE_LIMIT; number++) {
    char aside[64];
    snprintf(aside, sizeof aside, "aside-%s-%d", name, number);
    if (renameat2(data, name, data, aside, RENAME_NOREPLACE) == 0) {
      notice("data.aside", "/data/%s had a wrong owner or type. It was renamed to /data/%s.", name, aside);
      return 0;
    }
    if (errno != EEXIST) return -1;
  }
  // All numbers are in use, perhaps because a program has made these entries on purpose. So this function takes a
  // random number, which cannot be predicted.
  unsigned random = 0;
  char aside[64];
  if (getrandom(&random, sizeof random, 0) != sizeof random) return -1;
  snprintf(aside, sizeof aside, "aside-%s-%08x", name, random);
  return renameat2(data, name, data, aside, RENAME_NOREPLACE);
}

static int set_owner_and_mode(int file, uid_t owner, gid_t group, mode_t mode) {
  struct stat status;
  if (fstat(file, &status)) return -1;
  if ((status.st_uid != owner || status.st_gid != group) && fchown(file, owner, group)) return -1;
  if ((status.st_mode & 07777) != mode && fchmod(file, mode)) return -1;
  return 0;
}

// --- folders ------------------------------------------------------------------------------------

// Returns 1 if a folder can be kept. A folder that must belong to root is kept only if root owns it, because another
// owner can have written anything into it.
static int is_usable(int folder, const struct folder *wanted) {
  struct stat status;
  return fstat(folder, &status) == 0 && (wanted->owner != 0 || status.st_uid == 0);
}

static int make_folder(int data, const struct folder *wanted) {
  int folder = open_folder(data, wanted->name);
  if (folder < 0 ? errno != ENOENT : !is_usable(folder, wanted)) {
    if (folder >= 0) close(folder);
    if (put_aside(data, wanted->name)) return -1;
    folder = -1;
  }
  if (folder < 0) {
    if (mkdirat(data, wanted->name, 0700)) return -1;
    folder = open_folder(data, wanted->name);
  }
  if (folder < 0) return -1;
  int failed = set_owner_and_mode(folder, wanted->owner, wanted->group, wanted->mode);
  close(folder);
  return failed;
}

// --- entries of older images --------------------------------------------------------------------

// Moves an entry of /data into a folder. A rename keeps the owner and the type of the entry and follows no link. So
// the daemon gets no new rights to the entry.
static void move_into(int data, const char *folder, const char *name) {
  int target = open_folder(data, folder);
  if (target < 0) return;
  if (renameat2(data, name, target, name, RENAME_NOREPLACE) == 0)
    report("moved", "/data/%s to /data/%s/%s", name, folder, name);
  close(target);
}

// --- the configuration --------------------------------------------------------------------------

static int is_configuration_of_root(const struct stat *status) {
  return status->st_uid == 0 && status->st_nlink == 1 && !(status->st_mode & 022);
}

// Makes root the owner of a configuration. If another user can change the file, root replaces the file by a copy. A
// hard link or an open descriptor of the other user then leads only to the old file.
static int own_configuration(int data, const char *name) {
  struct stat status;
  if (fstatat(data, name, &status, AT_SYMLINK_NOFOLLOW)) return errno == ENOENT ? 0 : -1;
  if (!S_ISREG(status.st_mode)) return put_aside(data, name);
  if (is_configuration_of_root(&status)) return 0;
  static char bytes[CONFIGURATION_LIMIT + 2];
  ssize_t size = read_small(data, name, bytes, sizeof bytes);
  if (size < 0 || size > CONFIGURATION_LIMIT) return put_aside(data, name);
  // If a folder has the name of the temporary file, the folder is renamed.
  if (replace_file(data, name, 0644, bytes, (size_t)size)
      && (put_aside(data, ".autoharp.conf.new") || replace_file(data, name, 0644, bytes, (size_t)size)))
    return -1;
  report("owned by root", "/data/%s", name);
  return 0;
}

int make_layout(int data) {
  // This call comes first, so that no other user can add entries from here on.
  int failed = set_owner_and_mode(data, 0, 0, 0755);
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
    if (make_folder(data, &folders[i])) {
      report("not made", "/data/%s: %s", folders[i].name, strerror(errno));
      failed = -1;
    }
  for (size_t i = 0; i < sizeof moved / sizeof *moved; i++) move_into(data, "autoharp", moved[i]);
  if (own_configuration(data, "autoharp.conf"))
    report("not owned by root", "/data/autoharp.conf: %s", strerror(errno));
  fsync(data);
  return failed;
}
