// libinput and libudev, and the parts of the kernel's event devices that Swift does not import:
// `ioctl` is variadic, and its numbers are macros that contain sizes.
#pragma once
#include <errno.h>
#include <libinput.h>
#include <libudev.h>
#include <linux/input.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

// After this call, the kernel delivers on this descriptor only those codes of `type` that are in
// `bits` (since Linux 4.4).
static inline int clibinput_mask(int file, unsigned type, const uint8_t *bits, unsigned size) {
  struct input_mask mask = {type, size, (uint64_t)(uintptr_t)bits};
  return ioctl(file, EVIOCSMASK, &mask) < 0 ? -errno : 0;
}

// Reads the codes of `type` that the device has.
static inline int clibinput_bits(int file, unsigned type, uint8_t *bits, unsigned size) {
  memset(bits, 0, size);
  return ioctl(file, EVIOCGBIT(type, size), bits) < 0 ? -errno : 0;
}

// Returns udev's object for an open device; NULL if udev does not have an object for the device
// yet.
static inline struct udev_device *clibinput_device(struct udev *udev, int file) {
  struct stat about;
  if (fstat(file, &about) || !S_ISCHR(about.st_mode)) return NULL;
  return udev_device_new_from_devnum(udev, 'c', about.st_rdev);
}
