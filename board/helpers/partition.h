// Finds partitions by their names in the partition table. Without udev there are no links with these names.

#pragma once
#include <stddef.h>

// Writes the path of the partition's device, such as `/dev/vda3`. Returns 1 if there is such a partition and its
// device node exists, else 0.
int find_partition(const char *label, char *device, size_t size);

// The same, but only on the disk that `/` is on, because a copy of the unit's card may be plugged in too.
int find_partition_beside_root(const char *label, char *device, size_t size);
