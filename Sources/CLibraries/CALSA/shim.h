#pragma once
#include <alsa/asoundlib.h>

// The functions that ALSASink calls below the real-time line. Each may make a system call. Only
// snd_pcm_wait may wait, because the clock of the device determines when the thread runs. With
// LIBASOUND_THREAD_SAFE=0 (see calsa_prepare) libasound takes no lock in these functions.
#define RT_SAFE __attribute__((swift_attr("@_noLocks")))
RT_SAFE int snd_pcm_wait(snd_pcm_t *pcm, int timeout);
RT_SAFE snd_pcm_sframes_t snd_pcm_avail_update(snd_pcm_t *pcm);
RT_SAFE snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size);
RT_SAFE int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delayp);
// Called after an xrun or a suspend: one ioctl, which the kernel answers at once.
RT_SAFE int snd_pcm_prepare(snd_pcm_t *pcm);

static inline void calsa_ignore(const char *file, int line, const char *function, int err,
                                const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)format;
}

// By default libasound writes each error to stderr, which disturbs what the program shows in the
// terminal. libasound also returns each error as a number, so calsa_ignore does nothing with the
// text. This handler is variadic, so it cannot be written in Swift.
static inline void calsa_prepare(void) {
  snd_lib_error_set_handler(calsa_ignore);
  // In this program only one thread uses a PCM, so libasound does not have to lock in each call.
  setenv("LIBASOUND_THREAD_SAFE", "0", 0);
}
