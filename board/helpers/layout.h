// Makes the folders of /data, and changes the layout of older images to this layout:
//
//   /data                root       only the following entries, and entries renamed to aside-…
//   /data/autoharp.conf  root       the settings of the unit's owner
//   /data/autoharp       autoharp   state, covers, settings of the driver
//   /data/music          autoharp   music
//   /data/library        library    the database of the library
//   /data/bluetooth      root       bonds; only root can read them
//   /data/log            root       saved logs, which the group systemd-journal can read
//
// In older images /data belonged to the daemon, so the daemon could make any entry in it. Therefore this code does not
// trust the entries of /data.

#pragma once

// The group systemd-journal, as in rootfs-overlay/etc/group.
#define LOG_READERS 109

// Gives the folder `data` this layout. If power is cut at any step, the next call completes the work. Must run before
// any process of another user. Adds its changes to the report. Returns 0, or -1 if a folder could not be made with its
// owner and mode.
int make_layout(int data);
