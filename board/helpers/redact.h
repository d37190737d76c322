// Removes the addresses and the names of phones from the text of a log.

#pragma once
#include <stddef.h>

// Replaces addresses of Bluetooth devices, and removes their names. A bonded phone becomes `[phone
// CODE]` (bonds.h), any other device `[device N]` with a number that is valid only in this text.
// Changes the text in place. Returns the new size, which is never larger than `size`.
//
// `bonds` is the folder of the bonds, or -1 if there is no such folder.
size_t redact(char *text, size_t size, int bonds);
