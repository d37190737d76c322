#pragma once
#include <mpg123.h>

// mpg123_param is a macro, which Swift cannot call.
static inline int cmpg123_set(mpg123_handle *handle, enum mpg123_parms parameter, long value) {
  return mpg123_param(handle, parameter, value, 0);
}
