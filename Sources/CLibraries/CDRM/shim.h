// libdrm, which gives access to the displays of the kernel. This header also contains the parts of
// libdrm, of the kernel's device events and of the kernel's text consoles that Swift does not
// import.
//
// Each function that calls the kernel returns 0 or more, or a negative error number.
#pragma once
#include <drm_fourcc.h>
#include <errno.h>
#include <linux/kd.h>
#include <linux/netlink.h>
#include <linux/vt.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <xf86drm.h>
#include <xf86drmMode.h>

// Swift does not import these macros, because they contain casts and calls.
static const uint32_t cdrm_xrgb8888 = DRM_FORMAT_XRGB8888;
enum { cdrm_events_fit = sizeof(struct inotify_event) + 256 };

// Calls the handler `shown` for each flip that has taken place. The last argument of the handler,
// `userdata`, is the number of the flip.
static inline int cdrm_read_events(int card, void (*shown)(int, unsigned, unsigned, unsigned, void *)) {
  drmEventContext context;
  memset(&context, 0, sizeof context);
  context.version = 2;
  context.page_flip_handler = shown;
  return drmHandleEvent(card, &context) ? -errno : 0;
}

// --- device events of the kernel ----------------------------------------------------------------

// Opens a socket for the kernel's own multicast group. The kernel sends messages to this group even
// if udev does not run yet. The socket does not block.
static inline int cdrm_open_news(void) {
  int news = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_KOBJECT_UEVENT);
  if (news < 0) return -errno;
  struct sockaddr_nl address;
  memset(&address, 0, sizeof address);
  address.nl_family = AF_NETLINK;
  address.nl_groups = 1;
  if (bind(news, (struct sockaddr *)&address, sizeof address) == 0) return news;
  int error = errno;
  close(news);
  return -error;
}

// Reads the next message. `from_kernel` is true if the kernel sent the message. Other processes can
// also send messages to the socket.
static inline long cdrm_read_news(int news, char *text, unsigned long size, int *from_kernel) {
  struct sockaddr_nl sender;
  socklen_t length = sizeof sender;
  ssize_t got;
  do got = recvfrom(news, text, size, 0, (struct sockaddr *)&sender, &length);
  while (got < 0 && errno == EINTR);
  if (got < 0) return -errno;
  *from_kernel = length == sizeof sender && sender.nl_pid == 0 && sender.nl_groups == 1;
  return got;
}

// --- text consoles ------------------------------------------------------------------------------

static inline int cdrm_call(int file, unsigned long request, long value) {
  return ioctl(file, request, value) < 0 ? -errno : 0;
}
// Reads the mode: text or graphics. Fails if the file is not a text console of the kernel.
static inline int cdrm_get_console_mode(int console, int *mode) {
  return ioctl(console, KDGETMODE, mode) < 0 ? -errno : 0;
}
static inline int cdrm_set_console_mode(int console, int mode) {
  return cdrm_call(console, KDSETMODE, mode);
}
// After this call, the kernel sends the signal `leave` before it shows another console, and waits
// for the permission of this process. The kernel sends the signal `come` when this console is shown
// again. If both are 0, the kernel sends no signals.
static inline int cdrm_ask_before_switch(int console, int leave, int come) {
  struct vt_mode mode;
  memset(&mode, 0, sizeof mode);
  mode.mode = leave ? VT_PROCESS : VT_AUTO;
  mode.relsig = (short)leave;
  mode.acqsig = (short)come;
  return ioctl(console, VT_SETMODE, &mode) < 0 ? -errno : 0;
}
static inline int cdrm_allow_switch(int console) { return cdrm_call(console, VT_RELDISP, 1); }
static inline int cdrm_acknowledge_switch(int console) {
  return cdrm_call(console, VT_RELDISP, VT_ACKACQ);
}
