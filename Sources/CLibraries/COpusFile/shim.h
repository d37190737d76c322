#pragma once
#include <opus/opus.h>
#include <opus/opusfile.h>
