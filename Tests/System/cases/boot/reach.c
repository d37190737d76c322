// reach: prints the Unix sockets to which the process of a service may connect.
//
//   reach PID CAPABILITIES SOCKET [SOCKET ...]
//
// The program enters the mount namespace of the process, takes its user, its groups and CAPABILITIES (a hexadecimal
// number), and tries to connect to each socket. It connects with a wrong socket type, so that no server gets a
// connection: the kernel checks the rights first, and then refuses the type (EPROTOTYPE).

#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

static _Noreturn void fail(const char *what) {
  perror(what);
  exit(2);
}

static void enter(const char *pid) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/ns/mnt", pid);
  int namespace = open(path, O_RDONLY | O_CLOEXEC);
  if (namespace < 0 || setns(namespace, CLONE_NEWNS)) fail(path);
  close(namespace);
}

static void take_rights(FILE *status, unsigned long long capabilities) {
  char line[512];
  gid_t groups[64], group = 0;
  uid_t user = 0;
  size_t count = 0;
  while (fgets(line, sizeof line, status)) {
    if (!strncmp(line, "Uid:", 4)) user = strtoul(line + 4, NULL, 10);
    if (!strncmp(line, "Gid:", 4)) group = strtoul(line + 4, NULL, 10);
    if (strncmp(line, "Groups:", 7)) continue;
    for (char *text = line + 7, *end; count < 64; text = end) {
      groups[count] = strtoul(text, &end, 10);
      if (end == text) break;
      count++;
    }
  }
  if (setgroups(count, groups) || prctl(PR_SET_KEEPCAPS, 1)) fail("setgroups");
  if (setresgid(group, group, group) || setresuid(user, user, user)) fail("setresuid");
  struct __user_cap_header_struct header = {_LINUX_CAPABILITY_VERSION_3, 0};
  struct __user_cap_data_struct data[2] = {0};
  for (int i = 0; i < 2; i++) data[i].effective = data[i].permitted = capabilities >> (32 * i);
  if (syscall(SYS_capset, &header, data)) fail("capset");
}

static int may_connect(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, path, sizeof address.sun_path - 1);
  static const int types[] = {SOCK_SEQPACKET, SOCK_STREAM};
  for (size_t i = 0; i < 2; i++) {
    int client = socket(AF_UNIX, types[i] | SOCK_CLOEXEC, 0);
    if (client < 0) fail("socket");
    int failed = connect(client, (struct sockaddr *)&address, sizeof address) ? errno : 0;
    close(client);
    if (failed == EPROTOTYPE) return 1;
    if (failed) return 0;
  }
  return 1;
}

int main(int count, char **arguments) {
  if (count < 3) return 2;
  char path[64];
  snprintf(path, sizeof path, "/proc/%s/status", arguments[1]);
  FILE *status = fopen(path, "re");
  if (!status) fail(path);
  enter(arguments[1]);
  take_rights(status, strtoull(arguments[2], NULL, 16));
  for (int i = 3; i < count; i++)
    if (may_connect(arguments[i])) puts(arguments[i]);
  return 0;
}
