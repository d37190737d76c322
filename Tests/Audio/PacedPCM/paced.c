// paced: an ALSA playback device that consists of a clock and a file.
//
//   cc -std=gnu11 -Wall -shared -fPIC -DPIC -o libasound_module_pcm_paced.so paced.c -lasound
//
//   pcm_type.paced { lib "/where/it/is/libasound_module_pcm_paced.so" }
//   pcm.car {
//       type paced
//       file "/tmp/car.raw"      # the played frames; each opening appends to it
//       speed 1.0                # times real time
//       rates "44100 48000"      # numbers, or a range: "8000-192000"
//       rates_file "/tmp/rates"  # if this file exists, its content replaces the value of rates
//       channels "1-2"           # numbers or a range
//       formats "S16_LE S32_LE"  # ALSA's names
//       period_bytes "8192"      # numbers or a range
//       buffer_bytes "16384"     # numbers or a range
//       starve_after 4800        # runs dry once, when the file has this number of frames
//       hangs_after 9600         # stops playing once, when the file has this number of frames
//       gone_after 9600          # is unplugged once, when the file has this number of frames
//       gone_while "/tmp/gone"   # is unplugged as long as this file exists
//       busy_while "/tmp/busy"   # cannot be opened as long as this file exists
//       rewind_step 5            # frames that were handed over can be rewound; see below
//       behind 1000              # a part after the buffer holds this number of frames; see below
//       stamps "/tmp/car.stamps" # a record for each hand-over, see struct stamp
//       events "/tmp/car.events" # a line for each start, stop and xrun, see note()
//   }
//
// The device plays like a sound card. Frames that are handed over stay in a buffer. When the clock
// says that a frame is played, the device moves the frame from the buffer to the file. So frames
// that a player drops or fails to drain are missing in the file. If no frame arrives in time, the
// device enters the state xrun and stops. A stopped device plays nothing, so the file has no gap.
//
// Without rewind_step, the device copies the frames when they are handed over, as a USB sound card
// does. With rewind_step, the frames stay in the memory that the device shares with the player, as on
// a card with DMA. The device takes each frame when its time has come, so the player can take frames
// back (snd_pcm_rewind) and replace them. The position of the device moves in steps of rewind_step
// frames.
//
// With behind, the device takes frames from its buffer before they are heard, like a sound card with a
// signal processor after its buffer. When the device stops, the frames that are not heard yet are
// removed from the file.

#include <alsa/asoundlib.h>
#include <alsa/pcm_external.h>
#include <fcntl.h>
#include <stdbool.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

// Native byte order. With rewind_step, a record is written when frames leave the buffer. Then
// monotonic_ns is the time at which the first of these frames leaves the buffer, and ahead is the
// number of frames that the buffer held at this time. If behind is 0, this first frame is heard at
// this time.
struct stamp {
  int64_t monotonic_ns;  // time of the hand-over
  int64_t offset;        // position of the first frame in the file, if it is not dropped
  int64_t frames;
  // Number of frames in the buffer that are played before the frames of this hand-over. The first
  // frame of the hand-over is heard at monotonic_ns + 1e9 × ahead / (rate × speed).
  int64_t ahead;
};

typedef struct {
  snd_pcm_ioplug_t io;
  snd_pcm_ioplug_callback_t callbacks;
  double speed;
  int64_t starve_after, hangs_after, gone_after;  // 0: never
  char *gone_while;
  int timer, capture, stamps, events;  // descriptors, −1: none

  int64_t behind;       // frames
  int64_t rewind_step;  // 0: frames cannot be taken back
  char *ring;           // io.buffer_size frames; not used with rewind_step
  size_t frame_bytes;
  snd_pcm_uframes_t avail_min;
  int64_t captured;  // frames in the file

  bool is_running, is_dry, is_hung, is_gone;
  int64_t started_ns, armed_ns;
  int64_t written, played;  // frames since prepare
  int error;                // error of a failed write to a file; 0: none
} paced_t;

