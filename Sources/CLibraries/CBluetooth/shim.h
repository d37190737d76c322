// The parts of libbluetooth and of the kernel's HCI sockets that Swift does not import: `ioctl` is
// variadic, its numbers are macros that contain sizes, and the struct for the list of links ends in
// an array without a length.
//
// Each function that calls the kernel returns 0 or more, or a negative error number. None of them
// blocks, except cbluetooth_read_monitor.
#pragma once
#include <bluetooth/bluetooth.h>
#include <bluetooth/hci.h>
#include <bluetooth/hci_lib.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

// --- questions to a controller ------------------------------------------------------------------

// Opens an HCI socket. The answers to its requests arrive on the same socket. Without the
// capability CAP_NET_RAW, the process can only send commands that read values (the kernel checks
// this: net/bluetooth/hci_sock.c, hci_sec_filter). libbluetooth's functions that wait for the
// answer are not used, because a controller may never answer.
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

// --- monitor ------------------------------------------------------------------------------------

// Opens the monitor channel (needs CAP_NET_RAW). On this channel the kernel sends its own messages
// and copies of all traffic with its controllers. The filter runs in the kernel and is attached
// before the first packet arrives. So link keys, which are in commands and events, never reach this
// process. Of a packet with data, only the beginning with the headers reaches this process.
//
// A packet begins with opcode, index and length, two bytes each, low byte first. Then the payload
// follows.
enum { cbluetooth_monitor_bytes = 64 };

static inline int cbluetooth_open_monitor(void) {
  struct sock_filter code[] = {
      // All opcodes that exist today fit in one byte, so the other byte must be 0.
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 1),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 7),
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 1, 6, 0),  // a controller is removed
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 4, 5, 0),  // data to a controller
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 5, 4, 0),  // data from a controller
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 3, 0, 2),  // an event ...
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 6),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, EVT_DISCONN_COMPLETE, 1, 0),  // ... that ends a link
      BPF_STMT(BPF_RET | BPF_K, 0),
      BPF_STMT(BPF_RET | BPF_K, cbluetooth_monitor_bytes),
  };
  struct sock_fprog filter = {sizeof code / sizeof *code, code};
  struct sockaddr_hci address = {AF_BLUETOOTH, HCI_DEV_NONE, HCI_CHANNEL_MONITOR};
  int one = 1;
  int file = socket(AF_BLUETOOTH, SOCK_RAW | SOCK_CLOEXEC, BTPROTO_HCI);
  if (file < 0) return -errno;
  if (setsockopt(file, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof filter) < 0 ||
      setsockopt(file, SOL_SOCKET, SO_LOCK_FILTER, &one, sizeof one) < 0 ||
      setsockopt(file, SOL_SOCKET, SO_TIMESTAMP, &one, sizeof one) < 0 ||
      bind(file, (struct sockaddr *)&address, sizeof address) < 0) {
    int error = errno;
    close(file);
    return -error;
  }
  return file;
}

// Waits for the next packet. Also returns the age of the packet in microseconds, computed from the
// time stamp of the kernel.
static inline int cbluetooth_read_monitor(int file, uint8_t *bytes, unsigned size,
                                          int64_t *microseconds_ago) {
  union {
    struct cmsghdr head;
    uint8_t room[CMSG_SPACE(sizeof(struct timeval))];
  } control;
  struct iovec part = {bytes, size};
  struct msghdr message;
  memset(&message, 0, sizeof message);
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = &control;
  message.msg_controllen = sizeof control;
  ssize_t count;
  do count = recvmsg(file, &message, 0);
  while (count < 0 && errno == EINTR);
  if (count < 0) return -errno;
  *microseconds_ago = 0;
  struct timeval now, seen;
  gettimeofday(&now, NULL);
  for (struct cmsghdr *item = CMSG_FIRSTHDR(&message); item; item = CMSG_NXTHDR(&message, item)) {
    if (item->cmsg_level != SOL_SOCKET || item->cmsg_type != SCM_TIMESTAMP) continue;
    memcpy(&seen, CMSG_DATA(item), sizeof seen);
    *microseconds_ago = (int64_t)(now.tv_sec - seen.tv_sec) * 1000000 + (now.tv_usec - seen.tv_usec);
  }
  return (int)count;
}
