// The libc calls that are allowed below the real-time line. The compiler checks that Swift code
// below the real-time line does not allocate, lock or count references. The compiler does not check
// C functions. So a comment at each function says why the function is safe.
#pragma once
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#define RT_SAFE __attribute__((swift_attr("@_noLocks")))

// The next two functions only use memory and make no system call.
static inline void rt_copy(void *to, const void *from, long bytes) RT_SAFE;
static inline void rt_copy(void *to, const void *from, long bytes) {
  memcpy(to, from, (size_t)bytes);
}

static inline void rt_zero(void *to, long bytes) RT_SAFE;
static inline void rt_zero(void *to, long bytes) { memset(to, 0, (size_t)bytes); }

// The time is read from the vDSO page, without a system call.
static inline int64_t rt_monotonic_ns(void) RT_SAFE;
static inline int64_t rt_monotonic_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

// Wakes the thread that waits for an eventfd. The write never blocks, because the descriptor is
// non-blocking. If the counter of the eventfd is full, the waiting thread has not read the counter
// yet and wakes in any case. The function is not inlined, because the real-time sanitizer's list of
// exceptions contains the name of this function.
static inline void rt_signal(int eventfd) RT_SAFE __attribute__((noinline));
static inline void rt_signal(int eventfd) {
  const uint64_t one = 1;
  ssize_t ignored = write(eventfd, &one, sizeof one);
  (void)ignored;
}

// Sleeps until the given time. A sink without a device waits only with this function. A sink with a
// device uses it for short pauses.
static inline void rt_sleep_until(int64_t monotonic_ns) RT_SAFE;
static inline void rt_sleep_until(int64_t monotonic_ns) {
  const struct timespec until = {monotonic_ns / 1000000000, monotonic_ns % 1000000000};
  clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, 0);
}

// The following functions are for use above the real-time line. Swift cannot use the underlying
// declarations of libc directly.

// Swift cannot use the flags of eventfd directly, because they are an anonymous enum.
static inline int rt_eventfd(void) { return eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK); }

// The function is declared only under _GNU_SOURCE, which a module's header must not define.
int pthread_setname_np(pthread_t, const char *);
static inline void rt_set_thread_name(pthread_t thread, const char *name) {
  pthread_setname_np(thread, name);
}

// With ONFAULT only touched pages are locked. Without ONFAULT, the whole stack of each thread would
// be locked in memory.
#ifndef MCL_ONFAULT
#define MCL_ONFAULT 4
#endif
static inline int rt_lock_memory(void) {
  return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT);
}

// Gives the calling thread a real-time priority. Returns 0 or an error number. Programs that this
// thread starts have ordinary priority.
#ifndef SCHED_RESET_ON_FORK
#define SCHED_RESET_ON_FORK 0x40000000
#endif
static inline int rt_set_fifo(int priority) {
  const struct sched_param parameters = {.sched_priority = priority};
  return pthread_setschedparam(pthread_self(), SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters);
}

// Touches the pages below the stack pointer, so that they are locked. This is written in C, because
// Swift allocates a variable of this size on the heap.
static inline void rt_prefault_stack(void) {
  volatile char stack[128 * 1024];
  for (size_t at = 0; at < sizeof stack; at += 1024) stack[at] = 0;
}
