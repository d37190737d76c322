// Writes the report of the unit to a stick, when the console requests it. This is the only program of the image that
// writes to a stick.
//
// stick-report.socket starts the program with the connection as its input and output. The program reads one line and
// the bytes of the report:
//
//   write NAME BYTES   writes the next BYTES bytes to a new file on the stick NAME, such as `sda1`
//
// The answer is one line with a kind (`done`, `refused` or `failed`), an identifier and a text. The text of
// `done written` is the name of the file. After `refused`, no file on the stick has changed.
//
// The program first reads all bytes, so the stick is writable only as long as the stick needs for them. The file system
// is read-only again before the program answers. If the program was killed, systemd runs it once more, as
// `stick-report --end`: this makes each stick that is still writable read-only.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "files.h"
#include "request.h"
#include "stick.h"

// Only tests use other folders.
#ifndef MEDIA
#define MEDIA "/media"
#define STICKS "/run/sticks"
#define BLOCK "/sys/class/block"
#define MOUNTS "/proc/self/mountinfo"
#endif
#define REPORT_LIMIT (2 << 20)
#define REPORT_SECONDS 10.0
#define FILE_LIMIT 999
#define NAME_LIMIT 32

struct stick {
  char name[NAME_LIMIT];
  // The mount on MEDIA/NAME.
  char type[16];
  unsigned major, minor;
  bool is_writable;
};

static bool is_name(const char *text) {
  size_t size = strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789");
  return size > 0 && size < NAME_LIMIT && !text[size];
}

// --- what the kernel says about the stick -------------------------------------------------------

// Reads a line of mountinfo, and changes it. Returns true if it is the mount of a whole stick.
static bool read_mount(char *line, struct stick *stick) {
  char *fields[32];
  int count = 0, dash = 6;
  while (count < 32 && (fields[count] = strsep(&line, " "))) count++;
  // The number of optional fields before the dash varies.
  while (dash < count && strcmp(fields[dash], "-")) dash++;
  if (dash + 3 >= count || strcmp(fields[3], "/")) return false;
  const char *name = fields[4] + sizeof MEDIA, *type = fields[dash + 1];
  if (strncmp(fields[4], MEDIA "/", sizeof MEDIA) || !is_name(name) || strlen(type) >= sizeof stick->type) return false;
  if (sscanf(fields[2], "%u:%u", &stick->major, &stick->minor) != 2) return false;
  strcpy(stick->name, name);
  strcpy(stick->type, type);
  stick->is_writable = strncmp(fields[dash + 3], "ro", 2) != 0;
  return true;
}

// Calls `body` for each mount of a stick, until it returns true. Returns the last result.
static bool find_mount(bool (*body)(const struct stick *stick, void *argument), void *argument) {
  static char text[64 << 10];
  if (read_small(AT_FDCWD, MOUNTS, text, sizeof text) < 0) return false;
  struct stick stick;
  char *next = text;
  for (char *line; (line = strsep(&next, "\n"));)
    if (read_mount(line, &stick) && body(&stick, argument)) return true;
  return false;
}

static bool has_name(const struct stick *stick, void *wanted) {
  if (strcmp(stick->name, ((struct stick *)wanted)->name)) return false;
  *(struct stick *)wanted = *stick;
  return true;
}

// The report can be written only to these file systems: they store no owners, so the file has no owner, and each
// computer can read them.
static bool has_known_type(const struct stick *stick) {
  return !strcmp(stick->type, "vfat") || !strcmp(stick->type, "exfat");
}

// Reads an attribute of the block device.
static bool read_attribute(const char *folder, const char *name, char *text, size_t size) {
  char path[PATH_MAX];
  return snprintf(path, sizeof path, "%s/%s", folder, name) < (int)sizeof path
         && read_small(AT_FDCWD, path, text, size) > 0;
}

static bool is_part_of_the_unit(const char *folder) {
  char text[1024];
  return read_attribute(folder, "uevent", text, sizeof text) && strstr(text, "\nPARTNAME=autoharp-");
}

// Returns true if the stick is a disk of the unit, or a copy of one: it has a partition of the image.
static bool is_disk_of_the_unit(const char *system) {
  char disk[PATH_MAX], text[16];
  strcpy(disk, system);
  if (read_attribute(system, "partition", text, sizeof text)) *strrchr(disk, '/') = 0;
  const char *name = strrchr(disk, '/') + 1;
  if (is_part_of_the_unit(system)) return true;
  DIR *list = opendir(disk);
  bool found = !list;
  for (struct dirent *entry; !found && (entry = readdir(list));) {
    char partition[PATH_MAX];
    if (strncmp(entry->d_name, name, strlen(name))) continue;
    found = snprintf(partition, sizeof partition, "%s/%s", disk, entry->d_name) >= (int)sizeof partition
            || is_part_of_the_unit(partition);
  }
  if (list) closedir(list);
  return found;
}

// Returns true if the unit has found that the stick cannot be trusted.
static bool is_damaged(const struct stick *stick) {
  char path[sizeof STICKS + 1 + NAME_LIMIT], text[2048];
  snprintf(path, sizeof path, STICKS "/%s", stick->name);
  if (read_small(AT_FDCWD, path, text, sizeof text) < 0) return false;
  char *next = text;
  for (char *line; (line = strsep(&next, "\n"));)
    if (!strncmp(line, "stick.", 6)) return true;
  return false;
}

