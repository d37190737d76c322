// Sets the time of day when the daemon requests it, because the daemon has no right to do this.
//
// set-clock.socket starts the program with the connection as its input and output. The program reads one line, `set
// SECONDS`, with the seconds since 1970. It writes one line with a kind, an identifier and a text. The kinds:
//
//   done       the time is set
//   refused    the time was not changed
//   failed     the time was not changed, because a system call has failed
//
// Only the user of the daemon can connect, so the program does not check the client. The clock chip gets the time, too.
// The file /run/clock/set exists if a person has set the time since the start of the machine.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/rtc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "files.h"
#include "request.h"

// The beginnings of 2025 and of 2100.
#define EARLIEST 1735689600LL
#define LATEST 4102444800LL

// Returns the seconds of a request; 0 if the request is not known.
static long long seconds_of(const char *request) {
  if (strncmp(request, "set ", 4)) return 0;
  const char *digits = request + 4;
  size_t count = strspn(digits, "0123456789");
  return count > 0 && count <= 12 && !digits[count] ? atoll(digits) : 0;
}

// Returns 1 if the clock is synchronised with the network. This call of adjtimex changes nothing.
static int is_kept(void) {
  struct timex status = {0};
  int state = adjtimex(&status);
  return state >= 0 && state != TIME_ERROR;
}

// Sets the first clock chip, if there is one. Without a chip, the time is lost when the power is cut.
static void set_chip(time_t seconds) {
  int chip = open("/dev/rtc0", O_RDONLY | O_CLOEXEC);
  if (chip < 0) return;
  struct tm parts;
  gmtime_r(&seconds, &parts);
  struct rtc_time time = {.tm_sec = parts.tm_sec, .tm_min = parts.tm_min, .tm_hour = parts.tm_hour,
                          .tm_mday = parts.tm_mday, .tm_mon = parts.tm_mon, .tm_year = parts.tm_year};
  if (ioctl(chip, RTC_SET_TIME, &time)) fprintf(stderr, "set-clock.chip: /dev/rtc0: %s\n", strerror(errno));
  close(chip);
}

// Notes that a person has set the time. The unit file makes the folder.
static void note(void) {
  int run = open("/run", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  int folder = run < 0 ? -1 : open_folder(run, "clock");
  if (folder < 0 || replace_file(folder, "set", 0644, "person\n", 7))
    fprintf(stderr, "set-clock.not-noted: /run/clock/set: %s\n", strerror(errno));
}

int main(void) {
  char request[32];
  if (read_request(request, sizeof request)) return reply("refused incomplete", "The request did not arrive completely.");
  long long seconds = seconds_of(request);
  if (!seconds) return reply("refused unknown", "The request is not known.");
  if (seconds < EARLIEST || seconds >= LATEST) return reply("refused implausible", "The time is not plausible.");
  if (is_kept()) return reply("refused kept", "The network keeps the time.");
  struct timespec time = {.tv_sec = (time_t)seconds};
  if (clock_settime(CLOCK_REALTIME, &time)) return reply("failed system", "%s", strerror(errno));
  set_chip((time_t)seconds);
  note();
  return reply("done set", "The time is set.");
}
