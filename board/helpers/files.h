// Reads and writes small files and opens folders, by descriptor. Follows no link and waits for no FIFO.

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Opens the folder `name` inside the folder `parent`. Returns -1 with errno ENOTDIR if `name` is a link or anything
// else that is no folder.
int open_folder(int parent, const char *name);

// Reads at most `size - 1` bytes of a regular file and adds a zero byte. Returns the number of bytes; -1 if the
// file cannot be read or is no regular file.
ssize_t read_small(int folder, const char *name, char *text, size_t size);

// Writes the new content to a temporary file, syncs that file and renames it. After a power cut, either the old or
// the new file is there, complete. Returns 0, or -1 with errno.
int replace_file(int folder, const char *name, mode_t mode, const void *bytes, size_t size);

// Writes all bytes. Returns 0, or -1 with errno.
int write_all(int file, const void *bytes, size_t size);
