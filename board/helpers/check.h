// Checks and repairs the file system of /data with e2fsck. Never makes a new one.

#pragma once

struct check_result {
  enum {
    // Nothing is wrong, or what was wrong could be corrected without a question.
    CHECK_SOUND,
    // e2fsck had to decide for itself what to keep.
    CHECK_REPAIRED,
    // Errors are left.
    CHECK_NOT_REPAIRED,
    // Neither the superblock nor a copy of it describes a file system.
    CHECK_NO_FILE_SYSTEM,
    // e2fsck did not do its work, so nothing is known about the file system.
    CHECK_NOT_RUN,
  } outcome;
  // For CHECK_NOT_RUN: why, in words.
  char reason[128];
};

// Tries in this order: `-p`, `-f -y`, and `-f -y -b` with each copy of the superblock. Each attempt is a line
// of the report. Blocks for as long as that takes, at most `seconds` for each attempt.
struct check_result check_file_system(const char *device, double seconds);
