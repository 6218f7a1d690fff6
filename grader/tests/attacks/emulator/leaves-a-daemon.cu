// Gives the right answer, and leaves a process behind that is in no group and no session of the
// grader's.
//
// Fails: it starts no process, and the sandbox ends with all that is in it. The answer is right,
// and the points are honest.
#include "reverse.h"
#include "unnamed.h"

__global__ void reverse(int* dest, const int* src, int count) {
  reverse_elements(dest, src, count);
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  if (fork() == 0) {
    setsid();
    if (fork() != 0) _exit(0);
    for (int file = 0; file < 1024; ++file) close(file);
    prctl(PR_SET_PDEATHSIG, 0);
    prctl(PR_SET_NAME, "tma-attack");
    sleep(600);
    _exit(0);
  }
  reverse<<<1, 256>>>(dest, src, count);
}
