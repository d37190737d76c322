// Partitions by their names in the partition table. Without udev there are no links by name.

#pragma once
#include <stddef.h>

// Writes the device of the partition, as `/dev/vda3`. Returns 1 if there is one whose node exists, else 0.
int find_partition(const char *label, char *device, size_t size);
