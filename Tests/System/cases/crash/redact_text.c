// Runs `redact` on its input, for test_small_helpers.py. The argument is the folder of the bonds. With the second
// argument `--codes`, prints the codes of the bonds instead.

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../../board/helpers/bonds.h"
#include "../../../../board/helpers/redact.h"

int main(int count, char **arguments) {
  int bonds = count > 1 ? open(arguments[1], O_RDONLY | O_DIRECTORY) : -1;
  if (count > 2) {
    print_bond_codes(bonds, stdout);
    return 0;
  }
  static char read[1 << 20];
  size_t size = fread(read, 1, sizeof read, stdin);
  // The block has the exact size of the text, so that the sanitizer finds each access outside of the text.
  char *text = malloc(size ? size : 1);
  memcpy(text, read, size);
  fwrite(text, 1, redact(text, size, bonds), stdout);
  free(text);
  return 0;
}
