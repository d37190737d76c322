#pragma once
#include <sbc/sbc.h>
