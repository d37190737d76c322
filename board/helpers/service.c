// Lists the systemd units of the image, and restarts one of them, when the daemon or the console requests it. systemctl
// talks to systemd itself and not to the bus, so the program also works if the bus does not run.
//
// service-control.socket starts the program with the connection as its input and output. The program reads one line:
//
//   list           writes the properties of each unit, one `NAME=VALUE` in a line, with an empty line between units.
//                  `ProcessState=T` belongs to a unit whose main process is stopped by a signal.
//   restart UNIT   restarts a unit of `restartable`, and writes one line with a kind, an identifier and a text
//
// The kinds:
//
//   done       the unit runs, or has done its work
//   refused    nothing was changed
//   failed     the unit does not run, or systemd does not answer. After `failed`, `list` has no units.
//
// Only members of the group `service` can connect, so the program does not check the client.

#define _GNU_SOURCE
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "files.h"
#include "program.h"
#include "request.h"

// Only tests use another program.
#ifndef SYSTEMCTL
#define SYSTEMCTL "/usr/bin/systemctl"
#endif
#define LIST_LIMIT (128 << 10)
#define LIST_SECONDS 5.0
#define UNIT_LIMIT 512
#define RESTART_SECONDS 10.0
#define STATE_SECONDS 3.0
#define NAME_LIMIT 64

// A restart of these units harms nothing: at most the music pauses, or a screen is dark, for a moment. A name that ends
// with `@` stands for all instances of a template.
static const char *const restartable[] = {
    "autoharp.service", "autoharp-screen.service", "autoharp-library.service", "bluetooth.service", "dbus.service",
    "systemd-udevd.service", "systemd-udev-trigger.service", "late-modules.service", "display-modules.service",
    "radio-address.service", "grow-data.service", "btattach@", "stick@",
};

// --- systemctl ----------------------------------------------------------------------------------

// Runs systemctl. Returns 0 if it has ended with status 0 in time, 1 if it has ended with another status, 2 if it has
// not ended in time, or -1 if it could not run. `text` gets the beginning of its output.
static int systemctl(char *const arguments[], char *text, size_t size, double seconds) {
  int output = memfd_create("systemctl", MFD_CLOEXEC);
  struct ending ending = run_program(arguments, output, size - 1, seconds);
  ssize_t got = output < 0 ? -1 : pread(output, text, size - 1, 0);
  text[got > 0 ? got : 0] = 0;
  if (output >= 0) close(output);
  if (ending.kind == TIMED_OUT) return 2;
  if (ending.kind != EXITED || ending.number == 127) return -1;
  return ending.number != 0;
}

// --- list ---------------------------------------------------------------------------------------

// Returns the text after the first `KEY=` at the start of a line. `key` is `\nKEY=`. Returns "" if there is none.
static const char *value_of(const char *block, const char *key) {
  size_t size = strlen(key);
  if (strncmp(block, key + 1, size - 1) == 0) return block + size - 1;
  const char *line = strstr(block, key);
  return line ? line + size : "";
}

static int is_same_line(const char *one, const char *other) {
  size_t size = strcspn(one, "\n");
  return size == strcspn(other, "\n") && strncmp(one, other, size) == 0;
}

// Returns true if the main process of a unit is stopped by a signal. The state follows the name of the program, which is
// in brackets and can contain any character.
static int is_halted(const char *block) {
  int pid = atoi(value_of(block, "\nMainPID="));
  char path[32], text[256];
  if (pid <= 0) return 0;
  snprintf(path, sizeof path, "/proc/%d/stat", pid);
  if (read_small(AT_FDCWD, path, text, sizeof text) <= 0) return 0;
  const char *end = strrchr(text, ')');
  return end && end[1] == ' ' && end[2] == 'T';
}

// Writes each unit once: a unit that is loaded and has a fixed name is twice in the output of systemctl.
static void write_units(char *text) {
  static const char *written[UNIT_LIMIT];
  size_t count = 0;
  for (char *block = text; *block && count < UNIT_LIMIT;) {
    char *end = strstr(block, "\n\n");
    if (!end && strlen(text) >= LIST_LIMIT - 1) return;  // The last unit is cut off.
    if (end) end[1] = 0;
    const char *id = value_of(block, "\nId=");
    size_t index = 0;
    while (index < count && !is_same_line(written[index], id)) index++;
    if (index == count && *id) {
      written[count] = id;
      printf("%s%s%s", count++ ? "\n" : "", block, is_halted(block) ? "ProcessState=T\n" : "");
    }
    if (!end) break;
    block = end + 2;
  }
  fflush(stdout);
}

