#define _GNU_SOURCE
#include "program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "files.h"

// How long to wait for the end of a program that was killed.
#define KILL_SECONDS 2.0

double uptime(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

// Converts seconds to milliseconds for poll(). Rounds up, because repeated calls with 0 ms would be a busy loop.
static int milliseconds(double seconds) {
  return seconds <= 0 ? 0 : seconds > 1e6 ? 1000000000 : (int)(seconds * 1000) + 1;
}

int wait_for_process(int process, double seconds) {
  double end = uptime() + seconds;
  struct pollfd wait = {process, POLLIN, 0};
  int ready;
  do ready = poll(&wait, 1, milliseconds(end - uptime()));
  while (ready < 0 && errno == EINTR);
  return ready > 0;
}

int open_worker(int folder) {
  char text[32], name[64] = "", path[64];
  if (read_small(folder, "worker", text, sizeof text) <= 0) return -1;
  int number = atoi(text), process = number > 1 ? pidfd_open(number, 0) : -1;
  snprintf(path, sizeof path, "/proc/%d/comm", number);
  read_small(AT_FDCWD, path, name, sizeof name);
  if (process >= 0 && strcmp(name, "mount-data\n") == 0) return process;
  if (process >= 0) close(process);
  return -1;
}

static _Noreturn void execute(char *const arguments[], int output) {
  // If the helper is killed, the kernel kills the program too, so that it does not continue to use the partition.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, 0);
  dup2(output, 1);
  dup2(output, 2);
  execv(arguments[0], arguments);
  _exit(127);
}

// Reads the available output and writes at most `left` bytes of the output to `to`. Drops the rest, so that the program
// does not block. Returns 0 at the end of the output.
static int copy_output(int from, int to, size_t *left) {
  char part[4096];
  ssize_t count = read(from, part, sizeof part);
  if (count <= 0) return count < 0 && (errno == EINTR || errno == EAGAIN);
  size_t kept = (size_t)count < *left ? (size_t)count : *left;
  if (to >= 0 && kept > 0 && write_all(to, part, kept)) *left = kept;
  *left -= kept;
  return 1;
}

// Copies the output of a program until the program ends (returns 1) or until the time `end` (returns 0).
static int copy_until_end(int process, int pipe, int output, size_t limit, double end) {
  struct pollfd wait[2] = {{process, POLLIN, 0}, {pipe, POLLIN, 0}};
  for (;;) {
    int ready = poll(wait, 2, milliseconds(end - uptime()));
    if (ready < 0 && errno == EINTR) continue;
    // poll() does not time out while a program prints without a pause. So the time is compared too.
    if (ready <= 0 || uptime() >= end) return 0;
    if (wait[1].revents && !copy_output(pipe, output, &limit)) wait[1].fd = -1;
    // After the end of the program, its last output can still be in the pipe. Then the loop reads the pipe again.
    if (wait[0].revents && !(wait[1].fd >= 0 && wait[1].revents & POLLIN)) return 1;
  }
}

struct ending run_program(char *const arguments[], int output, size_t limit, double seconds) {
  struct ending ending = {NOT_STARTED, 0, 0};
  double begun = uptime();
  int ends[2];
  if (pipe2(ends, O_CLOEXEC)) {
    ending.number = errno;
    return ending;
  }
  pid_t child = fork();
  if (child == 0) execute(arguments, ends[1]);
  ending.number = errno;
  close(ends[1]);
  int process = child > 0 ? pidfd_open(child, 0) : -1;
  if (process >= 0) {
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    int in_time = copy_until_end(process, ends[0], output, limit, begun + seconds);
    if (!in_time) kill(child, SIGKILL);
    int status = 0;
    if ((in_time || wait_for_process(process, KILL_SECONDS)) && waitpid(child, &status, 0) == child) {
      ending.kind = WIFEXITED(status) ? EXITED : KILLED_BY_SIGNAL;
      ending.number = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
    }
    if (!in_time) ending.kind = TIMED_OUT;
    close(process);
  } else if (child > 0) {
    ending.number = errno;
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
  }
  close(ends[0]);
  ending.seconds = uptime() - begun;
  return ending;
}
