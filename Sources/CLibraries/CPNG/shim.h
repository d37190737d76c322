#pragma once
// libpng reports errors with longjmp, which must not cross a Swift function. So this file contains
// the loop over the rows. The callbacks into Swift are called only between two calls of libpng.
#include <png.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct png_rows_limits {
  uint32_t side;         // the greatest width and height, in pixels
  uint64_t pixels;       // the greatest number of pixels
  uint64_t held_bytes;   // the greatest size of an interlaced picture in memory, in bytes
  uint32_t chunk_bytes;  // the greatest memory of one chunk, in bytes
};

enum png_rows_result { PNG_ROWS_DECODED, PNG_ROWS_DAMAGED, PNG_ROWS_TOO_LARGE };

// Called when the size is known. If the callback returns false, decoding stops, and the result is
// PNG_ROWS_TOO_LARGE.
typedef _Bool (*png_rows_begin)(void *context, uint32_t width, uint32_t height);
// Called with the next row: blue, green, red, alpha, not premultiplied. The callback is allowed to
// change the bytes.
typedef void (*png_rows_row)(void *context, uint8_t *row);

struct png_rows_state {
  const uint8_t *bytes;
  size_t left;
  png_structp png;
  png_infop info;
  uint8_t *memory;
};

static inline void png_rows_read(png_structp png, png_bytep target, size_t count) {
  struct png_rows_state *state = (struct png_rows_state *)png_get_io_ptr(png);
  if (count > state->left) png_error(png, "the data ends too early");
  memcpy(target, state->bytes, count);
  state->bytes += count;
  state->left -= count;
}

// The next two functions write nothing. The default functions of libpng would write to standard
// error.
static inline void png_rows_fail(png_structp png, png_const_charp message) {
  (void)message;
  png_longjmp(png, 1);
}
static inline void png_rows_warn(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

// setjmp is in a function without local variables that change after setjmp. Such variables would
// have undefined values after longjmp.
static enum png_rows_result png_rows_run(
    struct png_rows_state *state, const struct png_rows_limits *limits, png_rows_begin begin,
    png_rows_row row, void *context) __attribute__((noinline, unused));
static enum png_rows_result png_rows_run(
    struct png_rows_state *state, const struct png_rows_limits *limits, png_rows_begin begin,
    png_rows_row row, void *context) {
  png_structp const png = state->png;
  png_infop const info = state->info;
  if (setjmp(png_jmpbuf(png))) return PNG_ROWS_DAMAGED;
  png_set_user_limits(png, limits->side, limits->side);
  png_set_chunk_cache_max(png, 16);
  png_set_chunk_malloc_max(png, limits->chunk_bytes);
  // Chunks that do not change the pixels are skipped. So less code reads untrusted data.
  static const char skipped[] =
      "iCCP\0tEXt\0zTXt\0iTXt\0eXIf\0sPLT\0hIST\0pCAL\0sCAL\0oFFs\0pHYs\0tIME\0bKGD\0cHRM\0sRGB\0"
      "gAMA";
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
  png_set_keep_unknown_chunks(
      png, PNG_HANDLE_CHUNK_NEVER, (png_const_bytep)skipped, (int)sizeof skipped / 5);
  png_set_read_fn(png, state, png_rows_read);
  png_read_info(png, info);

  const uint32_t width = png_get_image_width(png, info);
  const uint32_t height = png_get_image_height(png, info);
  if ((uint64_t)width * height > limits->pixels) return PNG_ROWS_TOO_LARGE;
  // Converts palette indices to colours, samples of 1 to 4 bits to 8 bits, and a transparent colour
  // to alpha.
  png_set_expand(png);
  png_set_strip_16(png);
  png_set_gray_to_rgb(png);
  png_set_bgr(png);
  png_set_add_alpha(png, 0xFF, PNG_FILLER_AFTER);
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, info);
  const size_t row_bytes = (size_t)width * 4;
  if (png_get_rowbytes(png, info) != row_bytes) return PNG_ROWS_DAMAGED;

  // The rows of an interlaced picture are complete only after the last pass.
  const size_t rows = passes == 1 ? 1 : height;
  if (rows > 1 && row_bytes * rows > limits->held_bytes) return PNG_ROWS_TOO_LARGE;
  state->memory = (uint8_t *)calloc(rows, row_bytes);
  if (!state->memory || !begin(context, width, height)) return PNG_ROWS_TOO_LARGE;
  for (int pass = 1; pass < passes; pass++)
    for (uint32_t y = 0; y < height; y++)
      png_read_row(png, state->memory + (rows > 1 ? y * row_bytes : 0), NULL);
  for (uint32_t y = 0; y < height; y++) {
    uint8_t *const target = state->memory + (rows > 1 ? y * row_bytes : 0);
    png_read_row(png, target, NULL);
    row(context, target);
  }
  return PNG_ROWS_DECODED;
}

// Decodes a PNG file row by row.
static enum png_rows_result png_rows_decode(
    const uint8_t *bytes, size_t count, const struct png_rows_limits *limits,
    png_rows_begin begin, png_rows_row row, void *context) __attribute__((noinline, unused));
static enum png_rows_result png_rows_decode(
    const uint8_t *bytes, size_t count, const struct png_rows_limits *limits,
    png_rows_begin begin, png_rows_row row, void *context) {
  struct png_rows_state state = {.bytes = bytes, .left = count};
  state.png = png_create_read_struct(PNG_LIBPNG_VER_STRING, NULL, png_rows_fail, png_rows_warn);
  if (!state.png) return PNG_ROWS_TOO_LARGE;
  state.info = png_create_info_struct(state.png);
  const enum png_rows_result result =
      state.info ? png_rows_run(&state, limits, begin, row, context) : PNG_ROWS_TOO_LARGE;
  free(state.memory);
  png_destroy_read_struct(&state.png, &state.info, NULL);
  return result;
}
