#pragma once
#include <alsa/asoundlib.h>

// What ALSASink calls below the real-time line. Each may do a system call and none is allowed to
// wait, but for snd_pcm_wait: the device's clock is the thread's clock. With
// LIBASOUND_THREAD_SAFE=0 (see calsa_prepare) libasound takes no lock of its own in them.
#define RT_SAFE __attribute__((swift_attr("@_noLocks")))
RT_SAFE int snd_pcm_wait(snd_pcm_t *pcm, int timeout);
RT_SAFE snd_pcm_sframes_t snd_pcm_avail_update(snd_pcm_t *pcm);
RT_SAFE snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size);
RT_SAFE int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delayp);
// After an xrun or a suspend; one ioctl, which the kernel answers at once.
RT_SAFE int snd_pcm_prepare(snd_pcm_t *pcm);

static inline void calsa_ignore(const char *file, int line, const char *function, int err,
                                const char *format, ...) {
  (void)file, (void)line, (void)function, (void)err, (void)format;
}

// libasound writes to stderr, into the middle of the screen; what it says comes back as an error
// number too. The handler's type is variadic, which Swift cannot write.
static inline void calsa_prepare(void) {
  snd_lib_error_set_handler(calsa_ignore);
  // One thread uses a PCM here, so libasound need not lock each call.
  setenv("LIBASOUND_THREAD_SAFE", "0", 0);
}
