// Kills its own process group, and its parent's.
//
// Fails: other processes get no signals, and neither group holds anybody but the submission.
#include "unnamed.h"

void launch_reverse_tile(int*, const int*, int) {
  const pid_t group = getpgid(getppid());
  if (group > 1) kill(-group, SIGKILL);
  kill(0, SIGKILL);
}
