#pragma once
#include <FLAC/stream_decoder.h>

// Swift 6 rejects reading a C global, but not calling a function.
static inline const char *cflac_version(void) { return FLAC__VERSION_STRING; }
