// Parameters of the allocator of glibc.
#pragma once
#include <malloc.h>
