// Checks and repairs the file system of /data with e2fsck. Never makes a new file system.

#pragma once

struct check_result {
  enum {
    // The file system has no errors, or e2fsck corrected them without a decision about what to keep.
    CHECK_NO_ERRORS,
    // Errors were corrected, and e2fsck had to decide what to keep.
    CHECK_REPAIRED,
    // Errors remain.
    CHECK_NOT_REPAIRED,
    // Neither the superblock nor a copy of it describes a file system.
    CHECK_NO_FILE_SYSTEM,
    // e2fsck could not do its work, so the state of the file system is unknown.
    CHECK_NOT_RUN,
  } outcome;
  // For CHECK_NOT_RUN: the reason, as text.
  char reason[128];
};

// Tries e2fsck with these options, in this order: `-p`, `-f -y`, and `-f -y -b` with each copy of the superblock.
// Adds a line to the report for each attempt. Blocks, but at most `seconds` for each attempt.
struct check_result check_file_system(const char *device, double seconds);
