#define _GNU_SOURCE
#include "check.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "files.h"
#include "program.h"
#include "report.h"

#define E2FSCK "/usr/sbin/e2fsck"
// The build of the image writes this file: the size of a block in bytes, then the numbers of the blocks with
// copies of the superblock, as `mke2fs -n` lists them.
#define COPIES "/usr/share/autoharp/data-superblocks"

// e2fsck(8), "EXIT CODE": the exit status is the sum of these values. Two exit statuses are not sums: 128 (library
// error) and 127 (the program could not start). Both values contain a bit of NOT_RUN_BITS, so `classify` needs no
// special case for them.
enum {
  CORRECTED = 1,
  CORRECTED_RESTART = 2,  // the root file system was corrected, so the system must restart; not used for /data
  ERRORS_LEFT = 4,
  OPERATIONAL_ERROR = 8,
  USAGE_ERROR = 16,
  CANCELLED = 32,
  LIBRARY_ERROR = 128,
};
#define NOT_RUN_BITS (USAGE_ERROR | CANCELLED | 64 | LIBRARY_ERROR)

enum attempt { OK, ERRORS_REMAIN, FAILED, NOT_RUN };

static enum attempt classify(const struct ending *ending) {
  if (ending->kind != EXITED || ending->number & NOT_RUN_BITS) return NOT_RUN;
  // e2fsck could not open the file system, or could not read or write the device.
  if (ending->number & OPERATIONAL_ERROR) return FAILED;
  return ending->number & ERRORS_LEFT ? ERRORS_REMAIN : OK;
}

static void describe(const struct ending *ending, char *text, size_t size) {
  switch (ending->kind) {
    case EXITED: {
      int status = ending->number;
      const char *meaning = status == 0                    ? "no errors"
                            : status == 127                ? "the program could not start"
                            : status & LIBRARY_ERROR       ? "an error of a shared library"
                            : status & CANCELLED           ? "cancelled"
                            : status & NOT_RUN_BITS        ? "wrong usage"
                            : status & OPERATIONAL_ERROR   ? "operational error"
                            : status & ERRORS_LEFT         ? "errors remain"
                                                           : "errors were corrected";
      snprintf(text, size, "exit status %d, %s", status, meaning);
      break;
    }
    case KILLED_BY_SIGNAL: snprintf(text, size, "killed by signal %d", ending->number); break;
    case TIMED_OUT: snprintf(text, size, "stopped after %.0f s", ending->seconds); break;
    case NOT_STARTED: snprintf(text, size, "not started: %s", strerror(ending->number)); break;
  }
}

static enum attempt attempt(
    const char *label, char *const arguments[], double seconds, struct check_result *result) {
  // OUTPUT_LIMIT applies to the output of all attempts together.
  off_t used = lseek(report_output(), 0, SEEK_END);
  size_t space = used >= 0 && used < OUTPUT_LIMIT ? (size_t)(OUTPUT_LIMIT - used) : 0;
  struct ending ending = run_program(arguments, report_output(), space, seconds);
  char result_text[80];
  describe(&ending, result_text, sizeof result_text);
  report(label, "%s, %.1f s", result_text, ending.seconds);
  enum attempt outcome = classify(&ending);
  if (outcome == NOT_RUN || outcome == FAILED)
    snprintf(result->reason, sizeof result->reason, "%s: %s", label, result_text);
  return outcome;
}

// --- superblocks --------------------------------------------------------------------------------

// The checksum of ext4's metadata: CRC-32C, reflected, without the final inversion.
static uint32_t crc32c(const uint8_t *bytes, size_t size) {
  uint32_t crc = ~0u;
  for (size_t i = 0; i < size; i++) {
    crc ^= bytes[i];
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (crc & 1 ? 0x82F63B78u : 0);
  }
  return crc;
}

enum superblock { VALID, INVALID, UNREADABLE };

// Checks the first superblock. If the first superblock is valid but e2fsck fails, the copies cannot help: they contain
// no further information, and can even lack features that a newer system has switched on.
static enum superblock superblock_of(const char *device) {
  uint8_t block[1024];
  int file = open(device, O_RDONLY | O_CLOEXEC);
  if (file < 0) return UNREADABLE;
  ssize_t got = pread(file, block, sizeof block, 1024);
  close(file);
  if (got != sizeof block) return UNREADABLE;
  // Offsets of struct ext4_super_block: s_magic, s_feature_ro_compat, s_checksum.
  if (block[0x38] != 0x53 || block[0x39] != 0xEF) return INVALID;
  int has_checksum = block[0x65] & 0x04;  // 0x400, metadata_csum
  uint32_t checksum = block[0x3FC] | (uint32_t)block[0x3FD] << 8 | (uint32_t)block[0x3FE] << 16
                      | (uint32_t)block[0x3FF] << 24;
  return !has_checksum || crc32c(block, 0x3FC) == checksum ? VALID : INVALID;
}

// Tries the copies of the superblock in order, until an attempt does not end with FAILED. Returns the result of the
// last attempt. This result can be ERRORS_REMAIN.
static enum attempt try_copies(const char *device, double seconds, struct check_result *result) {
  char text[1024] = "", *rest;
  read_small(AT_FDCWD, COPIES, text, sizeof text);
  char *size = strtok_r(text, " \n", &rest);
  enum attempt last = FAILED;
  while (size && last == FAILED) {
    char *copy = strtok_r(NULL, " \n", &rest), label[48];
    if (!copy) break;
    snprintf(label, sizeof label, "e2fsck -f -y -b %s", copy);
    char *const arguments[] = {E2FSCK, "-f", "-y", "-b", copy, "-B", size, (char *)device, NULL};
    last = attempt(label, arguments, seconds, result);
  }
  return last;
}

struct check_result check_file_system(const char *device, double seconds) {
  struct check_result result = {CHECK_NOT_RUN, ""};
  char *const preen[] = {E2FSCK, "-p", (char *)device, NULL};
  char *const repair[] = {E2FSCK, "-f", "-y", (char *)device, NULL};
  enum superblock superblock = superblock_of(device);

  enum attempt last = attempt("e2fsck -p", preen, seconds, &result);
  if (last == OK) result.outcome = CHECK_NO_ERRORS;
  if (last == OK || last == NOT_RUN) return result;

  last = attempt("e2fsck -f -y", repair, seconds, &result);
  if (last == ERRORS_REMAIN || (last == FAILED && superblock != VALID)) {
    enum attempt copies = try_copies(device, seconds, &result);
    if (copies != FAILED) last = copies;
  }
  switch (last) {
    case OK: result.outcome = CHECK_REPAIRED; break;
    case ERRORS_REMAIN: result.outcome = CHECK_NOT_REPAIRED; break;
    // A superblock that cannot be read proves nothing. Only a superblock that was read and is invalid shows that there
    // is no file system.
    case FAILED: result.outcome = superblock == INVALID ? CHECK_NO_FILE_SYSTEM : CHECK_NOT_RUN; break;
    case NOT_RUN: break;
  }
  return result;
}
