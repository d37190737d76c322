// The state of /data, as files in the folder /run/data. All users can read these files.
//
//   state    one word: disk, read-only or memory
//   notice   one line for each notice to the user: an identifier, a space, a sentence
//   report   "label: value" lines: each attempt and its result
//   e2fsck   the output of e2fsck, the first 64 KiB
//
// Two processes can write at the same time, so a process locks the folder while it changes `report` or `notice`.

#pragma once
#include <stddef.h>

#define REPORT_LIMIT 8192
#define OUTPUT_LIMIT 65536

// Makes and opens the folder, and opens the file for e2fsck's output.
void open_report(const char *folder);
int report_folder(void);
// The descriptor of the file for e2fsck's output, or -1 if the file could not be opened.
int report_output(void);

// Adds a line to `report`.
__attribute__((format(printf, 2, 3))) void report(const char *label, const char *format, ...);
// Adds a line to `notice`, and prints it for the log.
__attribute__((format(printf, 2, 3))) void notice(const char *identifier, const char *format, ...);
void remove_notice(const char *identifier);
void set_state(const char *state);
