// The folders of /data, and the move from the layout of older images.
//
//   /data                root       nothing but what is listed here
//   /data/autoharp.conf  root       the settings of the unit's owner
//   /data/autoharp       autoharp   state, covers, settings of the driver
//   /data/music          autoharp   music
//   /data/bluetooth      root       bonds; only root can read them
//   /data/log            root       what was kept of logs
//
// In older images /data belonged to the daemon, and its state lay there. So nothing in it is trusted at first.

#pragma once

// Makes the folder `data` so. Can be called again after a power cut at any step. Runs before any other user's
// process. Adds what it changed to the report. Returns 0, or -1 where a folder is missing at the end.
int make_layout(int data);
