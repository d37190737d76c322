#pragma once
// vorbisfile.h defines four static callback tables that this project does not use.
#define OV_EXCLUDE_STATIC_CALLBACKS
#include <vorbis/codec.h>
#include <vorbis/vorbisfile.h>
