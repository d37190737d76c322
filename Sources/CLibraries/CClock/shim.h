// Whether somebody keeps the machine's time of day in step: a header that Swift's Glibc leaves out.
#pragma once
#include <sys/timex.h>

// Asks and sets nothing.
static inline int clock_is_kept(void) {
  struct timex status = {0};
  int state = adjtimex(&status);
  return state >= 0 && state != TIME_ERROR;
}
