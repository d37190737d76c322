// Runs `make_layout` and `erase_if_marked` on a folder, for test_layout_steps.py and test_erase.py.

#include <fcntl.h>
#include <stdio.h>

#include "../../../../board/helpers/erase.h"
#include "../../../../board/helpers/layout.h"
#include "../../../../board/helpers/report.h"

int main(int count, char **arguments) {
  if (count != 3) return 2;
  open_report(arguments[2]);
  int data = open(arguments[1], O_RDONLY | O_DIRECTORY);
  if (data < 0 || make_layout(data)) return 1;
  erase_if_marked(data);
  return 0;
}
