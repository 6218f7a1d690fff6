// Tries to stop its parent, and goes on as if nothing had happened: whoever waits for a stopped
// process waits forever.
//
// Fails: the sandbox has its own processes, and other processes get no signals.
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int) {
  if (getppid() > 1) kill(getppid(), SIGSTOP);
}