static int list(void) {
  static char text[LIST_LIMIT];
  // The patterns match only units that systemd has loaded. The other names are listed also if they are not loaded.
  static char *const arguments[] = {
      SYSTEMCTL, "show", "--no-pager",
      "--property=Id,LoadState,ActiveState,SubState,Result,ConditionResult,NRestarts,MainPID,ExecMainCode,ExecMainStatus,"
      "StateChangeTimestampMonotonic",
      "--", "*.service", "*.socket", "*.path", "autoharp.service", "autoharp-screen.service",
      "autoharp-library.service", "autoharp-library.path", "bluetooth.service", "console-poweroff.path",
      "console-reboot.path", "data.service", "data-format.socket", "dbus.service", "dbus.socket",
      "display-modules.service", "free-space.socket", "grow-data.service", "keep-crash.service",
      "late-modules.service", "radio-address.service", "restore-clock.service", "service-control.socket",
      "set-clock.socket", "stick-report.socket", "systemd-journald.service", "systemd-journald.socket",
      "systemd-journald-dev-log.socket", "systemd-udev-trigger.service", "systemd-udevd.service",
      "systemd-udevd-control.socket", "systemd-udevd-kernel.socket", "media.mount", "tmp.mount", "autoharp.target", "late.target", NULL};
  int status = systemctl(arguments, text, sizeof text, LIST_SECONDS);
  if (status == 2) return reply("failed timeout", "systemd does not answer.");
  if (status < 0 || !text[0]) return reply("failed systemctl", "systemctl cannot run.");
  write_units(text);
  return 0;
}

// --- restart ------------------------------------------------------------------------------------

static int is_instance(const char *instance) {
  size_t size = strspn(instance, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
  return size > 0 && size <= 32 && strcmp(instance + size, ".service") == 0;
}

static int is_restartable(const char *unit) {
  for (size_t i = 0; i < sizeof restartable / sizeof *restartable; i++) {
    const char *name = restartable[i];
    size_t size = strlen(name);
    if (name[size - 1] == '@' ? strncmp(unit, name, size) == 0 && is_instance(unit + size) : !strcmp(unit, name))
      return 1;
  }
  return 0;
}

// Returns 1 if the unit is a stick, and its disk or partition is plugged in and is not a part of the unit's own disk.
// Any other unit needs no device, and for it the result is 1 too.
static int has_device(const char *unit) {
  if (strncmp(unit, "stick@", 6)) return 1;
  char path[100], text[1024];
  snprintf(path, sizeof path, "/sys/class/block/%.*s/uevent", (int)strcspn(unit + 6, "."), unit + 6);
  return read_small(AT_FDCWD, path, text, sizeof text) > 0 && !strstr(text, "\nPARTNAME=autoharp-");
}

// Replaces the text by its first line, without control characters.
static void keep_first_line(char *text) {
  text[strcspn(text, "\n")] = 0;
  for (char *at = text; *at; at++)
    if (iscntrl((unsigned char)*at)) *at = ' ';
}

static int restart(char *unit) {
  char state[512], text[512];
  if (!is_restartable(unit)) return reply("refused not-restartable", "This unit cannot be restarted here.");
  if (!has_device(unit)) return reply("refused absent", "%s: its device is not there.", unit);
  char *const show[] = {SYSTEMCTL, "show", "--property=LoadState,ActiveState,ConditionResult", "--", unit, NULL};
  int status = systemctl(show, state, sizeof state, STATE_SECONDS);
  if (status) return reply("failed systemctl", "systemd does not answer.");
  if (strstr(state, "LoadState=masked")) return reply("refused masked", "%s is masked, so it cannot start.", unit);
  if (!strstr(state, "LoadState=loaded")) return reply("refused not-found", "%s cannot be loaded.", unit);
  // A unit that has failed too often starts again only after this command. It fails if nothing has failed.
  char *const reset[] = {SYSTEMCTL, "reset-failed", "--", unit, NULL};
  if (strstr(state, "ActiveState=failed")) systemctl(reset, text, sizeof text, STATE_SECONDS);
  char *const start[] = {SYSTEMCTL, "restart", "--no-ask-password", "--", unit, NULL};
  status = systemctl(start, text, sizeof text, RESTART_SECONDS);
  if (status < 0) return reply("failed systemctl", "systemctl cannot run.");
  if (status == 2)
    return reply("failed timeout", "%s has not started within %.0f s; systemd continues.", unit, RESTART_SECONDS);
  keep_first_line(text);
  // "Job for UNIT failed because …" says less than the log of the unit.
  if (status == 1 && (!text[0] || !strncmp(text, "Job for ", 8)))
    return reply("failed start", "%s does not start; 'service log %s' shows why.", unit, unit);
  if (status == 1) return reply("failed start", "%s", text);
  if (systemctl(show, state, sizeof state, STATE_SECONDS) == 0 && strstr(state, "ConditionResult=no"))
    return reply("refused condition", "%s does not run on this unit: a condition of its unit file is not met.", unit);
  return reply("done restarted", "%s was restarted.", unit);
}

int main(void) {
  char request[NAME_LIMIT + sizeof "restart "];
  if (read_request(request, sizeof request)) return reply("refused incomplete", "The request did not arrive completely.");
  if (strcmp(request, "list") == 0) return list();
  if (strncmp(request, "restart ", 8) == 0) return restart(request + 8);
  return reply("refused unknown", "The request is not known.");
}
