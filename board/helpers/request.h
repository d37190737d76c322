// A request of one line, possibly with bytes after it, and its answer. systemd starts the helper with the connection as
// its input and output.

#pragma once
#include <stddef.h>

// Reads one line of at most `size - 1` bytes, without its line end. Returns 0, or -1 if no whole line arrives within
// two seconds, or if the line has a NUL byte.
int read_request(char *line, size_t size);

// Reads the bytes that follow the line. Returns 0, or -1 if not all of them arrive within `seconds`.
int read_bytes(char *bytes, size_t size, double seconds);

// Writes one line: a kind, an identifier and a text. Returns 0, or -1 if the client has closed the connection.
__attribute__((format(printf, 2, 3))) int reply(const char *kind, const char *format, ...);
