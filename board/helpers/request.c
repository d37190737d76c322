#define _GNU_SOURCE
#include "request.h"

#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

#include "program.h"

#define REQUEST_SECONDS 2.0

int read_request(char *line, size_t size) {
  double end = uptime() + REQUEST_SECONDS;
  struct pollfd wait = {0, POLLIN, 0};
  for (size_t filled = 0; filled < size; filled++) {
    int left = (int)((end - uptime()) * 1000);
    if (left <= 0 || poll(&wait, 1, left) <= 0 || read(0, line + filled, 1) != 1) return -1;
    if (!line[filled]) return -1;
    if (line[filled] == '\n') {
      line[filled] = 0;
      return 0;
    }
  }
  return -1;
}

int read_bytes(char *bytes, size_t size, double seconds) {
  double end = uptime() + seconds;
  struct pollfd wait = {0, POLLIN, 0};
  for (size_t filled = 0; filled < size;) {
    int left = (int)((end - uptime()) * 1000);
    ssize_t count = left > 0 && poll(&wait, 1, left) > 0 ? read(0, bytes + filled, size - filled) : -1;
    if (count <= 0) return -1;
    filled += (size_t)count;
  }
  return 0;
}

int reply(const char *kind, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  printf("%s ", kind);
  vprintf(format, arguments);
  va_end(arguments);
  printf("\n");
  return fflush(stdout);
}
