#define _GNU_SOURCE
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int open_folder(int parent, const char *name) {
  int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (folder < 0 && errno == ELOOP) errno = ENOTDIR;
  return folder;
}

ssize_t read_small(int folder, const char *name, char *text, size_t size) {
  int file = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (file < 0) return -1;
  struct stat status;
  ssize_t count = -1;
  if (fstat(file, &status) == 0 && S_ISREG(status.st_mode)) {
    size_t filled = 0;
    while (filled < size - 1 && (count = read(file, text + filled, size - 1 - filled)) > 0)
      filled += (size_t)count;
    count = count < 0 ? -1 : (ssize_t)filled;
    text[count < 0 ? 0 : count] = 0;
  }
  close(file);
  return count;
}

int write_all(int file, const void *bytes, size_t size) {
  const char *at = bytes;
  while (size > 0) {
    ssize_t count = write(file, at, size);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return -1;
    at += count;
    size -= (size_t)count;
  }
  return 0;
}

int replace_file(int folder, const char *name, mode_t mode, const void *bytes, size_t size) {
  char temporary[300];
  snprintf(temporary, sizeof temporary, ".%s.new", name);
  // A power cut can have left a temporary file.
  if (unlinkat(folder, temporary, 0) && errno != ENOENT) return -1;
  int file = openat(folder, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
  if (file < 0) return -1;
  int failed = fchmod(file, mode) || write_all(file, bytes, size) || fsync(file);
  int number = errno;
  close(file);
  if (!failed && renameat(folder, temporary, folder, name) == 0) return fsync(folder);
  if (failed) errno = number;
  number = errno;
  unlinkat(folder, temporary, 0);
  errno = number;
  return -1;
}
