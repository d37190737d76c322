// switch: an ALSA control that records each change of its switch, with the time, in a file.
//
//   cc -std=gnu11 -Wall -shared -fPIC -DPIC -o libasound_module_ctl_switch.so switch.c -lasound
//
//   ctl_type.switch { lib "/where/it/is/libasound_module_ctl_switch.so" }
//   ctl.car {
//       type switch
//       file "/tmp/car.switch"  # a record for each change of Master, see struct change
//       gone_while "/tmp/gone"  # the control is unplugged as long as this file exists
//   }
//
// The control has three elements. Master is a switch with two channels, which are switched
// separately. Speaker is a switch with one channel. Tone is a volume and not a switch. Master
// counts as on while at least one of its channels is on. The value of Master is in the last record
// of the file, so all handles read the same value. Without a record, Master is on.

#include <alsa/asoundlib.h>
#include <alsa/control_external.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

// Native byte order.
struct change {
  int64_t monotonic_ns;
  int64_t channels;  // one bit per channel that is on
};

enum { MASTER, SPEAKER, TONE, ELEMENTS };
static const struct {
  const char *name;
  int type;
  unsigned count;
} elements[ELEMENTS] = {
    {"Master Playback Switch", SND_CTL_ELEM_TYPE_BOOLEAN, 2},
    {"Speaker Playback Switch", SND_CTL_ELEM_TYPE_BOOLEAN, 1},
    {"Tone Playback Volume", SND_CTL_ELEM_TYPE_INTEGER, 1},
};

typedef struct {
  snd_ctl_ext_t ext;
  char *gone_while;
  int file;
  long others[ELEMENTS];
  int64_t known;  // channels of Master as last reported to this handle
} switch_t;

static int is_gone(const switch_t *s) {
  return s->gone_while && access(s->gone_while, F_OK) == 0;
}

static int64_t master(const switch_t *s) {
  struct change last;
  off_t end = lseek(s->file, 0, SEEK_END);
  if (end < (off_t)sizeof last) return 3;
  return pread(s->file, &last, sizeof last, end - (off_t)sizeof last) == sizeof last ? last.channels
                                                                                     : 3;
}

static int switch_count(snd_ctl_ext_t *ext) {
  (void)ext;
  return ELEMENTS;
}

static int switch_list(snd_ctl_ext_t *ext, unsigned offset, snd_ctl_elem_id_t *id) {
  (void)ext;
  if (offset >= ELEMENTS) return -EINVAL;
  snd_ctl_elem_id_set_interface(id, SND_CTL_ELEM_IFACE_MIXER);
  snd_ctl_elem_id_set_name(id, elements[offset].name);
  return 0;
}

static snd_ctl_ext_key_t switch_find(snd_ctl_ext_t *ext, const snd_ctl_elem_id_t *id) {
  (void)ext;
  for (snd_ctl_ext_key_t key = 0; key < ELEMENTS; key++)
    if (!strcmp(snd_ctl_elem_id_get_name(id), elements[key].name)) return key;
  return SND_CTL_EXT_KEY_NOT_FOUND;
}

static int switch_attribute(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, int *type, unsigned *access,
                            unsigned *count) {
  (void)ext;
  *type = elements[key].type;
  *access = SND_CTL_EXT_ACCESS_READWRITE;
  *count = elements[key].count;
  return 0;
}

static int switch_info(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *low, long *high,
                       long *step) {
  (void)ext;
  *low = 0;
  *high = key == TONE ? 10 : 1;
  *step = 1;
  return 0;
}

static int switch_read(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *values) {
  switch_t *s = ext->private_data;
  if (is_gone(s)) return -ENODEV;
  values[0] = s->others[key];
  if (key == MASTER)
    for (int channel = 0; channel < 2; channel++) values[channel] = master(s) >> channel & 1;
  return 0;
}

static int switch_write(snd_ctl_ext_t *ext, snd_ctl_ext_key_t key, long *values) {
  switch_t *s = ext->private_data;
  if (is_gone(s)) return -ENODEV;
  if (key != MASTER) {
    s->others[key] = values[0];
    return 1;
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  struct change change = {now.tv_sec * INT64_C(1000000000) + now.tv_nsec,
                          (values[0] != 0) | (values[1] != 0) << 1};
  s->known = change.channels;
  if (change.channels == master(s)) return 0;
  return write(s->file, &change, sizeof change) == sizeof change ? 1 : -EIO;
}

// Reports a change of Master that was made through another handle.
static int switch_event(snd_ctl_ext_t *ext, snd_ctl_elem_id_t *id, unsigned *events) {
  switch_t *s = ext->private_data;
  if (is_gone(s)) return -ENODEV;
  int64_t channels = master(s);
  if (channels == s->known) return -EAGAIN;
  s->known = channels;
  switch_list(ext, MASTER, id);
  *events = SND_CTL_EVENT_MASK_VALUE;
  return 1;
}

static void destroy(switch_t *s) {
  if (s->file >= 0) close(s->file);
  free(s->gone_while);
  free(s);
}

static void switch_close(snd_ctl_ext_t *ext) { destroy(ext->private_data); }

static const snd_ctl_ext_callback_t callbacks = {
    .close = switch_close,
    .elem_count = switch_count,
    .elem_list = switch_list,
    .find_elem = switch_find,
    .get_attribute = switch_attribute,
    .get_integer_info = switch_info,
    .read_integer = switch_read,
    .write_integer = switch_write,
    .read_event = switch_event,
};

static int equip(switch_t *s, snd_config_t *conf) {
  const char *file = NULL, *gone = NULL;
  snd_config_t *entry;
  if (snd_config_search(conf, "file", &entry) == 0) snd_config_get_string(entry, &file);
  if (snd_config_search(conf, "gone_while", &entry) == 0) snd_config_get_string(entry, &gone);
  if (gone && *gone) s->gone_while = strdup(gone);
  if (is_gone(s)) return -ENODEV;
  if (!file) return -EINVAL;
  s->file = open(file, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
  if (s->file < 0) return -errno;
  s->known = master(s);
  return 0;
}

SND_CTL_PLUGIN_DEFINE_FUNC(switch) {
  (void)root;
  switch_t *s = calloc(1, sizeof *s);
  if (!s) return -ENOMEM;
  s->file = -1;
  s->others[SPEAKER] = 1;
  int status = equip(s, conf);
  if (status == 0) {
    s->ext.version = SND_CTL_EXT_VERSION;
    s->ext.card_idx = 0;
    snprintf(s->ext.id, sizeof s->ext.id, "switch");
    snprintf(s->ext.driver, sizeof s->ext.driver, "switch");
    snprintf(s->ext.name, sizeof s->ext.name, "A file");
    snprintf(s->ext.longname, sizeof s->ext.longname, "A file");
    snprintf(s->ext.mixername, sizeof s->ext.mixername, "A file");
    s->ext.poll_fd = -1;
    s->ext.callback = &callbacks;
    s->ext.private_data = s;
    status = snd_ctl_ext_create(&s->ext, name, mode);
  }
  if (status == 0)
    *handlep = s->ext.handle;
  else
    destroy(s);
  return status;
}

SND_CTL_PLUGIN_SYMBOL(switch)
