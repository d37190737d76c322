// Files in memory, with seals that the kernel enforces. The C library declares these functions and
// constants only under _GNU_SOURCE, which a module's header must not define.
#pragma once
#include <fcntl.h>
#include <linux/memfd.h>

int memfd_create(const char *, unsigned);

#define MEMFD_SEALS 0x000F        // F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW, F_SEAL_WRITE
#define MEMFD_SIZE_SEALS 0x0006   // F_SEAL_SHRINK, F_SEAL_GROW
#define MEMFD_ADD_SEALS 1033      // F_ADD_SEALS
#define MEMFD_GET_SEALS 1034      // F_GET_SEALS

static inline int memfd_new(const char *name) {
  return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
}
static inline int memfd_add_seals(int file, int seals) {
  return fcntl(file, MEMFD_ADD_SEALS, seals);
}
// Returns -1 if the file is not a memfd.
static inline int memfd_seals(int file) { return fcntl(file, MEMFD_GET_SEALS); }
