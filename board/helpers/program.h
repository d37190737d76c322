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

// Waits until a process has ended or `seconds` have passed. `process` is a pidfd. The process need not be a child of
// this process. Returns 1 if the process has ended, else 0.
int wait_for_process(int process, double seconds);

// The file `worker` of this folder contains the number of a mount-data process. Returns a pidfd of this process, or -1
// if there is no process with this number or if the process is another program.
int open_worker(int folder);

// Runs the program `arguments[0]`. Writes the first `limit` bytes that the program prints to the descriptor `output`.
// If `output` is -1, drops all bytes. Kills the program after `seconds`. Blocks until the program has ended. A killed
// program that waits for a device can continue to exist. In this case the call returns two seconds after the kill.
struct ending run_program(char *const arguments[], int output, size_t limit, double seconds);
