// Runs another program: its output goes to a file with a bound, and its time has a limit.

#pragma once
#include <stddef.h>

struct ending {
  // What became of it.
  enum { EXITED, KILLED_BY_SIGNAL, TIMED_OUT, NOT_STARTED } kind;
  // The exit status, the signal, or errno. 127 is also the status where `exec` failed.
  int number;
  double seconds;
};

// Seconds since the kernel started.
double uptime(void);

// Waits until a process has ended or `seconds` have passed; 1 if it has ended. Works for any process, not
// only for children.
int wait_for_process(int process, double seconds);

// A descriptor of the process whose number the file `worker` in this folder has; -1 if there is none, or if the
// number is another program's by now.
int open_worker(int folder);

// Runs `arguments[0]`. The first `limit` bytes that it prints go to `output` (-1: none are kept). After
// `seconds` the program is killed. Blocks until the program has ended; one that the kernel cannot end, as
// it waits for a device, is left alone two seconds later.
struct ending run_program(char *const arguments[], int output, size_t limit, double seconds);