static int64_t now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void put(paced_t *p, int file, const void *bytes, size_t count) {
  if (file >= 0 && write(file, bytes, count) != (ssize_t)count) {
    SNDERR("paced: a file cannot be written");
    p->error = -EIO;
  }
}

// Writes "NS start|stop|dry CAPTURED RATE BUFFER WAKE PERIOD": time on the monotonic clock, event,
// frames in the file at that time, frames per second, size of the buffer in frames, room in frames
// at which a poller wakes up, size of a period in frames.
static void note(const paced_t *p, int64_t ns, const char *what) {
  if (p->events >= 0)
    dprintf(p->events, "%lld %s %lld %u %lu %lu %lu\n", (long long)ns, what, (long long)p->captured,
            p->io.rate, p->io.buffer_size, p->avail_min, p->io.period_size);
}

// The number of frames that were handed over since prepare.
static int64_t handed_over(const paced_t *p) {
  // The position wraps at a boundary above 2^62 frames, which no test reaches.
  return p->rewind_step > 0 ? (int64_t)p->io.appl_ptr : p->written;
}

// The frame in the buffer that is played as number `frame` since prepare.
static const char *frame_at(const paced_t *p, int64_t frame) {
  size_t slot = (size_t)frame % p->io.buffer_size;
  if (p->rewind_step == 0) return p->ring + slot * p->frame_bytes;
  // Interleaved frames are one block of memory. The block begins where the first channel begins.
  const snd_pcm_channel_area_t *areas = snd_pcm_ioplug_mmap_areas((snd_pcm_ioplug_t *)&p->io);
  return (const char *)areas->addr + areas->first / 8 + slot * p->frame_bytes;
}

// Sets the timer for which pollers wait. The timer expires when the buffer has room for avail_min
// frames, or, while the device drains, when all frames are played. The time is absolute and known
// in advance. So a poller wakes up once per period and at the right time, no matter when it began
// to wait.
static void arm(paced_t *p) {
  const snd_pcm_ioplug_t *io = &p->io;
  int64_t room = io->state == SND_PCM_STATE_DRAINING ? io->buffer_size : p->avail_min;
  int64_t due = handed_over(p) + room - (int64_t)io->buffer_size;
  // Frames leave the buffer at twice the speed until the part after the buffer is full.
  due -= due / 2 < p->behind ? due / 2 : p->behind;
  int64_t at = 0;  // never
  if (p->is_gone || p->is_dry || due <= 0)
    at = 1;
  else if (p->is_running && !p->is_hung)
    at = p->started_ns + (int64_t)((double)due * 1e9 / (io->rate * p->speed)) + 2;
  // Setting the same time again would change nothing. But the system call would take longer than the
  // work of a player in a period.
  if (at == p->armed_ns) return;
  p->armed_ns = at;
  struct itimerspec when = {.it_value = {at / 1000000000, at % 1000000000}};
  timerfd_settime(p->timer, TFD_TIMER_ABSTIME, &when, NULL);
}

static bool is_lost(paced_t *p) {
  if (!p->is_gone && p->gone_while && access(p->gone_while, F_OK) == 0) p->is_gone = true;
  if (p->is_gone) {
    // In this state libasound answers -ENODEV.
    snd_pcm_ioplug_set_state(&p->io, SND_PCM_STATE_DISCONNECTED);
    arm(p);
  }
  return p->is_gone;
}

static bool crosses(const paced_t *p, int64_t limit, int64_t frames) {
  return p->captured < limit && p->captured + frames >= limit;
}

// The number of frames since the start that were heard.
static int64_t heard(const paced_t *p) {
  return (int64_t)((double)(now_ns() - p->started_ns) * 1e-9 * p->io.rate * p->speed);
}

