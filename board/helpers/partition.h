// Finds partitions by their names in the partition table. The links with these names in /dev cannot be used, because
// udev makes them, and udev starts late.

#pragma once
#include <stddef.h>

// Writes the path of the partition's device, such as `/dev/vda3`. Returns 1 if there is such a partition and its
// device node exists, else 0.
int find_partition(const char *label, char *device, size_t size);

// Like `find_partition`, but searches only the disk that contains `/`. Another disk can be a copy of the unit's disk.
// Such a copy has a partition with the same name.
int find_partition_beside_root(const char *label, char *device, size_t size);

// Writes the path of the disk, such as `/dev/vda`, that contains the partition `device`. Returns 1, or 0 if the disk is
// unknown.
int find_disk(const char *device, char *disk, size_t size);
