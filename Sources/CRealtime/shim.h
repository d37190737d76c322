// The libc calls that are allowed below the real-time line. The compiler checks that nothing
// there allocates, locks or counts references; of C it believes this list, so each line says
// why it may stand here.
#pragma once
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#define RT_SAFE __attribute__((swift_attr("@_noLocks")))

// Plain memory.
static inline void rt_copy(void *to, const void *from, long bytes) RT_SAFE;
static inline void rt_copy(void *to, const void *from, long bytes) {
  memcpy(to, from, (size_t)bytes);
}

static inline void rt_zero(void *to, long bytes) RT_SAFE;
static inline void rt_zero(void *to, long bytes) { memset(to, 0, (size_t)bytes); }

// Read from the vDSO page: no system call.
static inline int64_t rt_monotonic_ns(void) RT_SAFE;
static inline int64_t rt_monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Wakes whoever waits for an eventfd. The fd does not block: when its counter is full the
// other side has not looked yet, and will.
static inline void rt_signal(int eventfd) RT_SAFE;
static inline void rt_signal(int eventfd) {
  const uint64_t one = 1;
  ssize_t ignored = write(eventfd, &one, sizeof one);
  (void)ignored;
}

// The clock of a sink that has no device: the one place where such a sink waits.
static inline void rt_sleep_until(int64_t monotonic_ns) RT_SAFE;
static inline void rt_sleep_until(int64_t monotonic_ns) {
  const struct timespec until = {monotonic_ns / 1000000000, monotonic_ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
}

// Above the line: what does not import into Swift.

// The flags are an anonymous enum.
static inline int rt_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// Declared under _GNU_SOURCE only, which a module's header must not define.
int pthread_setname_np(pthread_t, const char *);
static inline void rt_set_thread_name(pthread_t thread, const char *name) {
  pthread_setname_np(thread, name);
}
