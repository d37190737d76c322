#define _GNU_SOURCE
#include "partition.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// Whether /sys/class/block/NAME is the partition of this name.
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

int find_partition(const char *label, char *device, size_t size) {
  DIR *list = opendir("/sys/class/block");
  int found = 0;
  for (struct dirent *entry; list && !found && (entry = readdir(list));) {
    if (entry->d_name[0] == '.' || !is_called(entry->d_name, label)) continue;
    snprintf(device, size, "/dev/%s", entry->d_name);
    found = access(device, F_OK) == 0;
  }
  if (list) closedir(list);
  return found;
}
