#pragma once
// The TurboJPEG interface reports errors by return values. libjpeg's own interface needs setjmp,
// which Swift does not support.
#include <turbojpeg.h>
