// Small files and folders, by descriptor: no link is followed, no FIFO is waited for.

#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

// Opens a folder inside another one; -1 with errno ENOTDIR for a link or anything else.
int open_folder(int parent, const char *name);

// Reads at most `size - 1` bytes of a regular file and ends them with a zero. Returns the count; -1 if the
// file cannot be read or is no regular file.
ssize_t read_small(int folder, const char *name, char *text, size_t size);

// Writes a whole file under another name, syncs it and renames it, so that a power cut leaves the old or
// the new one. Returns 0, or -1 with errno.
int replace_file(int folder, const char *name, mode_t mode, const void *bytes, size_t size);

// Writes everything; -1 with errno.
int write_all(int file, const void *bytes, size_t size);