// Plays the frames that are due.
static void advance(paced_t *p) {
  if (!p->is_running || p->is_hung) return;
  int64_t due = heard(p);
  // The part after the buffer is filled at the speed of the clock.
  due += due < p->behind ? due : p->behind;
  if (p->rewind_step > 0) due -= due % p->rewind_step;
  int64_t written = handed_over(p);
  // To make the device run dry, the clock jumps: all frames are played in one step, as if the
  // program that plays had slept too long.
  if (due > written || crosses(p, p->starve_after, due - p->played)) due = written;
  if (crosses(p, p->hangs_after, due - p->played)) {
    p->is_hung = true;
    due = p->played + p->hangs_after - p->captured;
  }
  if (crosses(p, p->gone_after, due - p->played)) p->is_gone = true;
  int64_t size = (int64_t)p->io.buffer_size;
  while (p->played < due) {
    int64_t slot = p->played % size;
    int64_t run = due - p->played < size - slot ? due - p->played : size - slot;
    if (p->rewind_step > 0) {
      // The record is written before the frames, so that a reader finds a record for each frame.
      double seconds = (double)p->played / (p->io.rate * p->speed);
      struct stamp stamp = {p->started_ns + (int64_t)(seconds * 1e9), p->captured, run,
                            written - p->played};
      put(p, p->stamps, &stamp, sizeof stamp);
    }
    put(p, p->capture, frame_at(p, p->played), run * p->frame_bytes);
    p->played += run;
    p->captured += run;
  }
  if (p->played == written) {
    p->is_running = false;
    p->is_dry = p->io.state != SND_PCM_STATE_DRAINING;
    note(p, now_ns(), p->is_dry ? "dry" : "stop");
  }
}

static int paced_hw_params(snd_pcm_ioplug_t *io, snd_pcm_hw_params_t *params) {
  (void)params;
  paced_t *p = io->private_data;
  p->frame_bytes = (size_t)snd_pcm_format_physical_width(io->format) / 8 * io->channels;
  char *ring = realloc(p->ring, io->buffer_size * p->frame_bytes);
  if (!ring) return -ENOMEM;
  p->ring = ring;
  if (p->capture >= 0) p->captured = lseek(p->capture, 0, SEEK_END) / (off_t)p->frame_bytes;
  return is_lost(p) ? -ENODEV : 0;
}

static int paced_sw_params(snd_pcm_ioplug_t *io, snd_pcm_sw_params_t *params) {
  paced_t *p = io->private_data;
  return snd_pcm_sw_params_get_avail_min(params, &p->avail_min);
}

static int paced_prepare(snd_pcm_ioplug_t *io) {
  paced_t *p = io->private_data;
  if (is_lost(p)) return -ENODEV;
  p->is_running = p->is_dry = false;
  p->written = p->played = 0;
  arm(p);
  return 0;
}

static int paced_start(snd_pcm_ioplug_t *io) {
  paced_t *p = io->private_data;
  if (is_lost(p)) return -ENODEV;
  p->started_ns = now_ns();
  p->is_running = true;
  note(p, p->started_ns, "start");
  arm(p);
  return 0;
}

static int paced_stop(snd_pcm_ioplug_t *io) {
  paced_t *p = io->private_data;
  // Writes the frames that were heard until now to the file. The other frames are dropped.
  if (!p->is_gone) advance(p);
  if (p->is_running) {
    int64_t lost = p->played - heard(p);
    if (p->behind > 0 && lost > 0 && p->capture >= 0) {
      p->captured -= lost;
      if (ftruncate(p->capture, p->captured * (off_t)p->frame_bytes) != 0) p->error = -EIO;
    }
    note(p, now_ns(), "stop");
  }
  p->is_running = false;
  return 0;
}

// Returns the number of frames played since prepare. With the flag BOUNDARY_WA this position does
// not wrap at the size of the buffer. A position that wraps would be 0 both before a full buffer is
// played and after it.
static snd_pcm_sframes_t paced_pointer(snd_pcm_ioplug_t *io) {
  paced_t *p = io->private_data;
  if (is_lost(p)) return p->played;  // libasound would treat an error as an xrun
  advance(p);
  if (is_lost(p)) return p->played;
  arm(p);
  return p->is_dry ? -EPIPE : p->played;
}

