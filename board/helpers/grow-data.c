// Grows the partition of /data to the end of the disk, and the file system of /data to the end of its partition,
// because the image is smaller than the disk. late.target starts the program at each start, when the music plays.
//
// libfdisk writes the partition table in this order, and waits for the disk after each step: the second table at the
// new end of the disk, the first table, sector 0. So if power is cut, one of the two tables is valid. The kernel's
// argument `gpt` makes the kernel search for the second table at the end of the disk. At the next start libfdisk
// repairs the table that is not valid. In sector 0, libfdisk changes only the size of the disk. So a hybrid MBR is
// kept.
//
// The kernel grows the file system while it is mounted, and its journal makes each step safe. If power is cut, the
// program continues at the next start.
//
//   grow-data

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <libfdisk/libfdisk.h>
#include <limits.h>
#include <linux/fs.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "files.h"
#include "partition.h"
#include "report.h"

#define RUN "/run/data"
#define DATA "/data"
#define SECTOR 512
#define ALIGNMENT (1024 * 1024 / SECTOR)
// Grows a mounted file system to a number of blocks. No header for programs defines this call (see fs/ext4/ext4.h).
#define EXT4_IOC_RESIZE_FS _IOW('f', 16, uint64_t)

// The partitions of a disk of this unit. The builder of the image makes them in this order
// (board/imagebuilder/disk.py).
static const char *const names[] = {"autoharp-esp", "autoharp-root-a", "autoharp-root-b", "autoharp-data"};
#define COUNT (sizeof names / sizeof *names)
#define LAST (COUNT - 1)

// Writes a line for the log and for `data check`. docs/board.md lists the identifiers.
__attribute__((format(printf, 3, 4))) static int say(int status, const char *identifier, const char *format, ...) {
  char text[200];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  report(identifier, "%s", text);
  printf("%s: %s\n", identifier, text);
  return status;
}

// libfdisk asks no question here. It only reports what it finds wrong.
static int print_message(struct fdisk_context *context, struct fdisk_ask *ask, void *data) {
  (void)context, (void)data;
  int kind = fdisk_ask_get_type(ask);
  if (kind != FDISK_ASKTYPE_WARN && kind != FDISK_ASKTYPE_WARNX && kind != FDISK_ASKTYPE_INFO) return -EINVAL;
  printf("grow.table: %s\n", fdisk_ask_print_get_mesg(ask));
  return 0;
}

// --- the partition ------------------------------------------------------------------------------

// Returns NULL if the table has exactly the partitions of this unit, and the last partition begins at sector `start`.
// Otherwise returns the difference. A disk with other partitions is not changed, because a person has made these
// partitions on purpose.
static const char *difference(struct fdisk_context *context, uint64_t start) {
  if (!fdisk_is_label(context, GPT)) return "the disk has no GPT";
  if (fdisk_get_sector_size(context) != SECTOR) return "the sectors of the disk have another size";
  struct fdisk_table *table = NULL;
  if (fdisk_get_partitions(context, &table)) return "the table cannot be read";
  const char *reason = fdisk_table_get_nents(table) == COUNT ? NULL : "there are other partitions";
  uint64_t end = 0;
  for (size_t i = 0; i < COUNT && !reason; i++) {
    struct fdisk_partition *entry = fdisk_table_get_partition(table, i);
    const char *name = fdisk_partition_get_name(entry);
    if (!name || strcmp(name, names[i]) || fdisk_partition_get_partno(entry) != i)
      reason = "a partition has another name";
    else if (fdisk_partition_get_start(entry) < end || (i == LAST && fdisk_partition_get_start(entry) != start))
      reason = "a partition is at another place";
    end = reason ? 0 : fdisk_partition_get_end(entry) + 1;
  }
  fdisk_unref_table(table);
  return reason;
}

