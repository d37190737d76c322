// Calls the real-time sanitizer, for tests. The sanitizer exists only in a build with
// -fsanitize=realtime (make test-rt). In other builds, rtsan_enter and rtsan_exit do nothing.
#pragma once
#include <stdbool.h>

void __rtsan_ensure_initialized(void) __attribute__((weak));
void __rtsan_realtime_enter(void) __attribute__((weak));
void __rtsan_realtime_exit(void) __attribute__((weak));

// True if this build has the sanitizer.
static inline bool rtsan_is_there(void) { return __rtsan_realtime_enter != 0; }

// After this call the sanitizer reports each allocation, lock or wait of the calling thread.
static inline void rtsan_enter(void) {
  if (!__rtsan_realtime_enter) return;
  __rtsan_ensure_initialized();
  __rtsan_realtime_enter();
}

static inline void rtsan_exit(void) {
  if (__rtsan_realtime_exit) __rtsan_realtime_exit();
}