static int paced_delay(snd_pcm_ioplug_t *io, snd_pcm_sframes_t *frames) {
  paced_t *p = io->private_data;
  if (is_lost(p)) return -ENODEV;
  advance(p);
  *frames = handed_over(p) - p->played;
  if (p->is_running && p->behind > 0) *frames = handed_over(p) - heard(p);
  return 0;
}

static snd_pcm_sframes_t paced_transfer(snd_pcm_ioplug_t *io, const snd_pcm_channel_area_t *areas,
                                        snd_pcm_uframes_t offset, snd_pcm_uframes_t count) {
  paced_t *p = io->private_data;
  if (is_lost(p)) return -ENODEV;
  // Interleaved frames are one block of memory. The block begins where the first channel begins.
  const char *from = (const char *)areas->addr + (areas->first + areas->step * offset) / 8;
  size_t slot = (size_t)p->written % io->buffer_size;
  size_t run = count < io->buffer_size - slot ? count : io->buffer_size - slot;
  memcpy(p->ring + slot * p->frame_bytes, from, run * p->frame_bytes);
  memcpy(p->ring, from + run * p->frame_bytes, (count - run) * p->frame_bytes);
  int64_t ahead = p->written - p->played;
  struct stamp stamp = {now_ns(), p->captured + ahead, (int64_t)count, ahead};
  put(p, p->stamps, &stamp, sizeof stamp);
  p->written += (int64_t)count;
  arm(p);
  return p->error ? p->error : (snd_pcm_sframes_t)count;
}

static int paced_revents(snd_pcm_ioplug_t *io, struct pollfd *entries, unsigned int count,
                         unsigned short *revents) {
  paced_t *p = io->private_data;
  // libasound polls the timer. If the timer is readable, the device can take frames.
  *revents = count > 0 && entries->revents & POLLIN ? POLLOUT : 0;
  if (p->is_gone) *revents |= POLLERR;
  return 0;
}

static void destroy(paced_t *p) {
  if (p->timer >= 0) close(p->timer);
  if (p->capture >= 0) close(p->capture);
  if (p->stamps >= 0) close(p->stamps);
  if (p->events >= 0) close(p->events);
  free(p->gone_while);
  free(p->ring);
  free(p);
}

static int paced_close(snd_pcm_ioplug_t *io) {
  destroy(io->private_data);
  return 0;
}

static const snd_pcm_ioplug_callback_t callbacks = {
    .start = paced_start,
    .stop = paced_stop,
    .pointer = paced_pointer,
    .transfer = paced_transfer,
    .close = paced_close,
    .hw_params = paced_hw_params,
    .sw_params = paced_sw_params,
    .prepare = paced_prepare,
    .poll_revents = paced_revents,
    .delay = paced_delay,
};

// MARK: Configuration

enum key {
  KEY_FILE,
  KEY_SPEED,
  KEY_RATES,
  KEY_RATES_FILE,
  KEY_CHANNELS,
  KEY_FORMATS,
  KEY_PERIOD_BYTES,
  KEY_BUFFER_BYTES,
  KEY_STARVE_AFTER,
  KEY_HANGS_AFTER,
  KEY_GONE_AFTER,
  KEY_GONE_WHILE,
  KEY_BUSY_WHILE,
  KEY_REWIND_STEP,
  KEY_BEHIND,
  KEY_STAMPS,
  KEY_EVENTS,
  KEYS
};
static const char *const key_names[KEYS] = {
    "file",         "speed",        "rates",        "rates_file",  "channels",   "formats",
    "period_bytes", "buffer_bytes", "starve_after", "hangs_after", "gone_after", "gone_while",
    "busy_while",   "rewind_step",  "behind",       "stamps",     "events"};

