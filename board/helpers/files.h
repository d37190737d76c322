// Reads and writes small files and opens folders. Each name is relative to the descriptor of a folder. These functions
// follow no link and wait for no FIFO.

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Opens the folder `name` inside the folder `parent`. If `name` is a link or another entry that is not a folder,
// returns -1 with errno ENOTDIR.
int open_folder(int parent, const char *name);

// Reads at most `size - 1` bytes of a regular file and adds a NUL byte. Returns the number of bytes that were read, or
// -1 if the file cannot be read or is not a regular file.
ssize_t read_small(int folder, const char *name, char *text, size_t size);

// Writes the new content to a temporary file, syncs that file and renames it. So after a power cut, the folder has
// either the complete old file or the complete new file. Returns 0, or -1 with errno.
int replace_file(int folder, const char *name, mode_t mode, const void *bytes, size_t size);

// Writes all bytes. Returns 0, or -1 with errno.
int write_all(int file, const void *bytes, size_t size);
