// The baseline for the time from power-on to the first sound. The machine boots the kernel and the initrd of the image,
// but process 1 only loads the modules of the sound card, opens the card, and plays periods that are not silent. No
// program on the same kernel can be heard earlier.
//
// This program uses the kernel's interface to the card, because libasound cannot be linked statically.

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sound/asound.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <unistd.h>

#define RATE 44100
#define PERIOD 1024
#define BUFFER 4096

static void load_modules(const char *list) {
  FILE *file = fopen(list, "re");
  char path[256];
  while (file && fgets(path, sizeof path, file)) {
    path[strcspn(path, "\n")] = 0;
    int module = open(path, O_RDONLY | O_CLOEXEC);
    if (module >= 0) syscall(SYS_finit_module, module, "", 0);
    if (module >= 0) close(module);
  }
}

static void set_mask(struct snd_pcm_hw_params *params, int which, unsigned bit) {
  struct snd_mask *mask = &params->masks[which - SNDRV_PCM_HW_PARAM_FIRST_MASK];
  memset(mask, 0, sizeof *mask);
  mask->bits[bit / 32] = 1u << (bit % 32);
}

static void set_interval(struct snd_pcm_hw_params *params, int which, unsigned value) {
  struct snd_interval *interval = &params->intervals[which - SNDRV_PCM_HW_PARAM_FIRST_INTERVAL];
  interval->min = interval->max = value;
  interval->integer = 1;
}

int main(void) {
  mount("proc", "/proc", "proc", 0, NULL);
  mount("sys", "/sys", "sysfs", 0, NULL);
  mount("dev", "/dev", "devtmpfs", 0, NULL);
  load_modules("/modules.sound");

  int card;
  while ((card = open("/dev/snd/pcmC0D0p", O_WRONLY | O_CLOEXEC)) < 0) usleep(1000);

  struct snd_pcm_hw_params params;
  memset(&params, 0, sizeof params);
  for (int i = 0; i <= SNDRV_PCM_HW_PARAM_LAST_MASK - SNDRV_PCM_HW_PARAM_FIRST_MASK; i++)
    memset(&params.masks[i], 0xff, sizeof params.masks[i]);
  for (int i = 0; i <= SNDRV_PCM_HW_PARAM_LAST_INTERVAL - SNDRV_PCM_HW_PARAM_FIRST_INTERVAL; i++)
    params.intervals[i].max = ~0u;
  params.rmask = ~0u;
  set_mask(&params, SNDRV_PCM_HW_PARAM_ACCESS, SNDRV_PCM_ACCESS_RW_INTERLEAVED);
  set_mask(&params, SNDRV_PCM_HW_PARAM_FORMAT, SNDRV_PCM_FORMAT_S16_LE);
  set_interval(&params, SNDRV_PCM_HW_PARAM_CHANNELS, 2);
  set_interval(&params, SNDRV_PCM_HW_PARAM_RATE, RATE);
  set_interval(&params, SNDRV_PCM_HW_PARAM_PERIOD_SIZE, PERIOD);
  set_interval(&params, SNDRV_PCM_HW_PARAM_BUFFER_SIZE, BUFFER);
  if (ioctl(card, SNDRV_PCM_IOCTL_HW_PARAMS, &params)) printf("hw_params: %s\n", strerror(errno));
  if (ioctl(card, SNDRV_PCM_IOCTL_PREPARE)) printf("prepare: %s\n", strerror(errno));

  static short sound[2 * PERIOD];
  for (int i = 0; i < 2 * PERIOD; i++) sound[i] = (short)(i * 37 | 1);
  struct snd_xferi transfer = {.buf = sound, .frames = PERIOD};
  for (unsigned long written = 0;; written += PERIOD) {
    if (ioctl(card, SNDRV_PCM_IOCTL_WRITEI_FRAMES, &transfer)) ioctl(card, SNDRV_PCM_IOCTL_PREPARE);
    if (written == 0) ioctl(card, SNDRV_PCM_IOCTL_START);
  }
}
