// libinput and libudev; and of the kernel's event devices what does not import into Swift: `ioctl` is
// variadic, its numbers are macros with sizes in them.
#pragma once
#include <errno.h>
#include <libinput.h>
#include <libudev.h>
#include <linux/input.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

// Nothing of this type reaches this descriptor from now on, but the codes of `bits` (since Linux 4.4).
static inline int clibinput_mask(int file, unsigned type, const uint8_t *bits, unsigned size) {
  struct input_mask mask = {type, size, (uint64_t)(uintptr_t)bits};
  return ioctl(file, EVIOCSMASK, &mask) < 0 ? -errno : 0;
}

// Which codes of a type it has.
static inline int clibinput_bits(int file, unsigned type, uint8_t *bits, unsigned size) {
  memset(bits, 0, size);
  return ioctl(file, EVIOCGBIT(type, size), bits) < 0 ? -errno : 0;
}

// What udev knows of an open device; nil while it knows nothing.
static inline struct udev_device *clibinput_device(struct udev *udev, int file) {
  struct stat about;
  if (fstat(file, &about) || !S_ISCHR(about.st_mode)) return NULL;
  return udev_device_new_from_devnum(udev, 'c', about.st_rdev);
}
