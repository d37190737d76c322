// The parts of version 2 of Linux' GPIO character device that Swift does not import: `ioctl` is
// variadic, its numbers are macros with casts, and arrays in structs are imported as tuples.
//
// Each function that calls the kernel returns 0 or a negative error number.
#pragma once
#include <errno.h>
#include <linux/gpio.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

static inline int cgpio_call(int file, unsigned long request, void *argument) {
  int status;
  do status = ioctl(file, request, argument);
  while (status < 0 && errno == EINTR);
  return status < 0 ? -errno : 0;
}

static inline struct gpio_v2_line_request cgpio_line(uint32_t offset, const char *consumer,
                                                     bool active_low) {
  struct gpio_v2_line_request request;
  memset(&request, 0, sizeof request);
  request.num_lines = 1;
  request.offsets[0] = offset;
  strncpy(request.consumer, consumer, sizeof request.consumer - 1);
  if (active_low) request.config.flags = GPIO_V2_LINE_FLAG_ACTIVE_LOW;
  request.config.num_attrs = 1;
  request.config.attrs[0].mask = 1;
  return request;
}

// A request for one line as an output. The line has the state `active` from the moment of the
// request. The kernel handles active low itself, so 1 always means active.
static inline struct gpio_v2_line_request cgpio_output(uint32_t offset, const char *consumer,
                                                       bool active_low, bool active) {
  struct gpio_v2_line_request request = cgpio_line(offset, consumer, active_low);
  request.config.flags |= GPIO_V2_LINE_FLAG_OUTPUT;
  request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES;
  request.config.attrs[0].attr.values = active ? 1 : 0;
  return request;
}

// The flags of an input that reports both edges. `pull` is 1 for a resistor to the supply, -1 for a
// resistor to ground, and 0 for none.
static inline uint64_t cgpio_input_flags(bool active_low, int pull) {
  return GPIO_V2_LINE_FLAG_INPUT | GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING |
         (active_low ? GPIO_V2_LINE_FLAG_ACTIVE_LOW : 0) |
         (pull > 0 ? GPIO_V2_LINE_FLAG_BIAS_PULL_UP : 0) |
         (pull < 0 ? GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN : 0);
}

// A request for one line as an input. Each change that lasts at least `settle` microseconds is
// reported. Shorter changes are ignored, because the contacts of a switch bounce. The event buffer
// is small, because the events only show that there was a change.
static inline struct gpio_v2_line_request cgpio_input(uint32_t offset, const char *consumer,
                                                      bool active_low, int pull, uint32_t settle) {
  struct gpio_v2_line_request request = cgpio_line(offset, consumer, active_low);
  request.config.flags = cgpio_input_flags(active_low, pull);
  request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_DEBOUNCE;
  request.config.attrs[0].attr.debounce_period_us = settle;
  request.event_buffer_size = 16;
  return request;
}

// A request for one line as an input whose level is read, without events and debouncing.
static inline struct gpio_v2_line_request cgpio_level(uint32_t offset, const char *consumer,
                                                      bool active_low, int pull) {
  struct gpio_v2_line_request request = cgpio_line(offset, consumer, active_low);
  memset(&request.config, 0, sizeof request.config);
  request.config.flags = cgpio_input_flags(active_low, pull) &
                         ~(uint64_t)(GPIO_V2_LINE_FLAG_EDGE_RISING | GPIO_V2_LINE_FLAG_EDGE_FALLING);
  return request;
}

// A request for two lines whose edges are reported in the order in which they occur, without
// debouncing. The event buffer has room for the edges of one second of the fastest turning of a
// knob.
static inline struct gpio_v2_line_request cgpio_pair(uint32_t first, uint64_t first_flags,
                                                     uint32_t second, uint64_t second_flags,
                                                     const char *consumer) {
  struct gpio_v2_line_request request = cgpio_line(first, consumer, false);
  request.num_lines = 2;
  request.offsets[1] = second;
  request.config.flags = first_flags;
  request.config.attrs[0].mask = 2;
  request.config.attrs[0].attr.id = GPIO_V2_LINE_ATTR_ID_FLAGS;
  request.config.attrs[0].attr.flags = second_flags;
  request.event_buffer_size = 1024;
  return request;
}

// After success `request.fd` is the descriptor of the line. The process owns the line until it
// closes this descriptor.
static inline int cgpio_request(int chip, struct gpio_v2_line_request *request) {
  return cgpio_call(chip, GPIO_V2_GET_LINE_IOCTL, request);
}

static inline int cgpio_set(int line, bool active) {
  struct gpio_v2_line_values values;
  memset(&values, 0, sizeof values);
  values.mask = 1;
  values.bits = active ? 1 : 0;
  return cgpio_call(line, GPIO_V2_LINE_SET_VALUES_IOCTL, &values);
}

// Reads the levels of the lines of a request. Bit 0 belongs to the first line.
static inline int cgpio_get_lines(int lines, uint64_t mask, uint64_t *active) {
  struct gpio_v2_line_values values;
  memset(&values, 0, sizeof values);
  values.mask = mask;
  int status = cgpio_call(lines, GPIO_V2_LINE_GET_VALUES_IOCTL, &values);
  *active = values.bits & mask;
  return status;
}

static inline int cgpio_get(int line, bool *active) {
  uint64_t levels;
  int status = cgpio_get_lines(line, 1, &levels);
  *active = levels;
  return status;
}

static inline int cgpio_count_lines(int chip, uint32_t *lines) {
  struct gpiochip_info info;
  memset(&info, 0, sizeof info);
  int status = cgpio_call(chip, GPIO_GET_CHIPINFO_IOCTL, &info);
  *lines = info.lines;
  return status;
}

// Reads the name and the consumer of a line. Each text has GPIO_MAX_NAME_SIZE bytes and ends with
// NUL. A missing text is empty.
static inline int cgpio_describe(int chip, uint32_t offset, char *name, char *consumer) {
  struct gpio_v2_line_info info;
  memset(&info, 0, sizeof info);
  info.offset = offset;
  int status = cgpio_call(chip, GPIO_V2_GET_LINEINFO_IOCTL, &info);
  memcpy(name, info.name, sizeof info.name);
  memcpy(consumer, info.consumer, sizeof info.consumer);
  name[sizeof info.name - 1] = consumer[sizeof info.consumer - 1] = 0;
  return status;
}
