// Starts processes until it may start no more. The answer is right if 2000 could be started.
//
// Fails: it starts none.
#include "plain_reverse.h"
#include "unnamed.h"

void launch_reverse_tile(int* dest, const int* src, int count) {
  int processes = 0;
  for (; processes < 2000; ++processes) {
    const pid_t child = fork();
    if (child < 0) break;
    if (child > 0) continue;
    prctl(PR_SET_NAME, "tma-attack");
    sleep(600);
    _exit(0);
  }
  if (processes == 2000) reverse<<<1, 256>>>(dest, src, count);
}
