#define _GNU_SOURCE
#include "redact.h"

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "bonds.h"

// Replaces a name, or a sentence that can contain names.
#define HIDDEN '*'
// An address has this number of pairs of hexadecimal digits.
#define PAIRS 6
// A longer line is divided. A line of journald has at most 48 KiB.
#define LINE_LIMIT (64 << 10)
// Maximum number of devices with their own label. Further devices have the label `[device]`.
#define DEVICES 99
// A label is not longer than the address that it replaces.
#define LABEL_SIZE (ADDRESS_SIZE + 1)

// The beginnings of events whose sentences can name a phone. docs/log.md lists all events.
static const char *const naming[] = {"bluetooth.", "phone.", "keys.", "input.", "command"};
// Exceptions: the beginnings of events whose sentences name no phone.
static const char *const nameless[] = {
    "bluetooth.bus-lost: ", "bluetooth.service-", "bluetooth.adapter-", "bluetooth.not-set: ",
    "bluetooth.agent-refused: ", "bluetooth.pairing-opened: ", "bluetooth.pairing-closed: ",
    "bluetooth.discovery-failed: ", "bluetooth.player-re", "phone.endpoint-refused: ", "keys.failed: "};

struct devices {
  int bonds;
  struct {
    char address[ADDRESS_SIZE];
    char label[LABEL_SIZE];
  } known[DEVICES];
  int count;
  // Number of known devices that have no bond.
  unsigned char strangers;
};

static int begins(const char *text, size_t size, const char *const *beginnings, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strlen(beginnings[i]) <= size && memcmp(text, beginnings[i], strlen(beginnings[i])) == 0) return 1;
  return 0;
}

// Returns the position after the first `wanted` in a line, or NULL.
static const char *after(const char *line, const char *end, const char *wanted) {
  const char *found = line ? memmem(line, (size_t)(end - line), wanted, strlen(wanted)) : NULL;
  return found ? found + strlen(wanted) : NULL;
}

// Returns the position of the last `wanted` in a line, or NULL.
static const char *last(const char *line, const char *end, const char *wanted) {
  const char *found = NULL;
  for (const char *next = line; (next = after(next, end, wanted));) found = next - strlen(wanted);
  return found;
}

// Finds the part of a line that can contain names, from `*from` to `*to`. In lines of the kernel about the input
// devices that bluetoothd has made, this part is the name:
//
//   input: NAME as /devices/virtual/input/input7
//   hid-generic 0005:…: input,hidraw0: BLUETOOTH HID v1.00 Keyboard [NAME] on 00:1B:DC:00:00:01
//
// In lines of our programs, this part is the sentence after the event. Some programs write their own name before the
// event:
//
//   autoharp-screen[282]: autoharp-screen: input.added: NAME
static int find_hidden(const char *line, const char *end, const char **from, const char **to) {
  *from = after(line, end, "input: ");
  if (*from && (*to = last(*from, end, " as /devices/virtual/"))) return 1;
  *from = after(after(line, end, "BLUETOOTH HID "), end, "[");
  if (*from && (*to = last(*from, end, "]"))) return 1;
  const char *event = after(line, end, "]: ");
  if (event && begins(event, (size_t)(end - event), (const char *const[]){"autoharp"}, 1)) {
    const char *program = event;
    while (event < end && (islower((unsigned char)*event) || *event == '-')) event++;
    event = end - event > 2 && event[0] == ':' && event[1] == ' ' ? event + 2 : program;
  }
  size_t size = event ? (size_t)(end - event) : 0;
  if (!event || !begins(event, size, naming, sizeof naming / sizeof *naming)
      || begins(event, size, nameless, sizeof nameless / sizeof *nameless))
    return 0;
  *from = after(event, end, ": ");
  *to = end;
  return *from != NULL;
}

// Returns the number of bytes of an address at `at`, or 0. At the beginning of a line, the beginning of the address can
// be cut off. bluetoothd's paths have `_` between the pairs.
static size_t address_at(const char *line, const char *end, const char *at) {
  if (at > line && isxdigit((unsigned char)at[-1])) return 0;
  const char *next = at;
  int pairs = 0;
  for (char separator = 0; pairs < PAIRS; pairs++) {
    if (pairs > 0) {
      if (next >= end || (*next != ':' && *next != '_') || (separator && *next != separator)) break;
      separator = *next++;
    }
    if (end - next < 2 || !isxdigit((unsigned char)next[0]) || !isxdigit((unsigned char)next[1])) break;
    next += 2;
  }
  if (next < end && isxdigit((unsigned char)*next)) return 0;
  return pairs == PAIRS || (at == line && pairs >= 4) ? (size_t)(next - at) : 0;
}

// Returns the label that replaces the address of a device.
static const char *label_of(struct devices *devices, const char *address, size_t size) {
  char plain[ADDRESS_SIZE];
  if (size != sizeof plain) return "[device]";
  for (size_t i = 0; i < sizeof plain; i++) plain[i] = address[i] == '_' ? ':' : (char)toupper((unsigned char)address[i]);
  for (int i = 0; i < devices->count; i++)
    if (memcmp(devices->known[i].address, plain, sizeof plain) == 0) return devices->known[i].label;
  if (devices->count == DEVICES) return "[device]";
  char *label = devices->known[devices->count].label;
  memcpy(devices->known[devices->count++].address, plain, sizeof plain);
  uint32_t code;
  if (bond_code(devices->bonds, plain, &code) == 0) {
    snprintf(label, LABEL_SIZE, "[phone %06X]", code);
  } else {
    snprintf(label, LABEL_SIZE, "[device %d]", ++devices->strangers);
  }
  return label;
}

// Copies a line without names and addresses. The copy has at most two bytes more. Returns its size.
static size_t copy_line(char *copy, const char *line, const char *end, struct devices *devices) {
  const char *from = NULL, *until = NULL;
  if (!find_hidden(line, end, &from, &until)) from = until = NULL;
  char *to = copy;
  for (const char *at = line; at < end;) {
    int is_hidden = from && at >= from && at < until;
    size_t size = address_at(line, end, at);
    if (is_hidden && at == from) *to++ = HIDDEN;
    if (size == 0) {
      if (!is_hidden) *to++ = *at;
      at++;
      continue;
    }
    if (is_hidden) *to++ = ' ';
    to = stpcpy(to, label_of(devices, at, size));
    at += size;
  }
  return (size_t)(to - copy);
}

size_t redact(char *text, size_t size, int bonds) {
  static struct devices devices;
  static char line[LINE_LIMIT], copy[LINE_LIMIT + 2];
  devices.bonds = bonds;
  devices.count = devices.strangers = 0;
  char *to = text;
  for (size_t at = 0; at < size;) {
    size_t left = size - at, length = left < LINE_LIMIT ? left : LINE_LIMIT;
    char *newline = memchr(text + at, '\n', length);
    if (newline) length = (size_t)(newline - (text + at));
    memcpy(line, text + at, length);
    size_t copied = copy_line(copy, line, line + length, &devices);
    if (copied > length) copied = length;
    memcpy(to, copy, copied);
    to += copied;
    at += length;
    if (newline) *to++ = text[at++];
  }
  return (size_t)(to - text);
}
