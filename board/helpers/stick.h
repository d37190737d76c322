// Makes the file system of a stick writable for this process alone.
//
// All mounts of a stick are read-only, and so is its super block. Only the super block and a mount of this process
// become writable. This mount is at no path, so no other program can use it, and it ends with the process.

#pragma once
#include <stdbool.h>
#include <sys/types.h>

// Makes the file system that is mounted on `path` writable. Returns a descriptor of its root folder, in a mount of this
// process, or -1 with errno. If this fails, the file system is read-only as before. `device` is the device that must be
// mounted there; if another one is, errno is ESTALE.
int open_writable(const char *path, dev_t device);

// Makes the file system read-only, in which `folder` is the root folder of a mount. No file may be open for writing.
// Blocks until all data is on the disk. Returns 0, or -1 with errno.
int make_read_only(int folder);
