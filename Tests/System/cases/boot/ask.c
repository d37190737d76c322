// ask: sends one line to a helper's socket, and prints the answer until the helper closes the connection.
//
//   ask SOCKET REQUEST

#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

int main(int count, char **arguments) {
  if (count != 3) return 2;
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  strncpy(address.sun_path, arguments[1], sizeof address.sun_path - 1);
  int helper = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (helper < 0 || connect(helper, (struct sockaddr *)&address, sizeof address)) {
    perror(arguments[1]);
    return 1;
  }
  dprintf(helper, "%s\n", arguments[2]);
  char part[4096];
  for (ssize_t got; (got = read(helper, part, sizeof part)) > 0;) fwrite(part, 1, (size_t)got, stdout);
  return 0;
}
