// Makes the folders of /data, and moves the layout of older images to this one.
//
//   /data                root       only the entries of this list
//   /data/autoharp.conf  root       the settings of the unit's owner
//   /data/autoharp       autoharp   state, covers, settings of the driver
//   /data/music          autoharp   music
//   /data/bluetooth      root       bonds; only root can read them
//   /data/log            root       saved logs
//
// In older images /data belonged to the daemon and had the daemon's state. Therefore the entries of /data are not
// trusted at first.

#pragma once

// Gives the folder `data` this layout. Can be called again after a power cut at any step. Must run before any process
// of another user. Adds its changes to the report. Returns 0, or -1 if a folder could not be made with its owner and
// mode.
int make_layout(int data);
