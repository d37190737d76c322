#pragma once
#include <FLAC/stream_decoder.h>

// A C global is an error to read from Swift 6; a function is not.
static inline const char *cflac_version(void) { return FLAC__VERSION_STRING; }
