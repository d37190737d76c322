#define _GNU_SOURCE
#include "report.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"

static int folder = -1, output = -1;

void open_report(const char *path) {
  mkdir(path, 0755);
  folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  output = openat(folder, "e2fsck", O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0644);
}

int report_folder(void) { return folder; }
int report_output(void) { return output; }

// If `first` is not NULL, removes the lines of a file that begin with `first`. If `line` is not NULL, then adds `line`.
// A line that does not fit into REPORT_LIMIT is dropped. The helpers write far less than this limit.
static void change(const char *name, const char *first, const char *line) {
  char text[REPORT_LIMIT] = "";
  flock(folder, LOCK_EX);
  read_small(folder, name, text, sizeof text);
  size_t size = first ? strlen(first) : 0;
  for (char *at = text; first && *at;) {
    char *end = strchr(at, '\n'), *next = end ? end + 1 : at + strlen(at);
    if (strncmp(at, first, size) == 0)
      memmove(at, next, strlen(next) + 1);
    else
      at = next;
  }
  size_t used = strlen(text);
  if (line && used + strlen(line) + 2 <= sizeof text) {
    int length = snprintf(text + used, sizeof text - used, "%s\n", line);
    // Control characters become spaces, so that one line stays one line.
    for (char *at = text + used; at < text + used + length - 1; at++)
      if ((unsigned char)*at < ' ') *at = ' ';
  }
  replace_file(folder, name, 0644, text, strlen(text));
  flock(folder, LOCK_UN);
}

// Writes `first` and then the formatted text to `line`.
static void format_line(char *line, size_t size, const char *first, const char *format, va_list arguments) {
  int length = snprintf(line, size, "%s", first);
  vsnprintf(line + length, size - (size_t)length, format, arguments);
}

void report(const char *label, const char *format, ...) {
  char first[64], line[512];
  snprintf(first, sizeof first, "%s: ", label);
  va_list arguments;
  va_start(arguments, format);
  format_line(line, sizeof line, first, format, arguments);
  va_end(arguments);
  change("report", NULL, line);
}

void notice(const char *identifier, const char *format, ...) {
  char first[64], line[512];
  snprintf(first, sizeof first, "%s ", identifier);
  va_list arguments;
  va_start(arguments, format);
  format_line(line, sizeof line, first, format, arguments);
  va_end(arguments);
  change("notice", NULL, line);
  printf("%s\n", line);
  fflush(stdout);
}

void remove_notice(const char *identifier) {
  char first[64];
  snprintf(first, sizeof first, "%s ", identifier);
  change("notice", first, NULL);
}

void set_state(const char *state) {
  char line[32];
  int length = snprintf(line, sizeof line, "%s\n", state);
  replace_file(folder, "state", 0644, line, (size_t)length);
}
