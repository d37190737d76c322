#pragma once
#include <FLAC/stream_decoder.h>

// Swift 6 does not permit code to read a global variable of C, so this function reads it.
static inline const char *cflac_version(void) { return FLAC__VERSION_STRING; }
