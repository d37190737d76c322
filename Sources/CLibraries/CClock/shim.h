// Reads whether the machine's time of day is synchronised. The header sys/timex.h is not part of
// Swift's Glibc module.
#pragma once
#include <sys/timex.h>

// This call of adjtimex only reads the state of the clock and changes nothing.
static inline int clock_is_kept(void) {
  struct timex status = {0};
  int state = adjtimex(&status);
  return state >= 0 && state != TIME_ERROR;
}
