// Partitions by their names in the partition table. Without udev there are no links by name.

#pragma once
#include <stddef.h>

// Writes the device of the partition, as `/dev/vda3`. Returns 1 if there is one whose node exists, else 0.
int find_partition(const char *label, char *device, size_t size);

// The same, but only on the disk that `/` is on: a copy of a unit's card may be plugged in beside it.
int find_partition_beside_root(const char *label, char *device, size_t size);