// Changes the table if the partition can grow by at least 1 MiB, or if the table has an error that libfdisk can repair.
// Returns 0 or a negative error number.
static int write_table(struct fdisk_context *context) {
  struct fdisk_partition *data = NULL, *change = NULL;
  struct fdisk_table *before = NULL;
  int failed = fdisk_get_partition(context, LAST, &data);
  if (!failed) failed = fdisk_get_partitions(context, &before);
  if (failed) return failed;
  uint64_t start = fdisk_partition_get_start(data), size = fdisk_partition_get_size(data);
  uint64_t most = (fdisk_get_last_lba(context) + 1) / ALIGNMENT * ALIGNMENT - start;
  int grows = most >= size + ALIGNMENT;
  if (grows) {
    change = fdisk_new_partition();
    fdisk_partition_set_size(change, most);
    failed = fdisk_set_partition(context, LAST, change);
  }
  if (!failed && (grows || fdisk_label_is_changed(fdisk_get_label(context, NULL)))) {
    failed = fdisk_write_disklabel(context);
    if (!failed && grows) failed = fdisk_reread_changes(context, before);
    if (!failed && grows)
      say(0, "grow.partition", "%llu MiB -> %llu MiB", size / ALIGNMENT + 0ull, most / ALIGNMENT + 0ull);
    if (!failed && !grows) say(0, "grow.repaired", "the partition table");
  }
  fdisk_unref_partition(change);
  fdisk_unref_partition(data);
  fdisk_unref_table(before);
  return failed;
}

static int grow_partition(const char *disk, uint64_t start) {
  struct fdisk_context *context = fdisk_new_context();
  fdisk_set_ask(context, print_message, NULL);
  int failed = fdisk_assign_device(context, disk, 0);
  const char *reason = failed ? NULL : difference(context, start);
  if (!failed && !reason) failed = write_table(context);
  fdisk_deassign_device(context, 1);
  fdisk_unref_context(context);
  if (failed) return say(1, "grow.failed", "%s: %s", disk, strerror(-failed));
  return reason ? say(0, "grow.left", "%s: %s", disk, reason) : 0;
}

// --- the file system ----------------------------------------------------------------------------

static uint64_t mebibytes_of(const struct statfs *status) {
  return (uint64_t)status->f_blocks * (uint64_t)status->f_bsize >> 20;
}

// Grows the mounted file system to `bytes`. Does nothing if the file system already has this size.
static int grow_file_system(uint64_t bytes) {
  char state[16] = "";
  read_small(report_folder(), "state", state, sizeof state);
  // In the states `read-only` and `memory`, an overlay or a tmpfs is at /data, which must not grow.
  if (strcmp(state, "disk\n")) return 0;
  int folder = open(DATA, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) return say(1, "grow.failed", DATA ": %s", strerror(errno));
  struct statfs before, after;
  int failed = fstatfs(folder, &before);
  uint64_t blocks = failed ? 0 : bytes / (uint64_t)before.f_bsize;
  if (!failed) failed = ioctl(folder, EXT4_IOC_RESIZE_FS, &blocks) || fstatfs(folder, &after);
  int number = errno;
  close(folder);
  if (failed) return say(1, "grow.failed", DATA ": %s", strerror(number));
  uint64_t old = mebibytes_of(&before), new = mebibytes_of(&after);
  if (new != old) say(0, "grow.file-system", "%llu MiB -> %llu MiB", old + 0ull, new + 0ull);
  return 0;
}

// --- both ---------------------------------------------------------------------------------------

// Reads a number from a file of the partition's folder in /sys. Returns 0 if there is no number.
static uint64_t number_of(const char *partition, const char *file) {
  char path[PATH_MAX], text[32];
  snprintf(path, sizeof path, "/sys/class/block/%s/%s", partition, file);
  return read_small(AT_FDCWD, path, text, sizeof text) > 0 ? strtoull(text, NULL, 10) : 0;
}

int main(void) {
  char device[300], disk[300];
  open_report(RUN);
  if (!find_partition_beside_root(names[LAST], device, sizeof device) || !find_disk(device, disk, sizeof disk))
    return say(0, "grow.left", "there is no partition %s beside root", names[LAST]);
  const char *name = strrchr(device, '/') + 1;
  int failed = grow_partition(disk, number_of(name, "start"));
  // The kernel counts in sectors of 512 bytes, whatever the size of the disk's sectors is.
  return grow_file_system(number_of(name, "size") * SECTOR) | failed;
}
