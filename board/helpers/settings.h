// The settings that the owner has written on another computer to the boot partition.

#pragma once

// Copies `autoharp.conf` from the boot partition to /run/boot, where the daemon reads it. During the copy, the boot
// partition is mounted read-only at `at`. Copies at most one byte more than the daemon accepts, so that the daemon
// reports a file that is too large. If the partition or the file cannot be read, adds a notice; a partition without the
// file is no error. Blocks until the disk has delivered the file.
void copy_settings(const char *at);

// Adds the notice `boot.unreadable`, with the reason. A notice of an earlier call is removed.
void notify_settings_unreadable(const char *reason);
