// The parts of libbluetooth and of the kernel's HCI sockets that Swift does not import: `ioctl` is
// variadic, its numbers are macros that contain sizes, and the struct for the list of links ends in
// an array without a length.
//
// Each function that calls the kernel returns 0 or more, or a negative error number. No function
// blocks.
#pragma once
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

// Opens an HCI socket. The answers to its requests arrive on the same socket. Without the
// capability CAP_NET_RAW, the process can only send commands that read values (the kernel checks
// this: net/bluetooth/hci_sock.c, hci_sec_filter). libbluetooth's functions that wait for the
// answer are not used, because a controller possibly never answers.
static inline int cbluetooth_open(int adapter) {
  int file = hci_open_dev(adapter);
  if (file < 0) return -errno;
  struct hci_filter filter;
  hci_filter_clear(&filter);
  hci_filter_set_ptype(HCI_EVENT_PKT, &filter);
  hci_filter_set_event(EVT_CMD_COMPLETE, &filter);
  if (setsockopt(file, SOL_HCI, HCI_FILTER, &filter, sizeof filter) < 0 ||
      fcntl(file, F_SETFL, O_NONBLOCK) < 0) {
    int error = errno;
    close(file);
    return -error;
  }
  return file;
}

// Reads the features of a controller, one bit for each feature.
static inline int cbluetooth_features(int file, int adapter, uint8_t features[8]) {
  struct hci_dev_info info;
  memset(&info, 0, sizeof info);
  info.dev_id = (uint16_t)adapter;
  if (ioctl(file, HCIGETDEVINFO, &info) < 0) return -errno;
  memcpy(features, info.features, 8);
  return 0;
}

enum { cbluetooth_most_links = 16 };
// The kernel's LE_LINK, which the header of libbluetooth does not define.
static const uint8_t cbluetooth_le_link = 0x80;

struct cbluetooth_link {
  uint16_t handle;
  uint8_t type;        // ACL_LINK, cbluetooth_le_link, ...
  uint8_t address[6];  // in reverse byte order
};

// Reads the existing links and returns their number.
static inline int cbluetooth_links(int file, int adapter, struct cbluetooth_link *links) {
  union {
    struct hci_conn_list_req head;
    uint8_t room[sizeof(struct hci_conn_list_req) +
                 cbluetooth_most_links * sizeof(struct hci_conn_info)];
  } list;
  memset(&list, 0, sizeof list);
  list.head.dev_id = (uint16_t)adapter;
  list.head.conn_num = cbluetooth_most_links;
  if (ioctl(file, HCIGETCONNLIST, &list) < 0) return -errno;
  int count = 0;
  for (; count < list.head.conn_num && count < cbluetooth_most_links; count++) {
    const struct hci_conn_info *info =
        (const void *)(list.room + sizeof list.head + (size_t)count * sizeof *info);
    links[count].handle = info->handle;
    links[count].type = info->type;
    memcpy(links[count].address, &info->bdaddr, 6);
  }
  return count;
}
