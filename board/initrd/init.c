// Process 1 of the initrd: loads the kernel modules of the disk, mounts the root file system, and
// becomes systemd.
//
// This is a C program and not a shell script, because all other programs wait for it, and a shell would start a process
// for each step. The program reads the lists of modules that the build of the image has made (/modules.*), and finds
// the root partition by its name.
//
// At the same time, two child processes load the modules of the sound card and of the file system of /data. Another
// child sets the groups of the device nodes of sound cards, input devices, displays and GPIO chips, during the first
// minute. The kernel makes these nodes for root only. udev sets their groups too, but the daemon and the screen do not
// wait for udev and do not run as root.
//
// One more child checks and mounts /data. With a second processor, this child runs while systemd
// still reads its units.

#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "../helpers/partition.h"

// The name of the partition with root is ROOT_NAME and the letter of the slot.
#define ROOT_NAME "autoharp-root-"
#define SLOT_ARGUMENT " autoharp.slot="
#define ROOT_TYPE "squashfs"
#define SYSTEMD "/usr/lib/systemd/systemd"
#define MOUNT_DATA "/usr/lib/autoharp/mount-data"

// Groups, as in rootfs-overlay/etc/group.
#define GROUP_AUDIO 29
#define GROUP_VIDEO 44
#define GROUP_INPUT 104
#define GROUP_GPIO 805

// The child process that sets the groups of device nodes runs for this time. udev usually sets the groups after a few
// seconds, but with a slow sound card udev can run later.
#define CHILD_SECONDS 60

static void log_error(const char *format, ...) {
  char text[512];
  va_list arguments;
  va_start(arguments, format);
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  int kmsg = open("/dev/kmsg", O_WRONLY | O_CLOEXEC);
  if (kmsg < 0) return;
  // <3> is the level of an error. Messages of this level appear on the console despite `quiet`. The
  // text begins with an identifier; docs/board.md lists the identifiers.
  dprintf(kmsg, "<3>initrd: %.*s\n", length, text);
  close(kmsg);
}

// Loads the modules of a list, one after the other, until `is_enough` returns 1. If
// `is_enough` is NULL, loads all modules of the list.
static void load_modules(const char *list, int (*is_enough)(void)) {
  FILE *file = fopen(list, "re");
  if (!file) return;
  char path[256];
  while (!(is_enough && is_enough()) && fgets(path, sizeof path, file)) {
    path[strcspn(path, "\n")] = 0;
    int module = open(path, O_RDONLY | O_CLOEXEC);
    if (module < 0) {
      if (errno != ENOENT) log_error("module-unreadable: %s: %s", path, strerror(errno));
      continue;
    }
    if (syscall(SYS_finit_module, module, "", 0) && errno != EEXIST)
      log_error("module-failed: %s: %s", path, strerror(errno));
    close(module);
  }
  fclose(file);
}

// --- the child --------------------------------------------------------------------------------

static void set_node_group(int folder, const char *name, const char *prefix, gid_t group) {
  if (name[0] == '.' || strncmp(name, prefix, strlen(prefix))) return;
  struct stat node;
  if (fstatat(folder, name, &node, AT_SYMLINK_NOFOLLOW) || !S_ISCHR(node.st_mode)) return;
  // If the group is no longer root, udev has set it. udev sets the right group, so the node stays as it is.
  if (node.st_gid != 0) return;
  if (fchownat(folder, name, 0, group, AT_SYMLINK_NOFOLLOW) || fchmodat(folder, name, 0660, 0))
    log_error("node-group-failed: %s: %s", name, strerror(errno));
}

struct watched {
  const char *path;
  const char *prefix;
  gid_t group;
  int folder;
  int watch;
};

static void set_node_groups(void) {
  struct watched all[] = {{"/dev/snd", "", GROUP_AUDIO, -1, -1},
                          {"/dev/input", "", GROUP_INPUT, -1, -1},
                          {"/dev/dri", "", GROUP_VIDEO, -1, -1},
                          // The daemon needs the GPIO line of the amplifier before the first sound.
                          {"/dev", "gpiochip", GROUP_GPIO, -1, -1}};
  int events = inotify_init1(IN_CLOEXEC);
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
    // The kernel makes a folder such as /dev/snd only when it makes the first node in it. This program makes the folder
    // earlier, so that it can watch the folder from the beginning. The folder stays open, because /dev moves to another
    // path when root is switched.
    mkdir(all[i].path, 0755);
    all[i].folder = open(all[i].path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    // IN_ATTRIB: the kernel first makes a node, and then sets its owner to root in a second step. If
    // this child sets the group between the two steps, the second step overwrites the group. So the
    // child watches the second step too, and then sets the group again.
    all[i].watch = inotify_add_watch(events, all[i].path, IN_CREATE | IN_ATTRIB);
    DIR *list = fdopendir(dup(all[i].folder));
    for (struct dirent *entry; list && (entry = readdir(list));)
      set_node_group(all[i].folder, entry->d_name, all[i].prefix, all[i].group);
    if (list) closedir(list);
  }
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  for (time_t end = now.tv_sec + CHILD_SECONDS; now.tv_sec < end;) {
    struct pollfd wait = {events, POLLIN, 0};
    if (poll(&wait, 1, (int)(end - now.tv_sec) * 1000) > 0) {
      char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
      ssize_t got = read(events, buffer, sizeof buffer);
      for (char *at = buffer; got > 0 && at < buffer + got;) {
        struct inotify_event *event = (struct inotify_event *)at;
        for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
          if (event->wd == all[i].watch && event->len)
            set_node_group(all[i].folder, event->name, all[i].prefix, all[i].group);
        at += sizeof *event + event->len;
      }
    }
    clock_gettime(CLOCK_MONOTONIC, &now);
  }
}

