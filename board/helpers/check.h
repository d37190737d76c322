// Checks and repairs the file system of /data with e2fsck. Never makes a new file system.

#pragma once

struct check_result {
  enum {
    // e2fsck found no errors, or only errors that it could correct without a decision about what to keep.
    CHECK_NO_ERRORS,
    // e2fsck corrected all errors, but had to decide what to keep.
    CHECK_REPAIRED,
    // Errors remain.
    CHECK_NOT_REPAIRED,
    // Neither the first superblock nor one of its copies describes a file system.
    CHECK_NO_FILE_SYSTEM,
    // e2fsck could not do its work, so the state of the file system is unknown.
    CHECK_NOT_RUN,
  } outcome;
  // For CHECK_NOT_RUN: the reason, as text.
  char reason[128];
};

// Tries e2fsck with these options, in this order: `-p`, `-f -y`, and `-f -y -b` with each copy of the superblock. Stops
// when an attempt succeeds, and when e2fsck cannot run. Adds a line to the report for each attempt. Blocks for at most
// `seconds` per attempt.
struct check_result check_file_system(const char *device, double seconds);
