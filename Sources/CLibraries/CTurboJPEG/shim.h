#pragma once
// The interface that reports errors by returning: libjpeg's own needs setjmp, which Swift cannot do.
#include <turbojpeg.h>
