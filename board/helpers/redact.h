// Removes from the text of a log what names a phone.

#pragma once
#include <stddef.h>

// Replaces addresses of Bluetooth devices, and removes their names. A bonded phone becomes `[phone CODE]` (bonds.h), any
// other device `[device N]` with a number that holds in this text only. Changes the text in its place, and returns its new
// size, which is never larger.
//
// `bonds` is the folder of the bonds, or -1.
size_t redact(char *text, size_t size, int bonds);
