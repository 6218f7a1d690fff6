// Kills every process that it may. (Only from within a sandbox, which numbers its processes from 1:
// a test must not end its user's session where there is none.)
//
// Fails: the sandbox has its own processes, and other processes get no signals.
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int) {
  if (getpid() < 10) kill(-1, SIGKILL);
}