static void load_in_background(const char *list) {
  if (fork() != 0) return;
  load_modules(list, NULL);
  _exit(0);
}

static void start_child(void) {
  if (fork() != 0) return;
  setsid();
  // Other processes load the modules. So if a sound card answers slowly or never, the groups of the other nodes are
  // still set at once.
  load_in_background("/modules.sound");
  load_in_background("/modules.data");
  set_node_groups();
  _exit(0);
}

// --- root -------------------------------------------------------------------------------------

// The name of the root partition. main sets it before other functions use it.
static char root_name[] = ROOT_NAME "a";

// Reads the slot from the command line of the kernel: `a` or `b`. Without the argument it is `a`.
static void choose_slot(void) {
  char line[4096] = " ";
  int file = open("/proc/cmdline", O_RDONLY | O_CLOEXEC);
  ssize_t got = read(file, line + 1, sizeof line - 2);
  close(file);
  if (got < 0) return;
  const char *at = strstr(line, SLOT_ARGUMENT);
  if (!at) return;
  at += strlen(SLOT_ARGUMENT);
  if ((at[0] == 'a' || at[0] == 'b') && (at[1] == ' ' || at[1] == '\n' || !at[1]))
    root_name[sizeof root_name - 2] = at[0];
  else
    log_error("slot-unknown: %.20s; slot a is used", at);
}

static int root_exists(void) {
  char device[300];
  return find_partition(root_name, device, sizeof device);
}

static void mount_root(void) {
  char device[300];
  for (unsigned tries = 0;; tries++) {
    if (find_partition(root_name, device, sizeof device)) {
      if (mount(device, "/root", ROOT_TYPE, MS_RDONLY, "") == 0) return;
      if (tries % 1000 == 0)
          log_error("root-not-mounted: %s (%s): %s", root_name, device, strerror(errno));
    } else if (tries % 1000 == 999) {
      log_error("root-missing: no partition has the name %s yet", root_name);
    }
    // The kernel can find a disk at any time. A wait of 2 ms has almost no effect on the duration of the boot.
    usleep(2000);
  }
}

// Mounts /run, and moves /dev, /proc and /sys to the new root. systemd keeps mounts that it finds. So the files that
// are written to /run before the start of systemd are not lost.
static void move_to_root(void) {
  mount("run", "/root/run", "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755,size=20%,nr_inodes=800k");
  const char *folders[] = {"/dev", "/proc", "/sys"};
  for (unsigned i = 0; i < sizeof folders / sizeof *folders; i++) {
    char to[32];
    snprintf(to, sizeof to, "/root%s", folders[i]);
    if (mount(folders[i], to, NULL, MS_MOVE, NULL))
      log_error("mount-not-moved: %s: %s", folders[i], strerror(errno));
  }
  if (chdir("/root") || mount(".", "/", NULL, MS_MOVE, NULL) || chroot(".") || chdir("/"))
    log_error("root-not-switched: %s", strerror(errno));
}

// Starts the process that checks and mounts /data, and writes its number to the file `worker`. If
// /data is not mounted yet when data.service starts, data.service waits for this process.
static void start_mount_data(char *const environment[]) {
  pid_t child = fork();
  if (child > 0) {
    mkdir("/run/data", 0755);
    int file = open("/run/data/worker", O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    dprintf(file, "%d\n", child);
    close(file);
  }
  if (child != 0) return;
  setsid();
  int kmsg = open("/dev/kmsg", O_WRONLY);
  for (int i = 1; kmsg >= 0 && i < 3; i++) dup2(kmsg, i);
  execle(MOUNT_DATA, MOUNT_DATA, "early", (char *)NULL, environment);
  _exit(1);
}

int main(void) {
  const unsigned long plain = MS_NOSUID | MS_NODEV | MS_NOEXEC;
  mount("proc", "/proc", "proc", plain, NULL);
  mount("sys", "/sys", "sysfs", plain, NULL);
  mount("dev", "/dev", "devtmpfs", MS_NOSUID, "mode=0755");

  choose_slot();
  start_child();
  load_modules("/modules.root", NULL);
  load_modules("/modules.disks", root_exists);
  mount_root();

  move_to_root();
  // Without TERM=dumb, systemd would query the terminal for its size and its colours, and wait for the answer.
  char *environment[] = {"TERM=dumb", "PATH=/usr/sbin:/usr/bin", NULL};
  start_mount_data(environment);
  // stick@.service writes reports here. The daemon watches the folder from its start, so the folder must exist before.
  mkdir("/run/sticks", 0755);
  // stick@.service mounts sticks here for autoharp-library.service.
  mkdir("/run/library-sticks", 0755);

  int console = open("/dev/console", O_RDWR | O_NOCTTY);
  for (int i = 0; console >= 0 && i < 3; i++) dup2(console, i);
  if (console > 2) close(console);
  execle(SYSTEMD, "systemd", (char *)NULL, environment);
  log_error("systemd-not-started: %s: %s", SYSTEMD, strerror(errno));
  for (;;) pause();
}
