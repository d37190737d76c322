// Reads whether the machine's time of day is synchronised, or was set by a person. The header
// sys/timex.h is not part of Swift's Glibc module.
#pragma once
#include <sys/timex.h>
#include <unistd.h>

// This call of adjtimex only reads the state of the clock and changes nothing.
static inline int clock_is_kept(void) {
  struct timex status = {0};
  int state = adjtimex(&status);
  if (state >= 0 && state != TIME_ERROR) return 1;
  // set-clock creates this file (board/helpers/set-clock.c).
  return access("/run/clock/set", F_OK) == 0;
}
