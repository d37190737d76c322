// Saves the end of the log when a systemd unit has failed, because the log itself is in memory. With the name "kernel",
// saves the messages that the kernel stored in an earlier crash.
//
//   keep-log NAME
//   keep-log --codes   prints the code, the address and the name of each bonded phone
//
// Each call writes one file NAME.N to /data/log. The newest eight files of each name are kept, and older files are
// removed. If a unit fails again and again, its log is saved at most twice in ten minutes, because each write wears the
// flash. The name of a file has a number and not a date, because the time of day can be unknown. Names of phones are
// removed. The address of a bonded phone is replaced by a code that only the bond resolves.

#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "bonds.h"
#include "files.h"
#include "program.h"
#include "redact.h"

#define KEPT 8
#define SECONDS 600
#define KEPT_IN_SECONDS 2
// Maximum number of files of all names together.
#define FILE_LIMIT 200
#define SIZE_LIMIT (256 << 10)
// Enough for 200 lines with their times. In journald a line has at most 48 KiB.
#define JOURNAL_LIMIT (10 << 20)
#define PART_LIMIT (64 << 10)
#define JOURNAL_SECONDS 20.0
#define CRASHES "/sys/fs/pstore"
#define CRASH_LIMIT 16
// Maximum number of bytes of the line that the daemon gets.
#define CRASH_LINE 200

// Writes a line for the log: the identifier, the place and the reason. docs/board.md lists the identifiers.
static int fail(const char *identifier, const char *place) {
  fprintf(stderr, "%s: %s: %s\n", identifier, place, strerror(errno));
  return 1;
}

// Returns 1 if the text can be the name of a systemd unit. Returns 0 for a path and for the name of a hidden file.
static int is_name(const char *name) {
  size_t size = strlen(name);
  if (size == 0 || size > 100 || name[0] == '.') return 0;
  for (const char *at = name; *at; at++)
    if (!isalnum((unsigned char)*at) && !strchr("-_.@:", *at)) return 0;
  return 1;
}

// Returns the N of a file NAME.N; 0 for any other file.
static unsigned long number_of(const char *file, const char *name) {
  size_t size = strlen(name);
  if (strncmp(file, name, size) || file[size] != '.') return 0;
  const char *digits = file + size + 1;
  size_t count = strspn(digits, "0123456789");
  return count > 0 && count <= 9 && !digits[count] ? strtoul(digits, NULL, 10) : 0;
}

// Returns the highest N of the files NAME.N, or 0 if there are none. Sets `count` to the number of files of all names.
static unsigned long last_number(int folder, const char *name, int *count) {
  DIR *list = fdopendir(dup(folder));
  if (list) rewinddir(list);
  unsigned long last = 0;
  *count = 0;
  for (struct dirent *entry; list && *count <= 2 * FILE_LIMIT && (entry = readdir(list));) {
    unsigned long number = number_of(entry->d_name, name);
    if (number > last) last = number;
    if (entry->d_name[0] != '.') ++*count;
  }
  if (list) closedir(list);
  return last;
}

static void remove_older(int folder, const char *name, unsigned long last) {
  DIR *list = fdopendir(dup(folder));
  if (list) rewinddir(list);
  for (struct dirent *entry; list && (entry = readdir(list));) {
    unsigned long number = number_of(entry->d_name, name);
    if (number > 0 && number + KEPT <= last) unlinkat(folder, entry->d_name, 0);
  }
  if (list) closedir(list);
}

// Returns 1 if at least KEPT_IN_SECONDS files NAME.N were written within the last SECONDS.
static int is_saved_often(int folder, const char *name) {
  DIR *list = fdopendir(dup(folder));
  if (list) rewinddir(list);
  time_t now = time(NULL);
  int count = 0;
  for (struct dirent *entry; list && (entry = readdir(list));) {
    struct stat status;
    if (number_of(entry->d_name, name) == 0 || fstatat(folder, entry->d_name, &status, AT_SYMLINK_NOFOLLOW)) continue;
    // A file with a time in the future was written before the clock was set, so it does not count.
    if (status.st_mtime <= now && status.st_mtime > now - SECONDS) count++;
  }
  if (list) closedir(list);
  return count >= KEPT_IN_SECONDS;
}

// --- reading the logs ---------------------------------------------------------------------------

// Reads the end of the journal, because the last messages matter.
static ssize_t read_journal(char *text, size_t size) {
  int file = memfd_create("journal", MFD_CLOEXEC);
  char *const arguments[] = {"/usr/bin/journalctl", "--boot", "--lines=200", "--no-pager",
                             "--output=short-monotonic", NULL};
  struct ending ending = run_program(arguments, file, JOURNAL_LIMIT, JOURNAL_SECONDS);
  if (ending.kind != EXITED || ending.number != 0)
    fprintf(stderr, "keep-log.journal-incomplete: journalctl failed with status %d; its output is saved\n",
            ending.number);
  off_t end = lseek(file, 0, SEEK_END);
  ssize_t got = pread(file, text, size, end > (off_t)size ? end - (off_t)size : 0);
  close(file);
  return got;
}

