// Switches the power supply of the unit off, by making the GPIO line that holds the supply inactive. systemd runs this
// program at the end of a shutdown, when no other process is left and the file systems are unmounted. The argument says
// what follows the shutdown: poweroff, halt, reboot or kexec.
//
// The daemon has written up to two files in /run/autoharp, each with one GPIO line:
//
//   power-hold      the line that holds the supply
//   ignition        the line of the ignition, if the unit powers down because the ignition is off
//
// A file contains `CHIP NUMBER`, and then `active-low`, `pull-up` or `pull-down`, as in `gpiochip0 17 active-low`. The
// daemon can use all GPIO lines itself, so the files give it no further right. If the ignition is on again, the unit
// restarts: otherwise the unit would stay off until the ignition is switched off and on once more.

#define _GNU_SOURCE
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "../../Sources/CLibraries/CGPIO/shim.h"
#include "files.h"

#define CONSUMER "autoharp-release"
// The ignition counts as on if it is on at all readings during 50 ms, because the contacts of relays bounce.
#define READINGS 11
#define READING_MICROSECONDS 5000

struct line {
  char chip[16];
  unsigned number;
  bool is_active_low;
  int pull;
};

// The journal has stopped, so the kernel's log gets the message.
__attribute__((format(printf, 1, 2))) static void tell(const char *format, ...) {
  char text[200];
  int length = snprintf(text, sizeof text, "<5>release-power: ");
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(text + length, sizeof text - (size_t)length, format, arguments);
  va_end(arguments);
  fprintf(stderr, "%s\n", text + 3);
  int log = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
  if (log >= 0) write_all(log, text, strnlen(text, sizeof text));
  if (log >= 0) close(log);
}

// Reads at most six digits. Returns -1 if the text is not a number.
static long number_of(const char *text) {
  size_t count = strspn(text, "0123456789");
  return count > 0 && count <= 6 && !text[count] ? atol(text) : -1;
}

// Reads the GPIO line from a file. Returns 0, 1 if there is no file, or -1 if its content is wrong.
static int read_line(int folder, const char *name, struct line *line) {
  char text[64];
  ssize_t size = folder < 0 ? -1 : read_small(folder, name, text, sizeof text);
  if (size < 0) return 1;
  memset(line, 0, sizeof *line);
  char *rest = NULL, *chip = strtok_r(text, " \n", &rest), *number = strtok_r(NULL, " \n", &rest);
  if (!chip || !number || strncmp(chip, "gpiochip", 8) || number_of(chip + 8) < 0 || number_of(number) < 0) return -1;
  snprintf(line->chip, sizeof line->chip, "%s", chip);
  line->number = (unsigned)number_of(number);
  for (char *word; (word = strtok_r(NULL, " \n", &rest));) {
    if (strcmp(word, "active-low") == 0) line->is_active_low = true;
    else if (strcmp(word, "pull-up") == 0) line->pull = 1;
    else if (strcmp(word, "pull-down") == 0) line->pull = -1;
    else return -1;
  }
  return 0;
}

// Requests a GPIO line. Returns its descriptor, or -1.
static int request(const struct line *line, struct gpio_v2_line_request wanted) {
  char path[32];
  snprintf(path, sizeof path, "/dev/%s", line->chip);
  int chip = open(path, O_RDWR | O_NOFOLLOW | O_CLOEXEC);
  int status = chip < 0 ? -errno : cgpio_request(chip, &wanted);
  if (chip >= 0) close(chip);
  if (status) tell("%s %u: %s", line->chip, line->number, strerror(-status));
  return status ? -1 : wanted.fd;
}

static bool is_ignition_on(int folder) {
  struct line line;
  int found = read_line(folder, "ignition", &line);
  if (found < 0) tell("the file 'ignition' is wrong");
  if (found) return false;
  int input = request(&line, cgpio_level(line.number, CONSUMER, line.is_active_low, line.pull));
  if (input < 0) return false;
  for (int reading = 0; reading < READINGS; reading++) {
    bool is_active = false;
    if (cgpio_get(input, &is_active) || !is_active) return false;
    usleep(READING_MICROSECONDS);
  }
  return true;
}

static int release_hold(int folder) {
  struct line line;
  int found = read_line(folder, "power-hold", &line);
  if (found < 0) tell("the file 'power-hold' is wrong");
  if (found) return found < 0;
  // When this program ends, the kernel releases the GPIO line. Some drivers then make the line an input. On such
  // boards, a resistor must keep the line inactive.
  if (request(&line, cgpio_output(line.number, CONSUMER, line.is_active_low, false)) < 0) return 1;
  tell("%s %u is inactive", line.chip, line.number);
  return 0;
}

int main(int count, char **arguments) {
  const char *run = count == 4 && strcmp(arguments[2], "--run") == 0 ? arguments[3] : "/run";
  if (count != 2 && run != arguments[3]) {
    fprintf(stderr, "usage: release-power poweroff|halt|reboot|kexec [--run FOLDER]\n");
    return 2;
  }
  // At a restart (reboot, kexec), the supply must stay on.
  if (strcmp(arguments[1], "poweroff") && strcmp(arguments[1], "halt")) return 0;
  int parent = open(run, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  int folder = parent < 0 ? -1 : open_folder(parent, "autoharp");
  if (is_ignition_on(folder)) {
    tell("the ignition is on again; the unit restarts");
    sync();
    return reboot(RB_AUTOBOOT) ? 1 : 0;
  }
  return release_hold(folder);
}
