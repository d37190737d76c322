// stalls: stops all other threads on all cores for some milliseconds, again and again.
//
//   cc -std=gnu11 -O2 -Wall -pthread -o stalls stalls.c
//   stalls LEAST MOST MS [MS ...]
//
// One thread per core, with SCHED_FIFO priority 90, runs a busy loop. A driver that keeps the cores in the kernel has
// the same effect. The time between two stalls is LEAST to MOST milliseconds. The stalls use the durations MS in turn.
// For each stall, stalls prints a line "NS MS": the time of its begin on the monotonic clock, and its duration. The
// program runs until it is killed.

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static pthread_barrier_t begin;
static int64_t end_ns;  // set before the barrier `begin`, read after it

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void occupy(void) {
  pthread_barrier_wait(&begin);
  while (now_ns() < end_ns) {
  }
}

static void *run(void *core) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET((size_t)core, &set);
  pthread_setaffinity_np(pthread_self(), sizeof set, &set);
  while (1) occupy();
}

int main(int count, char **words) {
  if (count < 4) {
    fputs("usage: stalls LEAST MOST MS [MS ...]\n", stderr);
    return 2;
  }
  long least = strtol(words[1], NULL, 10), most = strtol(words[2], NULL, 10);
  if (least < 1 || most < least) {
    fputs("stalls: LEAST and MOST are milliseconds, at least 1\n", stderr);
    return 2;
  }
  struct sched_param priority = {.sched_priority = 90};
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) {
    perror("stalls: SCHED_FIFO");
    return 1;
  }
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  pthread_barrier_init(&begin, NULL, (unsigned)cores);
  for (long core = 1; core < cores; core++) {
    pthread_t thread;
    // A new thread inherits the policy and the priority of this thread.
    if (pthread_create(&thread, NULL, run, (void *)core) != 0) {
      fputs("stalls: no thread\n", stderr);
      return 1;
    }
  }
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  sched_setaffinity(0, sizeof set, &set);
  srandom((unsigned)getpid());
  for (int turn = 3;; turn = turn + 1 < count ? turn + 1 : 3) {
    long pause = least + random() % (most - least + 1);
    struct timespec time = {pause / 1000, pause % 1000 * 1000000};
    nanosleep(&time, NULL);
    int64_t milliseconds = strtoll(words[turn], NULL, 10), start = now_ns();
    end_ns = start + milliseconds * 1000000;
    occupy();
    printf("%lld %lld\n", (long long)start, (long long)milliseconds);
    fflush(stdout);
  }
}
