// libsystemd, which has the event loop, D-Bus and the connection to the service manager. This
// header also contains the parts of these interfaces that Swift does not import.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/pidfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <systemd/sd-bus.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <systemd/sd-id128.h>
#include <unistd.h>

// In C, epoll's flags are an enum, and no Swift function accepts the type of this enum. The type of
// the clock constants differs from the type in Swift's Glibc module.
enum { csd_readable = EPOLLIN, csd_writable = EPOLLOUT, csd_hung_up = EPOLLHUP | EPOLLERR };
static const clockid_t csd_monotonic = CLOCK_MONOTONIC;
static const clockid_t csd_boottime = CLOCK_BOOTTIME;

// The first argument of sd_notify is 0, so sd_notify keeps the environment variable NOTIFY_SOCKET.
static inline int csd_notify(const char *state) { return sd_notify(0, state); }

// `struct ucred` and `accept4` are declared only under _GNU_SOURCE, which a module's header must
// not define.
int accept4(int, struct sockaddr *restrict, socklen_t *restrict, int);
static inline int csd_accept(int listening) {
  return accept4(listening, 0, 0, SOCK_CLOEXEC | SOCK_NONBLOCK);
}
static inline int csd_stream_socket(void) {
  return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}
static inline int csd_socket_pair(int *pair) {
  return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair);
}
// pipe2 is declared only under _GNU_SOURCE, too. Programs that this process starts do not inherit
// the ends of the pipe. The read end does not block.
int pipe2(int *, int);
static inline int csd_pipe(int *ends) {
  if (pipe2(ends, O_CLOEXEC) < 0) return -1;
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0) return 0;
  const int error = errno;
  close(ends[0]);
  close(ends[1]);
  errno = error;
  return -1;
}
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
// The environment variables. <unistd.h> declares them only under _GNU_SOURCE.
static inline char **csd_environment(void) {
  extern char **environ;
  return environ;
}

struct csd_credentials {
  pid_t pid;
  uid_t uid;
  gid_t gid;
};
static inline int csd_get_credentials(int socket, struct csd_credentials *credentials) {
  socklen_t size = sizeof *credentials;
  return getsockopt(socket, SOL_SOCKET, SO_PEERCRED, credentials, &size);
}
// fcntl is variadic, so Swift cannot call it.
static inline int csd_duplicate(int fd) { return fcntl(fd, F_DUPFD_CLOEXEC, 3); }

// Fills the address in C, because `sun_path` is a tuple in Swift. Returns 0 if the path is longer
// than the 107 bytes that fit.
static inline int csd_unix_address(const char *path, struct sockaddr_un *address) {
  const size_t length = strlen(path);
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  if (length >= sizeof address->sun_path) return 0;
  memcpy(address->sun_path, path, length);
  return 1;
}
static inline int csd_bind(int socket, const struct sockaddr_un *address) {
  return bind(socket, (const struct sockaddr *)address, sizeof *address);
}
static inline int csd_connect(int socket, const struct sockaddr_un *address) {
  return connect(socket, (const struct sockaddr *)address, sizeof *address);
}