// Returns true if the file system has room for the file and for its name.
static bool has_room(const struct stick *stick, size_t size) {
  char path[sizeof MEDIA + 1 + NAME_LIMIT];
  struct statvfs room;
  snprintf(path, sizeof path, MEDIA "/%s", stick->name);
  if (statvfs(path, &room)) return false;
  return room.f_frsize > 0 && room.f_bavail >= size / room.f_frsize + 3;
}

// Checks whether the stick may be written, and reads its mount. Returns false after it has replied.
static bool check(struct stick *stick, size_t size) {
  char path[sizeof BLOCK + 1 + NAME_LIMIT], system[PATH_MAX], text[32];
  unsigned major, minor;
  snprintf(path, sizeof path, BLOCK "/%s", stick->name);
  if (!find_mount(has_name, stick) || !realpath(path, system) || !read_attribute(system, "dev", text, sizeof text)
      || sscanf(text, "%u:%u", &major, &minor) != 2 || major != stick->major || minor != stick->minor)
    return reply("refused absent", "%s is not mounted.", stick->name), false;
  if (!has_known_type(stick))
    return reply("refused type", "%s has the file system %s. The report can be written only to FAT and exFAT.",
                 stick->name, stick->type), false;
  if (is_disk_of_the_unit(system))
    return reply("refused own-disk", "%s is a part of a disk of the unit.", stick->name), false;
  if (!read_attribute(system, "ro", text, sizeof text) || strcmp(text, "0\n"))
    return reply("refused protected", "%s is write-protected.", stick->name), false;
  if (is_damaged(stick))
    return reply("refused damaged", "%s is damaged, so nothing is written to it.", stick->name), false;
  if (!has_room(stick, size)) return reply("refused full", "%s has no room for the report.", stick->name), false;
  return true;
}

// --- the file -----------------------------------------------------------------------------------

// Creates the first file whose name is free. Returns a descriptor, or -1 with errno.
static int create(int folder, char *name, size_t size) {
  for (int number = 1; number <= FILE_LIMIT; number++) {
    snprintf(name, size, "autoharp-report-%d.txt", number);
    int file = openat(folder, name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0444);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

// Writes the file, and waits until it is on the stick. Returns 0 or errno. An incomplete file is removed.
static int write_file(int folder, char *name, size_t name_size, const char *bytes, size_t size) {
  int file = create(folder, name, name_size);
  if (file < 0) return errno;
  int number = write_all(file, bytes, size) || fsync(file) ? errno : 0;
  if (close(file) && !number) number = errno;
  if (number) unlinkat(folder, name, 0);
  int list = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (list < 0 || syncfs(list)) number = number ? number : errno;
  if (list >= 0) close(list);
  return number;
}

static int write_report(struct stick *stick, const char *bytes, size_t size) {
  char path[sizeof MEDIA + 1 + NAME_LIMIT], name[40] = "";
  if (!check(stick, size)) return 0;
  snprintf(path, sizeof path, MEDIA "/%s", stick->name);
  // systemd ends the program with SIGTERM when the machine stops. The program ends by itself a moment later.
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGTERM);
  sigprocmask(SIG_BLOCK, &signals, NULL);
  int folder = open_writable(path, makedev(stick->major, stick->minor));
  if (folder < 0 && (errno == EROFS || errno == EACCES))
    return reply("refused protected", "%s is write-protected.", stick->name);
  if (folder < 0) return reply("failed mount", "%s cannot be written: %s.", stick->name, strerror(errno));
  int number = write_file(folder, name, sizeof name, bytes, size);
  if (make_read_only(folder) && !number)
    return reply("failed read-only", "The report is in %s on %s, but the stick can still be written: %s.", name,
                 stick->name, strerror(errno));
  if (number == ENOSPC) return reply("refused full", "%s has no room for the report.", stick->name);
  if (number == EEXIST)
    return reply("refused names", "%s has %d reports already. Delete some on a computer.", stick->name, FILE_LIMIT);
  if (number) return reply("failed write", "%s cannot be written: %s.", stick->name, strerror(number));
  return reply("done written", "%s", name);
}

// --- the end ------------------------------------------------------------------------------------

static bool end_writing(const struct stick *stick, void *is_failed) {
  char path[sizeof MEDIA + 1 + NAME_LIMIT];
  if (!stick->is_writable || !has_known_type(stick)) return false;
  snprintf(path, sizeof path, MEDIA "/%s", stick->name);
  int folder = open(path, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (folder < 0 || make_read_only(folder)) {
    fprintf(stderr, "stick-report.writable: %s can still be written: %s\n", stick->name, strerror(errno));
    *(bool *)is_failed = true;
  }
  if (folder >= 0) close(folder);
  return false;
}

int main(int count, char **arguments) {
  if (count == 2 && !strcmp(arguments[1], "--end")) {
    bool is_failed = false;
    find_mount(end_writing, &is_failed);
    return is_failed;
  }
  static char bytes[REPORT_LIMIT];
  char request[64], word[8], name[48];
  struct stick stick = {0};
  unsigned long size;
  int end = 0;
  if (read_request(request, sizeof request)) return reply("refused incomplete", "The request did not arrive completely.");
  if (sscanf(request, "%7s %47s %9lu%n", word, name, &size, &end) != 3 || request[end] || strcmp(word, "write"))
    return reply("refused unknown", "The request is not known.");
  if (!is_name(name)) return reply("refused name", "A stick cannot have this name.");
  strcpy(stick.name, name);
  if (size > REPORT_LIMIT) return reply("refused too-long", "The report is longer than %d MiB.", REPORT_LIMIT >> 20);
  if (size == 0 || read_bytes(bytes, size, REPORT_SECONDS))
    return reply("refused incomplete", "The report did not arrive completely.");
  return write_report(&stick, bytes, size);
}