// Reads each value as text, no matter which ALSA type it has. An empty value counts as missing.
static int read_keys(snd_config_t *conf, char *values[KEYS]) {
  snd_config_iterator_t i, next;
  snd_config_for_each(i, next, conf) {
    snd_config_t *entry = snd_config_iterator_entry(i);
    const char *id;
    if (snd_config_get_id(entry, &id) < 0) continue;
    if (!strcmp(id, "type") || !strcmp(id, "comment") || !strcmp(id, "hint")) continue;
    int key = 0;
    while (key < KEYS && strcmp(id, key_names[key]) != 0) key++;
    if (key == KEYS || values[key] || snd_config_get_ascii(entry, &values[key]) < 0) {
      SNDERR("paced: unknown or broken key %s", id);
      return -EINVAL;
    }
    if (!*values[key]) {
      free(values[key]);
      values[key] = NULL;
    }
  }
  return 0;
}

// Limits a parameter to `words`: numbers, a range of two numbers, or names of formats.
static int limit(paced_t *p, int parameter, const char *words) {
  unsigned list[32], count = 0;
  bool is_range = false;
  for (const char *word = words; *word && count < 32;) {
    char *end = NULL;
    if (parameter == SND_PCM_IOPLUG_HW_FORMAT) {
      char name[32] = "";
      snprintf(name, sizeof name, "%.*s", (int)strcspn(word, " "), word);
      snd_pcm_format_t format = snd_pcm_format_value(name);
      if (format != SND_PCM_FORMAT_UNKNOWN) end = (char *)word + strcspn(word, " ");
      list[count++] = (unsigned)format;
    } else {
      list[count++] = (unsigned)strtoul(word, &end, 10);
    }
    if (!end || end == word || (*end && !strchr(" -", *end))) {
      SNDERR("paced: cannot parse \"%s\"", words);
      return -EINVAL;
    }
    is_range |= *end == '-';
    word = end + (*end != 0);
  }
  return is_range && count == 2
             ? snd_pcm_ioplug_set_param_minmax(&p->io, parameter, list[0], list[1])
             : snd_pcm_ioplug_set_param_list(&p->io, parameter, count, list);
}

static void read_rates(const char *path, char **rates) {
  FILE *file = path ? fopen(path, "re") : NULL;
  if (!file) return;
  char words[256] = "";
  if (fgets(words, sizeof words, file)) {
    free(*rates);
    *rates = strdup(words);
  }
  fclose(file);
}

static int limit_all(paced_t *p, char *values[KEYS]) {
  // Plug-ins such as `plug` need mmap access. libasound emulates mmap access with read/write access,
  // so both kinds of access are offered.
  static const unsigned accesses[] = {SND_PCM_ACCESS_RW_INTERLEAVED,
                                      SND_PCM_ACCESS_MMAP_INTERLEAVED};
  snd_pcm_ioplug_t *io = &p->io;
  int status = snd_pcm_ioplug_set_param_list(io, SND_PCM_IOPLUG_HW_ACCESS, 2, accesses);
  read_rates(values[KEY_RATES_FILE], &values[KEY_RATES]);
  const char *rates = values[KEY_RATES] ? values[KEY_RATES] : "8000-384000";
  const char *channels = values[KEY_CHANNELS] ? values[KEY_CHANNELS] : "1-8";
  const char *formats = values[KEY_FORMATS] ? values[KEY_FORMATS] : "S32_LE";
  const char *period = values[KEY_PERIOD_BYTES] ? values[KEY_PERIOD_BYTES] : "64-1048576";
  if (status == 0) status = limit(p, SND_PCM_IOPLUG_HW_PERIOD_BYTES, period);
  // A limit of the number of periods would force this number to be an integer. So the number of
  // periods is not limited if the size of the buffer is given.
  if (status == 0)
    status = values[KEY_BUFFER_BYTES]
                 ? limit(p, SND_PCM_IOPLUG_HW_BUFFER_BYTES, values[KEY_BUFFER_BYTES])
                 : snd_pcm_ioplug_set_param_minmax(io, SND_PCM_IOPLUG_HW_PERIODS, 2, 64);
  if (status == 0) status = limit(p, SND_PCM_IOPLUG_HW_RATE, rates);
  if (status == 0) status = limit(p, SND_PCM_IOPLUG_HW_CHANNELS, channels);
  if (status == 0) status = limit(p, SND_PCM_IOPLUG_HW_FORMAT, formats);
  return status;
}