// Names of the files in CRASHES that were copied. The other files stay for the next call.
static char copied[CRASH_LIMIT][NAME_MAX + 1];
static int copied_count;

// Reads the end of each file, because the last messages matter. Returns the size of the whole text.
static ssize_t read_crashes(int folder, char *text, size_t size) {
  DIR *list = fdopendir(dup(folder));
  size_t filled = 0;
  for (struct dirent *entry; list && copied_count < CRASH_LIMIT && (entry = readdir(list));) {
    if (entry->d_name[0] == '.') continue;
    struct stat status;
    int file = openat(folder, entry->d_name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0 || fstat(file, &status) || !S_ISREG(status.st_mode)) {
      if (file >= 0) close(file);
      continue;
    }
    int head = snprintf(text + filled, size - filled, "== %s\n", entry->d_name);
    if (head < 0 || (size_t)head >= size - filled) {
      close(file);
      break;
    }
    strcpy(copied[copied_count++], entry->d_name);
    filled += (size_t)head;
    off_t from = status.st_size > PART_LIMIT ? status.st_size - PART_LIMIT : 0;
    size_t room = size - filled - 1 < PART_LIMIT ? size - filled - 1 : PART_LIMIT;
    for (ssize_t got; room > 0 && (got = pread(file, text + filled, room, from)) > 0;) {
      filled += (size_t)got;
      room -= (size_t)got;
      from += got;
    }
    if (filled < size - 1) text[filled++] = '\n';
    close(file);
  }
  if (list) closedir(list);
  return copied_count > 0 ? (ssize_t)filled : 0;
}

// Removes from CRASHES the files that were copied. Keeps them if /data holds new files only in memory, because the
// copies are then lost when power is cut.
static void remove_crashes(int folder) {
  char state[16];
  if (read_small(AT_FDCWD, "/run/data/state", state, sizeof state) <= 0 || strcmp(state, "disk\n")) return;
  for (int i = 0; i < copied_count; i++) unlinkat(folder, copied[i], 0);
}

// Tells the daemon how the kernel ended, in /run/crash/kernel. The unit file makes the folder. A kernel that was
// restarted or whose power was cut has no such line, and then the daemon gets none.
static void tell_crash(const char *text) {
  static const char *const words[] = {"Kernel panic", "Oops", "BUG: "};
  const char *line = NULL;
  for (size_t i = 0; !line && i < sizeof words / sizeof *words; i++) line = strstr(text, words[i]);
  if (!line) return;
  size_t size = strcspn(line, "\n");
  if (size > CRASH_LINE) size = CRASH_LINE;
  int run = open("/run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int folder = run < 0 ? -1 : open_folder(run, "crash");
  if (folder < 0 || replace_file(folder, "kernel", 0644, line, size)) fail("keep-log.not-told", "/run/crash/kernel");
}

int main(int count, char **arguments) {
  int bonds = open(BONDS, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (count == 2 && strcmp(arguments[1], "--codes") == 0) {
    print_bond_codes(bonds, stdout);
    return 0;
  }
  if (count != 2 || !is_name(arguments[1])) {
    fprintf(stderr, "usage: keep-log NAME | --codes\n");
    return 2;
  }
  const char *name = arguments[1];
  int is_kernel = strcmp(name, "kernel") == 0;
  int data = open("/data", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int folder = data < 0 ? -1 : open_folder(data, "log");
  struct stat status;
  if (folder < 0 || fstat(folder, &status)) return fail("keep-log.no-folder", "/data/log");
  if (status.st_uid != 0 || status.st_mode & 022) {
    errno = EPERM;
    return fail("keep-log.wrong-owner", "/data/log");
  }
  if (!is_kernel && is_saved_often(folder, name)) return 0;

  static char text[SIZE_LIMIT];
  int crashes = is_kernel ? open(CRASHES, O_RDONLY | O_DIRECTORY | O_CLOEXEC) : -1;
  ssize_t size = is_kernel ? read_crashes(crashes, text, sizeof text) : read_journal(text, sizeof text);
  if (size < 0) return fail("keep-log.unreadable", is_kernel ? CRASHES : "journal");
  if (size == 0) return 0;
  size = (ssize_t)redact(text, (size_t)size, bonds);
  if (is_kernel) {
    text[(size_t)size < sizeof text ? (size_t)size : sizeof text - 1] = 0;
    tell_crash(text);
  }

  int files;
  unsigned long number = last_number(folder, name, &files) + 1;
  if (files >= FILE_LIMIT) {
    errno = ENOSPC;
    return fail("keep-log.too-many-files", "/data/log");
  }
  char file[128];
  snprintf(file, sizeof file, "%s.%lu", name, number);
  // The unit files set the group of this process, and so of the file.
  if (replace_file(folder, file, 0640, text, (size_t)size)) return fail("keep-log.not-written", file);
  if (is_kernel) remove_crashes(crashes);
  remove_older(folder, name, number);
  fsync(folder);
  return 0;
}
