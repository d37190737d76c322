#define _GNU_SOURCE
#include "erase.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files.h"
#include "report.h"

// The name of the mark, the file with which the daemon requests the erasure. The mark is in the daemon's folder, as in
// autoharp.service. Only the daemon can make a file in this folder.
#define MARK "erase-personal-data"
// Each level of folders needs one open descriptor, so the number of levels is limited.
#define DEPTH_LIMIT 64

// Returns 1 if the entry with this name is kept.
typedef int keep_rule(const char *name);

static int has_prefix(const char *name, const char *prefix) { return strncasecmp(name, prefix, strlen(prefix)) == 0; }

static int keeps_nothing(const char *name) {
  (void)name;
  return 0;
}

// Keeps only these files of the daemon. All other files are regarded as personal and are erased, even a file that only
// a later version of the daemon makes.
static int keeps_of_daemon(const char *name) {
  static const char *const kept[] = {"settings.conf", "playlists", "clock", MARK};
  for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
    if (strcmp(name, kept[i]) == 0) return 1;
  return 0;
}

// Keeps the playlists, except the favourites, the bookmarks and their copies. Does not keep the daemon's hidden files,
// whose names begin with a dot: the list of stars and dislikes, and files that are being written.
static int keeps_playlist(const char *name) {
  return name[0] != '.' && !has_prefix(name, "Favourites.m3u8") && !has_prefix(name, "Bookmarks.m3u8");
}

// In /data itself, only entries with known names are removed: files of older images, and entries that make_layout() has
// renamed. Music and the configuration are kept.
static int keeps_of_data(const char *name) {
  static const char *const moved[] = {"state", "state.damaged", "artwork"};
  for (size_t i = 0; i < sizeof moved / sizeof *moved; i++)
    if (strcmp(name, moved[i]) == 0) return 0;
  return !has_prefix(name, "aside-") || has_prefix(name, "aside-music-") || has_prefix(name, "aside-autoharp.conf-")
         || has_prefix(name, "aside-.autoharp.conf.new-");
}

static int empty_folder(int folder, keep_rule *keeps, int depth);

// Removes an entry of any type, with everything in it. Never follows a link.
static int remove_entry(int folder, const char *name, int depth) {
  if (unlinkat(folder, name, 0) == 0) return 0;
  if (errno != EISDIR && errno != EPERM) return -1;
  if (depth >= DEPTH_LIMIT) {
    errno = ELOOP;
    return -1;
  }
  int inner = open_folder(folder, name);
  if (inner < 0) return -1;
  int failed = empty_folder(inner, keeps_nothing, depth + 1), number = errno;
  close(inner);
  errno = number;
  return failed ? -1 : unlinkat(folder, name, AT_REMOVEDIR);
}

// Removes all entries of a folder that `keeps` does not keep. Reads the folder again until nothing more can be removed,
// because readdir() can miss entries while others are removed. Returns 0, or -1 with errno if an entry could not be
// removed.
static int empty_folder(int folder, keep_rule *keeps, int depth) {
  int copy = dup(folder);
  DIR *list = copy < 0 ? NULL : fdopendir(copy);
  if (!list) {
    if (copy >= 0) close(copy);
    return -1;
  }
  int number, has_removed;
  do {
    number = has_removed = 0;
    rewinddir(list);
    for (struct dirent *entry; errno = 0, (entry = readdir(list));) {
      const char *name = entry->d_name;
      if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || keeps(name)) continue;
      if (remove_entry(folder, name, depth) == 0) has_removed = 1;
      else number = errno;
    }
    if (errno && !number) number = errno;
  } while (has_removed);
  closedir(list);
  errno = number;
  return number ? -1 : 0;
}

// Removes all entries of a folder that `keeps` does not keep. A folder that does not exist counts as empty.
static int empty(int parent, const char *name, keep_rule *keeps) {
  int folder = open_folder(parent, name);
  if (folder < 0) return errno == ENOENT ? 0 : -1;
  int failed = empty_folder(folder, keeps, 1), number = errno;
  close(folder);
  errno = number;
  return failed;
}

static int erase(int data, int daemon) {
  // e2fsck puts parts of any file into lost+found, so this folder can contain personal data.
  static const char *const emptied[] = {"library", "bluetooth", "log", "lost+found"};
  int number = 0;
  for (size_t i = 0; i < sizeof emptied / sizeof *emptied; i++)
    if (empty(data, emptied[i], keeps_nothing)) number = errno;
  if (empty(daemon, "playlists", keeps_playlist)) number = errno;
  if (empty_folder(daemon, keeps_of_daemon, 1)) number = errno;
  if (empty_folder(data, keeps_of_data, 1)) number = errno;
  errno = number;
  return number ? -1 : 0;
}

static int is_marked(int daemon) {
  struct stat status;
  return fstatat(daemon, MARK, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(status.st_mode);
}

void erase_if_marked(int data) {
  int daemon = open_folder(data, "autoharp");
  if (daemon >= 0 && is_marked(daemon)) {
    // syncfs() ensures that everything else is removed on the disk before the mark is removed.
    if (erase(data, daemon) || syncfs(data) || unlinkat(daemon, MARK, 0) || fsync(daemon))
      notice("data.not-erased", "Some personal data could not be erased (%s). The unit tries again at the next start.",
             strerror(errno));
    else
      notice("data.erased", "The personal data is erased. Music, playlists and settings were kept.");
  }
  if (daemon >= 0) close(daemon);
}
