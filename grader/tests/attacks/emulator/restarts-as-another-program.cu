// Tries to leave the runner: becomes a shell that says that all went well.
//
// Fails: a process that does not reply has not answered.
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int) {
  execl("/bin/sh", "sh", "-c", "echo PASSED; exit 0", nullptr);
  _exit(0);
}
