// Tries to end the process with status 0 before anything could go wrong: a constructor runs when
// the library loads.
//
// Fails: an exit code is no verdict.
#include <unistd.h>

__attribute__((constructor)) void leave() {
  _exit(0);
}

void launch_reverse_tile(int*, const int*, int) {}
