#define _GNU_SOURCE
#include "partition.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

// Returns 1 if the block device /sys/class/block/NAME is a partition with the name `label`.
static int is_called(const char *name, const char *label) {
  char path[300], text[2048], line[300];
  snprintf(path, sizeof path, "/sys/class/block/%s/uevent", name);
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  ssize_t got = read(file, text, sizeof text - 1);
  close(file);
  if (got <= 0) return 0;
  text[got] = 0;
  snprintf(line, sizeof line, "PARTNAME=%s\n", label);
  return strstr(text, line) != NULL;
}

// Writes to `disk` the sysfs folder of the disk that contains the partition, or an empty text if the disk is unknown.
static void disk_of(const char *partition, char *disk) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/..", partition);
  if (!realpath(path, disk)) disk[0] = 0;
}

static int find(const char *label, const char *wanted, char *device, size_t size) {
  DIR *list = opendir("/sys/class/block");
  int found = 0;
  for (struct dirent *entry; list && !found && (entry = readdir(list));) {
    if (entry->d_name[0] == '.' || !is_called(entry->d_name, label)) continue;
    char path[300], disk[PATH_MAX];
    snprintf(path, sizeof path, "/sys/class/block/%s", entry->d_name);
    if (wanted) disk_of(path, disk);
    if (wanted && strcmp(disk, wanted)) continue;
    snprintf(device, size, "/dev/%s", entry->d_name);
    found = access(device, F_OK) == 0;
  }
  if (list) closedir(list);
  return found;
}

int find_partition(const char *label, char *device, size_t size) {
  return find(label, NULL, device, size);
}

int find_partition_beside_root(const char *label, char *device, size_t size) {
  struct stat root;
  char path[300], disk[PATH_MAX];
  if (stat("/", &root)) return 0;
  snprintf(path, sizeof path, "/sys/dev/block/%u:%u", major(root.st_dev), minor(root.st_dev));
  disk_of(path, disk);
  return disk[0] ? find(label, disk, device, size) : 0;
}

int find_disk(const char *device, char *disk, size_t size) {
  const char *name = strrchr(device, '/');
  char path[300], folder[PATH_MAX];
  if (!name) return 0;
  snprintf(path, sizeof path, "/sys/class/block%s", name);
  disk_of(path, folder);
  if (!folder[0]) return 0;
  return snprintf(disk, size, "/dev%s", strrchr(folder, '/')) < (int)size && access(disk, F_OK) == 0;
}
