// Removes from the text of a log what names a phone.

#pragma once
#include <stddef.h>

// Replaces addresses of Bluetooth devices by `[phone N]`, and removes their names. The same address has the same number
// in the whole text. Changes the text in its place, and returns its new size, which is never larger.
size_t redact(char *text, size_t size);
