#pragma once
#include <alsa/asoundlib.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

// The functions that ALSASink calls below the real-time line. Each function can make a system call.
// Only snd_pcm_wait and calsa_wait are allowed to wait, because the clock of the device determines
// when the thread runs. With LIBASOUND_THREAD_SAFE=0 (see calsa_prepare) libasound takes no lock in
// these functions.
#define RT_SAFE __attribute__((swift_attr("@_noLocks")))
RT_SAFE int snd_pcm_wait(snd_pcm_t *pcm, int timeout);
RT_SAFE snd_pcm_sframes_t snd_pcm_avail_update(snd_pcm_t *pcm);
RT_SAFE snd_pcm_sframes_t snd_pcm_writei(snd_pcm_t *pcm, const void *buffer, snd_pcm_uframes_t size);
RT_SAFE int snd_pcm_delay(snd_pcm_t *pcm, snd_pcm_sframes_t *delayp);
// The next three functions are called after an xrun or a suspend. Each of them makes at most one
// ioctl, which the kernel answers at once.
RT_SAFE int snd_pcm_prepare(snd_pcm_t *pcm);
RT_SAFE int snd_pcm_status(snd_pcm_t *pcm, snd_pcm_status_t *status);
RT_SAFE void snd_pcm_status_get_trigger_htstamp(const snd_pcm_status_t *status,
                                                snd_htimestamp_t *time);

// Each of the next three functions makes one ioctl, or reads and writes mapped pages.
RT_SAFE snd_pcm_sframes_t snd_pcm_avail(snd_pcm_t *pcm);
RT_SAFE snd_pcm_sframes_t snd_pcm_rewind(snd_pcm_t *pcm, snd_pcm_uframes_t frames);
RT_SAFE snd_pcm_sframes_t snd_pcm_mmap_writei(snd_pcm_t *pcm, const void *buffer,
                                              snd_pcm_uframes_t size);

// Sleeps until one of the descriptors is ready, but for at most `nanoseconds`. The first descriptor
// is an eventfd. This function reads the eventfd, so that the next call waits again. Returns 1 if a
// descriptor of the PCM (`entries[1]` and so on) is ready, otherwise 0. The output thread waits in
// this function if the buffer of the device is rewritten. If the device is filled by periods, the
// thread waits in snd_pcm_wait.
static inline int calsa_wait(struct pollfd *entries, int count, int64_t nanoseconds) RT_SAFE
    __attribute__((noinline));
static inline int calsa_wait(struct pollfd *entries, int count, int64_t nanoseconds) {
  int milliseconds = (int)((nanoseconds + 999999) / 1000000);
  if (poll(entries, (nfds_t)count, milliseconds) <= 0) return 0;
  uint64_t ignored;
  if (entries[0].revents && read(entries[0].fd, &ignored, sizeof ignored) < 0) return 0;
  for (int i = 1; i < count; i++)
    if (entries[i].revents) return 1;
  return 0;
}

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
