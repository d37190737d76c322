// Counts what is on /data, and frees space, when the console requests it.
//
// free-space.socket starts the program with the connection as its input and output. The program reads one line:
//
//   usage   one line for each folder of /data that is known: `folder BYTES FILES PATH`; then a result
//   free    removes what the unit makes again, or no longer needs; then a result
//
// A result is one line with a kind (`done`, `refused` or `failed`), an identifier and a text:
//
//   done counted    all files were counted
//   done partial    the limits below were reached, so the numbers are too small
//   done freed      the text begins with the number of bytes
//
// `free` removes kept logs except the newest of each name, the covers that the daemon has stored, and the thumbnails of
// the library if they take at least 1 MiB. Music, playlists, settings, the database of the library and entries that were renamed to aside-… stay.
// The program removes files in the folders of other users only as these users.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "files.h"
#include "program.h"
#include "request.h"

// Only tests use another folder.
#ifndef DATA
#define DATA "/data"
#endif
// Users of the daemon and of the library, as in rootfs-overlay/etc/passwd.
#define AUTOHARP 800
#define LIBRARY 806

#define COUNT_SECONDS 5.0
#define COUNT_LIMIT 500000
#define DEPTH_LIMIT 32
// Entries of /data itself.
#define ENTRY_LIMIT 300
#define SYSTEMCTL_SECONDS 15.0
// A smaller file of thumbnails is not worth a restart of the library, which makes it again.
#define THUMBNAILS_LEAST (1 << 20)

// Opens a folder for reading its entries, with a position of its own.
static DIR *open_list(int folder) {
  int list = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  return list < 0 ? NULL : fdopendir(list);
}

// --- counting -----------------------------------------------------------------------------------

struct usage {
  unsigned long long bytes, files;
};

static unsigned long counted;
static int is_partial;

// Adds what is in a folder on the file system `device`, except the folder `left_out` in it. Closes `folder`.
static void count(int folder, dev_t device, int depth, const char *left_out, struct usage *usage) {
  DIR *list = fdopendir(folder);
  if (!list) {
    close(folder);
    is_partial = 1;
    return;
  }
  for (struct dirent *entry; (entry = readdir(list));) {
    const char *name = entry->d_name;
    if (!strcmp(name, ".") || !strcmp(name, "..") || (left_out && !strcmp(name, left_out))) continue;
    static double end;
    if (!end) end = uptime() + COUNT_SECONDS;
    if (++counted > COUNT_LIMIT || uptime() > end) {
      is_partial = 1;
      break;
    }
    struct stat status;
    if (fstatat(dirfd(list), name, &status, AT_SYMLINK_NOFOLLOW) || status.st_dev != device) continue;
    usage->bytes += (unsigned long long)status.st_blocks * 512;
    if (!S_ISDIR(status.st_mode)) {
      usage->files++;
      continue;
    }
    int inner = depth < DEPTH_LIMIT ? open_folder(dirfd(list), name) : -1;
    if (inner >= 0) count(inner, device, depth + 1, NULL, usage);
    else is_partial = 1;
  }
  closedir(list);
}

// Counts a folder, whose path is relative to /data. Returns 0, or -1 if there is no such folder.
static int count_folder(int data, const char *parent, const char *name, const char *left_out, struct usage *usage) {
  *usage = (struct usage){0, 0};
  int above = parent ? open_folder(data, parent) : dup(data);
  int folder = above < 0 ? -1 : open_folder(above, name);
  if (above >= 0) close(above);
  struct stat status;
  if (folder < 0) return -1;
  if (fstat(folder, &status)) {
    close(folder);
    return -1;
  }
  count(folder, status.st_dev, 0, left_out, usage);
  return 0;
}

static void write_usage(int data, const char *parent, const char *name, const char *left_out) {
  struct usage usage;
  if (count_folder(data, parent, name, left_out, &usage)) return;
  printf("folder %llu %llu " DATA "/%s%s%s\n", usage.bytes, usage.files, parent ? parent : "", parent ? "/" : "", name);
}

// Returns 1 for an entry that make_layout() has renamed. Its name has no other characters, so that the answer has one
// folder in a line.
static int is_aside(const char *name) {
  return !strncmp(name, "aside-", 6)
         && strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") == strlen(name);
}

static int write_usages(int data) {
  write_usage(data, NULL, "music", NULL);
  write_usage(data, NULL, "autoharp", "artwork");
  write_usage(data, "autoharp", "artwork", NULL);
  write_usage(data, NULL, "library", NULL);
  write_usage(data, NULL, "log", NULL);
  write_usage(data, NULL, "bluetooth", NULL);
  write_usage(data, NULL, "lost+found", NULL);
  DIR *list = open_list(data);
  int entries = 0;
  for (struct dirent *entry; list && entries++ < ENTRY_LIMIT && (entry = readdir(list));)
    if (is_aside(entry->d_name)) write_usage(data, NULL, entry->d_name, NULL);
  if (list) closedir(list);
  return is_partial ? reply("done partial", "Not all files were counted, so the numbers are too small.")
                    : reply("done counted", "All files were counted.");
}

