// Sets the Bluetooth address of a controller that has no address of its own, such as the chip on a Raspberry Pi.
// Usually the firmware of the board writes an address into the device tree, and the kernel uses this address. Otherwise
// the kernel reports the controller as not configured. Then this program derives the address from the serial number of
// the board, as Raspberry Pi OS does.
//
// late.target starts the program. The program waits at most WAIT_SECONDS for a controller without an address.
//
//   radio-address

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "files.h"
#include "program.h"

#define SERIAL_NUMBER "/proc/device-tree/serial-number"
// The controller appears late, because the kernel module for its serial line is loaded late, and the kernel first sends
// the firmware to the chip.
#define WAIT_SECONDS 120.0
#define ANSWER_SECONDS 10.0

// The management interface of the kernel (include/net/bluetooth/mgmt.h). All numbers are little-endian.
#define BTPROTO_HCI 1
#define CHANNEL_CONTROL 3
#define NO_CONTROLLER 0xFFFF
#define COMMAND_COMPLETE 0x0001
#define COMMAND_STATUS 0x0002
#define UNCONFIGURED_ADDED 0x001D
#define READ_UNCONFIGURED 0x0036
#define READ_CONFIGURATION 0x0037
#define SET_PUBLIC_ADDRESS 0x0039
#define MISSES_PUBLIC_ADDRESS 0x00000002

struct address {
  sa_family_t family;
  uint16_t device, channel;
};

struct message {
  uint16_t code, controller, length;
  uint8_t data[1024];
} __attribute__((packed));

static int control;
// Set when the kernel reports a controller without an address.
static int was_added;

static uint16_t number16(const uint8_t *bytes) { return (uint16_t)(bytes[0] | bytes[1] << 8); }

static int send_command(uint16_t code, uint16_t controller, const void *data, uint16_t length) {
  struct message message = {code, controller, length, {0}};
  if (length) memcpy(message.data, data, length);
  return write(control, &message, 6u + length) < 0 ? -1 : 0;
}

// Waits for the next message. Returns 0, or -1 if none arrives before `end`.
static int receive(struct message *message, double end) {
  struct pollfd wait = {control, POLLIN, 0};
  double left = end - uptime();
  if (left <= 0 || poll(&wait, 1, (int)(left * 1000) + 1) <= 0) return -1;
  ssize_t got = read(control, message, sizeof *message);
  if (got < 6 || message->length > got - 6) return -1;
  was_added |= message->code == UNCONFIGURED_ADDED;
  return 0;
}

// Waits for the answer to a command. In the answer, the data after the command code and the status begins at byte 3.
// Returns 0, or -1 if there is no answer or if the command has failed.
static int receive_answer(uint16_t command, struct message *message) {
  for (double end = uptime() + ANSWER_SECONDS; receive(message, end) == 0;) {
    if (message->code != COMMAND_COMPLETE && message->code != COMMAND_STATUS) continue;
    if (message->length < 3 || number16(message->data) != command) continue;
    return message->code == COMMAND_COMPLETE && message->data[2] == 0 ? 0 : -1;
  }
  return -1;
}

// Derives the address, with its lowest byte first: B8:27:EB, and the last three bytes of the serial number, each with
// half of its bits inverted. Returns 0, or -1 if the board has no serial number.
static int address_of_board(uint8_t address[6]) {
  char text[32];
  ssize_t size = read_small(AT_FDCWD, SERIAL_NUMBER, text, sizeof text);
  size_t digits = size < 0 ? 0 : strspn(text, "0123456789abcdefABCDEF");
  if (digits < 6 || digits > 16 || text[digits]) return -1;
  unsigned long number = strtoul(text + digits - 6, NULL, 16);
  if (number == 0) return -1;
  static const uint8_t maker[3] = {0xEB, 0x27, 0xB8};
  for (int i = 0; i < 3; i++) address[i] = (uint8_t)(number >> 8 * i) ^ 0xAA;
  memcpy(address + 3, maker, 3);
  return 0;
}

// Returns 1 if the controller got its address.
static int configure(uint16_t controller, const uint8_t address[6]) {
  struct message answer;
  if (send_command(READ_CONFIGURATION, controller, NULL, 0) || receive_answer(READ_CONFIGURATION, &answer)) return 0;
  // Manufacturer (2 bytes), options that can be set (4), options that are missing (4).
  if (answer.length < 13 || !(answer.data[9] & MISSES_PUBLIC_ADDRESS)) return 0;
  if (send_command(SET_PUBLIC_ADDRESS, controller, address, 6) || receive_answer(SET_PUBLIC_ADDRESS, &answer)) {
    printf("radio-address.refused: hci%u\n", controller);
    return 0;
  }
  printf("radio-address.set: hci%u %02X:%02X:%02X:%02X:%02X:%02X\n", controller, address[5], address[4], address[3],
         address[2], address[1], address[0]);
  return 1;
}

// Sets the address of the first controller that has no address. Returns 1 if a controller got its address.
static int configure_present(const uint8_t address[6]) {
  struct message list;
  if (send_command(READ_UNCONFIGURED, NO_CONTROLLER, NULL, 0) || receive_answer(READ_UNCONFIGURED, &list)) return 0;
  int is_done = 0, count = list.length < 5 ? 0 : number16(list.data + 3);
  for (int i = 0; i < count && 5 + 2 * i + 2 <= list.length && !is_done; i++)
    is_done = configure(number16(list.data + 5 + 2 * i), address);
  return is_done;
}

int main(void) {
  uint8_t address[6];
  struct address place = {AF_BLUETOOTH, NO_CONTROLLER, CHANNEL_CONTROL};
  if (address_of_board(address)) return 0;
  control = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
  if (control < 0 || bind(control, (struct sockaddr *)&place, sizeof place)) {
    fprintf(stderr, "radio-address.failed: %s\n", strerror(errno));
    return 1;
  }
  struct message event;
  double end = uptime() + WAIT_SECONDS;
  was_added = 1;
  do {
    // An event can also arrive while this program waits for an answer.
    while (was_added) {
      was_added = 0;
      if (configure_present(address)) return 0;
    }
  } while (receive(&event, end) == 0);
  return 0;
}
