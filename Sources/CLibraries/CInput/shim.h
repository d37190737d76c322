// The parts of Linux' event devices that Swift does not import: `ioctl` is variadic, and its
// numbers are macros with casts and sizes.
//
// Each function that calls the kernel returns 0 or more, or a negative error number.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <linux/uinput.h>
#include <stdint.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

// pipe2 is declared only under _GNU_SOURCE.
int pipe2(int *, int);

// Creates a pipe for events that the program itself generates. Neither end blocks. Programs that
// this process starts do not inherit the pipe.
static inline int cinput_pipe(int *ends) { return pipe2(ends, O_CLOEXEC | O_NONBLOCK); }

static inline int cinput_call(int file, unsigned long request, void *argument) {
  int status;
  do status = ioctl(file, request, argument);
  while (status < 0 && errno == EINTR);
  return status < 0 ? -errno : status;
}

// The texts that the next three functions read always end with NUL, even if the kernel's text is
// longer than `size`.
static inline int cinput_name(int file, char *text, unsigned size) {
  memset(text, 0, size);
  return cinput_call(file, EVIOCGNAME(size - 1), text);
}

static inline int cinput_phys(int file, char *text, unsigned size) {
  memset(text, 0, size);
  return cinput_call(file, EVIOCGPHYS(size - 1), text);
}

static inline int cinput_uniq(int file, char *text, unsigned size) {
  memset(text, 0, size);
  return cinput_call(file, EVIOCGUNIQ(size - 1), text);
}

static inline int cinput_id(int file, struct input_id *id) {
  return cinput_call(file, EVIOCGID, id);
}

// Reads the codes of `type` that the device has. If `type` is 0, reads the types that the device
// has.
static inline int cinput_bits(int file, unsigned type, uint8_t *bits, unsigned size) {
  memset(bits, 0, size);
  return cinput_call(file, EVIOCGBIT(type, size), bits);
}

// Reads which keys are pressed now.
static inline int cinput_down(int file, uint8_t *bits, unsigned size) {
  memset(bits, 0, size);
  return cinput_call(file, EVIOCGKEY(size), bits);
}

// After this call, the times of events are from CLOCK_MONOTONIC. The kernel drops the waiting
// events and reports this with SYN_DROPPED.
static inline int cinput_stamp_monotonic(int file) {
  int clock = CLOCK_MONOTONIC;
  return cinput_call(file, EVIOCSCLOCKID, &clock);
}

// After this call, the kernel delivers only those codes of `type` that are in `bits`, so other
// codes do not wake the process (since Linux 4.4).
static inline int cinput_mask(int file, unsigned type, const uint8_t *bits, unsigned size) {
  struct input_mask mask = {type, size, (uint64_t)(uintptr_t)bits};
  return cinput_call(file, EVIOCSMASK, &mask);
}

static inline int64_t cinput_seconds(const struct input_event *event) {
  return (int64_t)event->input_event_sec;
}

static inline int64_t cinput_microseconds(const struct input_event *event) {
  return (int64_t)event->input_event_usec;
}

// --- for tests: a device that the kernel simulates ----------------------------------------------

// Creates a device. The device exists until its descriptor is closed.
static inline int cinput_make_device(const char *name, const char *phys, uint16_t bus,
                                     const uint16_t *keys, unsigned count, const uint16_t *axes,
                                     unsigned axis_count) {
  int file = open("/dev/uinput", O_WRONLY | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return -errno;
  struct uinput_setup setup;
  memset(&setup, 0, sizeof setup);
  setup.id.bustype = bus;
  strncpy(setup.name, name, sizeof setup.name - 1);
  int failed = 0;
  if (count) failed |= ioctl(file, UI_SET_EVBIT, EV_KEY) < 0;
  for (unsigned i = 0; i < count; i++) failed |= ioctl(file, UI_SET_KEYBIT, (int)keys[i]) < 0;
  if (axis_count) failed |= ioctl(file, UI_SET_EVBIT, EV_REL) < 0;
  for (unsigned i = 0; i < axis_count; i++) failed |= ioctl(file, UI_SET_RELBIT, (int)axes[i]) < 0;
  failed |= ioctl(file, UI_SET_PHYS, phys) < 0;
  failed |= ioctl(file, UI_DEV_SETUP, &setup) < 0;
  failed |= ioctl(file, UI_DEV_CREATE) < 0;
  if (!failed) return file;
  int error = errno;
  close(file);
  return -error;
}

static inline int cinput_send(int file, uint16_t type, uint16_t code, int32_t value) {
  struct input_event event;
  memset(&event, 0, sizeof event);
  event.type = type;
  event.code = code;
  event.value = value;
  ssize_t done = write(file, &event, sizeof event);
  return done < 0 ? -errno : 0;
}
