#define _GNU_SOURCE
#include "stick.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

// Changes the super block only. So this also works if the mount is no longer at a path, because the stick was removed.
// All other options of the file system stay.
static int change_super_block(int folder, const char *option) {
  int context = fspick(folder, "", FSPICK_EMPTY_PATH | FSPICK_CLOEXEC);
  if (context < 0) return -1;
  int failed = fsconfig(context, FSCONFIG_SET_FLAG, option, NULL, 0)
               || fsconfig(context, FSCONFIG_CMD_RECONFIGURE, NULL, NULL, 0);
  int number = errno;
  close(context);
  errno = number;
  return failed ? -1 : 0;
}

int open_writable(const char *path, dev_t device) {
  int folder = open_tree(AT_FDCWD, path, OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_SYMLINK_NOFOLLOW);
  if (folder < 0) return -1;
  struct stat status;
  struct mount_attr attributes = {.attr_clr = MOUNT_ATTR_RDONLY};
  int failed = fstat(folder, &status), number;
  if (!failed && status.st_dev != device) {
    failed = -1;
    errno = ESTALE;
  }
  if (!failed) failed = mount_setattr(folder, "", AT_EMPTY_PATH, &attributes, sizeof attributes);
  if (!failed) failed = change_super_block(folder, "rw");
  if (!failed) return folder;
  number = errno;
  close(folder);
  errno = number;
  return -1;
}

int make_read_only(int folder) { return change_super_block(folder, "ro"); }
