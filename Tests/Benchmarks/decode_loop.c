// Does the minimum with libFLAC and libvorbisfile: decodes to interleaved 16-bit samples and writes
// the samples to a file. It computes no checksums, writes no header and uses no threads. The
// benchmark compares autoharp with this program.
//
//     decode_loop flac|vorbis IN OUT

#include <FLAC/stream_decoder.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <vorbis/vorbisfile.h>

static FILE *out;

static FLAC__StreamDecoderWriteStatus on_block(const FLAC__StreamDecoder *decoder,
                                               const FLAC__Frame *block,
                                               const FLAC__int32 *const channels[], void *context) {
  static int16_t samples[65535 * 8];
  size_t count = 0;
  for (unsigned frame = 0; frame < block->header.blocksize; frame++)
    for (unsigned channel = 0; channel < block->header.channels; channel++)
      samples[count++] = (int16_t)channels[channel][frame];
  fwrite(samples, sizeof samples[0], count, out);
  return FLAC__STREAM_DECODER_WRITE_STATUS_CONTINUE;
}

static void on_error(const FLAC__StreamDecoder *decoder, FLAC__StreamDecoderErrorStatus status,
                     void *context) {}

static int decode_flac(const char *path) {
  FLAC__StreamDecoder *decoder = FLAC__stream_decoder_new();
  FLAC__stream_decoder_set_md5_checking(decoder, 0);
  if (FLAC__stream_decoder_init_file(decoder, path, on_block, NULL, on_error, NULL) != 0) return 1;
  int failed = !FLAC__stream_decoder_process_until_end_of_stream(decoder);
  FLAC__stream_decoder_delete(decoder);
  return failed;
}

static int decode_vorbis(const char *path) {
  OggVorbis_File file;
  char samples[8192];  // the size that oggdec uses
  int link;
  long bytes;
  if (ov_fopen(path, &file) != 0) return 1;
  while ((bytes = ov_read(&file, samples, sizeof samples, 0, 2, 1, &link)) > 0)
    fwrite(samples, 1, (size_t)bytes, out);
  ov_clear(&file);
  return bytes != 0;
}

int main(int argc, char **argv) {
  if (argc != 4 || (out = fopen(argv[3], "wb")) == NULL) return 2;
  int failed = strcmp(argv[1], "flac") == 0 ? decode_flac(argv[2]) : decode_vorbis(argv[2]);
  return fclose(out) != 0 || failed;
}
