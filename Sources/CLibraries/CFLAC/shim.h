#pragma once
#include <FLAC/stream_decoder.h>

// Swift 6 does not permit code to read a global variable of C. It permits the call of this
// function.
static inline const char *cflac_version(void) { return FLAC__VERSION_STRING; }
