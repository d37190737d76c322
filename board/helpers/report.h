// What is said about /data, as files of the folder /run/data, which everyone can read:
//
//   state    one word: disk, read-only or memory
//   notice   a line for each thing that people should know: its identifier, a space, a sentence
//   report   "label: value" lines: what was tried, and what came of it
//   e2fsck   the output of e2fsck, the first 64 KiB
//
// Two processes may write: each change is made under a lock.

#pragma once
#include <stddef.h>

#define REPORT_LIMIT 8192
#define OUTPUT_LIMIT 65536

// Opens the folder, and the file of e2fsck's output.
void open_report(const char *folder);
int report_folder(void);
// -1 where the file cannot be written.
int report_output(void);

// A line of `report`.
__attribute__((format(printf, 2, 3))) void report(const char *label, const char *format, ...);
// Adds a line to `notice`, and says it in the log.
__attribute__((format(printf, 2, 3))) void notice(const char *identifier, const char *format, ...);
void remove_notice(const char *identifier);
void set_state(const char *word);