// --- freeing ------------------------------------------------------------------------------------

// Returns the number N of a kept log NAME.N, or 0 for another file. `size` gets the length of NAME.
static unsigned long number_of(const char *file, size_t *size) {
  const char *dot = strrchr(file, '.');
  if (!dot || dot == file) return 0;
  size_t digits = strspn(dot + 1, "0123456789");
  *size = (size_t)(dot - file);
  return digits > 0 && digits <= 9 && !dot[1 + digits] ? strtoul(dot + 1, NULL, 10) : 0;
}

// Returns 1 if the folder has a kept log with the same name and a higher number.
static int has_newer(int folder, const char *file) {
  size_t size, other_size;
  unsigned long number = number_of(file, &size);
  DIR *list = number ? open_list(folder) : NULL;
  int is_newer = 0;
  for (struct dirent *entry; list && !is_newer && (entry = readdir(list));) {
    unsigned long other = number_of(entry->d_name, &other_size);
    is_newer = other > number && size == other_size && !strncmp(file, entry->d_name, size);
  }
  if (list) closedir(list);
  return is_newer;
}

static int is_any(int folder, const char *file) {
  (void)folder;
  (void)file;
  return 1;
}

static int is_thumbnails(int folder, const char *file) {
  (void)folder;
  return !strncmp(file, "covers.db", 9);
}

// Removes the files of a folder for which `is_removed` returns 1. Folders in it stay. Each pass collects names first,
// because readdir() can miss entries while others are removed.
static void remove_files(int folder, int (*is_removed)(int folder, const char *file)) {
  static char names[512][NAME_MAX + 1];
  for (int pass = 0, found = 1; found > 0 && pass < 1000; pass++) {
    DIR *list = open_list(folder);
    if (!list) return;
    found = 0;
    for (struct dirent *entry; found < 512 && (entry = readdir(list));)
      if (entry->d_name[0] != '.' && is_removed(folder, entry->d_name)) strcpy(names[found++], entry->d_name);
    closedir(list);
    int removed = 0;
    for (int i = 0; i < found; i++) removed += unlinkat(folder, names[i], 0) == 0;
    if (!removed) return;
  }
}

// Removes files as the user who owns the folder, in a process of its own.
static void remove_as(uid_t user, int data, const char *parent, const char *name,
                      int (*is_removed)(int folder, const char *file)) {
  pid_t child = fork();
  if (child == 0) {
    if (geteuid() == 0 && (setresgid(user, user, user) || setresuid(user, user, user))) _exit(1);
    int above = parent ? open_folder(data, parent) : dup(data);
    int folder = above < 0 ? -1 : open_folder(above, name);
    if (folder >= 0) remove_files(folder, is_removed);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status)
    fprintf(stderr, "free-space.not-removed: " DATA "/%s: user %u\n", name, (unsigned)user);
}

static unsigned long long used(int data) {
  struct usage log, covers, library;
  count_folder(data, NULL, "log", NULL, &log);
  count_folder(data, "autoharp", "artwork", NULL, &covers);
  count_folder(data, NULL, "library", NULL, &library);
  return log.bytes + covers.bytes + library.bytes;
}

static int free_space(int data) {
  char state[16] = "";
  read_small(AT_FDCWD, "/run/data/state", state, sizeof state);
  if (!strcmp(state, "memory\n") || !strcmp(state, "read-only\n"))
    return reply("refused not-on-disk", "The storage cannot be written, so nothing can be freed on it.");
  unsigned long long before = used(data);
  int log = open_folder(data, "log");
  if (log >= 0) remove_files(log, has_newer);
  remove_as(AUTOHARP, data, "autoharp", "artwork", is_any);
  struct stat status;
  int library = open_folder(data, "library");
  if (library >= 0 && fstatat(library, "covers.db", &status, AT_SYMLINK_NOFOLLOW) == 0
      && status.st_size >= THUMBNAILS_LEAST) {
    remove_as(LIBRARY, data, NULL, "library", is_thumbnails);
    // The library still has the file open, so the restart frees its space. SQLite removes a journal without its file.
    char *const arguments[] = {"/usr/bin/systemctl", "try-restart", "autoharp-library.service", NULL};
    run_program(arguments, -1, 0, SYSTEMCTL_SECONDS);
  }
  unsigned long long after = used(data);
  return reply("done freed", "%llu bytes were freed: old logs, stored covers and thumbnails, which the unit makes again.",
               before > after ? before - after : 0);
}

int main(void) {
  char request[16];
  if (read_request(request, sizeof request)) return reply("refused incomplete", "The request did not arrive completely.");
  int data = open(DATA, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (data < 0) return reply("failed no-folder", DATA ": %s", strerror(errno));
  if (!strcmp(request, "usage")) return write_usages(data);
  if (!strcmp(request, "free")) return free_space(data);
  return reply("refused unknown", "The request is not known.");
}