static int open_file(const char *path, int *descriptor) {
  if (!path) return 0;
  *descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (*descriptor >= 0) return 0;
  int status = -errno;
  SNDERR("paced: %s cannot be opened", path);
  return status;
}

// Sets up all parts that do not need a PCM.
static int equip(paced_t *p, char *values[KEYS]) {
  p->speed = values[KEY_SPEED] ? strtod(values[KEY_SPEED], NULL) : 1;
  if (!(p->speed > 0)) {
    SNDERR("paced: speed must be above 0");
    return -EINVAL;
  }
  if (values[KEY_STARVE_AFTER]) p->starve_after = strtoll(values[KEY_STARVE_AFTER], NULL, 10);
  if (values[KEY_HANGS_AFTER]) p->hangs_after = strtoll(values[KEY_HANGS_AFTER], NULL, 10);
  if (values[KEY_GONE_AFTER]) p->gone_after = strtoll(values[KEY_GONE_AFTER], NULL, 10);
  if (values[KEY_REWIND_STEP]) p->rewind_step = strtoll(values[KEY_REWIND_STEP], NULL, 10);
  if (p->rewind_step < 0) {
    SNDERR("paced: rewind_step must not be negative");
    return -EINVAL;
  }
  if (values[KEY_BEHIND]) p->behind = strtoll(values[KEY_BEHIND], NULL, 10);
  if (p->behind < 0) {
    SNDERR("paced: behind must not be negative");
    return -EINVAL;
  }
  p->gone_while = values[KEY_GONE_WHILE];
  values[KEY_GONE_WHILE] = NULL;
  if (p->gone_while && access(p->gone_while, F_OK) == 0) return -ENODEV;
  if (values[KEY_BUSY_WHILE] && access(values[KEY_BUSY_WHILE], F_OK) == 0) return -EBUSY;
  int status = open_file(values[KEY_FILE], &p->capture);
  if (status == 0) status = open_file(values[KEY_STAMPS], &p->stamps);
  if (status == 0) status = open_file(values[KEY_EVENTS], &p->events);
  if (status < 0) return status;
  p->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
  return p->timer < 0 ? -errno : 0;
}

SND_PCM_PLUGIN_DEFINE_FUNC(paced) {
  (void)root;
  if (stream != SND_PCM_STREAM_PLAYBACK) return -EINVAL;
  paced_t *p = calloc(1, sizeof *p);
  if (!p) return -ENOMEM;
  p->timer = p->capture = p->stamps = p->events = -1;
  char *values[KEYS] = {NULL};
  int status = read_keys(conf, values);
  if (status == 0) status = equip(p, values);
  if (status == 0) {
    p->io.version = SND_PCM_IOPLUG_VERSION;
    p->io.name = "A clock and a file";
    p->io.flags = SND_PCM_IOPLUG_FLAG_BOUNDARY_WA;
    p->callbacks = callbacks;
    // Without `transfer`, libasound writes into the shared memory only.
    if (p->rewind_step > 0) p->callbacks.transfer = NULL;
    p->io.callback = &p->callbacks;
    p->io.mmap_rw = p->rewind_step > 0;
    p->io.private_data = p;
    p->io.poll_fd = p->timer;
    p->io.poll_events = POLLIN;
    status = snd_pcm_ioplug_create(&p->io, name, stream, mode);
    if (status == 0 && (status = limit_all(p, values)) < 0) {
      snd_pcm_ioplug_delete(&p->io);  // calls paced_close
      p = NULL;
    }
  }
  for (int key = 0; key < KEYS; key++) free(values[key]);
  if (status == 0)
    *pcmp = p->io.pcm;
  else if (p)
    destroy(p);
  return status;
}

SND_PCM_PLUGIN_SYMBOL(paced)
