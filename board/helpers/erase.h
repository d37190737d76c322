// Erases the personal data on /data, if the daemon has requested this with a mark file.

#pragma once

// Erases the personal data of the file system `data`, if the daemon has left its mark, the file `erase-personal-data`.
// Removes the mark last, so a power cut repeats the call at the next start. Must be called before any process of
// another user can write to /data. Adds a notice about the result.
void erase_if_marked(int data);
