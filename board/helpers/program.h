// Runs another program with limits for its output and its time.

#pragma once
#include <stddef.h>

struct ending {
  // How the program ended.
  enum { EXITED, KILLED_BY_SIGNAL, TIMED_OUT, NOT_STARTED } kind;
  // The exit status, the signal, or errno. If `exec` failed, the exit status is 127.
  int number;
  double seconds;
};

// Seconds since the kernel started.
double uptime(void);

// Waits until a process has ended or `seconds` have passed. `process` is a pidfd, of any process and not only of a
// child. Returns 1 if the process has ended, else 0.
int wait_for_process(int process, double seconds);

// Returns a pidfd of the process whose number is in the file `worker` of this folder; -1 if there is no such process,
// or if another program has the number now.
int open_worker(int folder);

// Runs `arguments[0]`. The first `limit` bytes that the program prints go to `output` (-1: none are kept). After
// `seconds` the program is killed. Blocks until the program has ended. If the kernel cannot end the program, because
// it waits for a device, the call returns two seconds later.
struct ending run_program(char *const arguments[], int output, size_t limit, double seconds);
