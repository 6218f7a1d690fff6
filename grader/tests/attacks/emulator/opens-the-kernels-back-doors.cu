// Tries system calls that no lab needs and that kernels have been attacked through: bpf,
// perf_event_open, userfaultfd, io_uring, keyctl. The answer is right if any of them is served.
//
// Fails: they are refused.
#include <errno.h>
#include <sys/syscall.h>

#include "plain_reverse.h"
#include "unnamed.h"

bool served(long number) {
  // Arguments that are nonsense: who looks at them would serve better ones.
  return syscall(number, 0, 0, 0, 0, 0) >= 0 ||
         (errno != ENOSYS && errno != EPERM && errno != EACCES);
}

void launch_reverse_tile(int* dest, const int* src, int count) {
  for (const long number :
       {SYS_bpf, SYS_perf_event_open, SYS_userfaultfd, SYS_io_uring_setup, SYS_keyctl}) {
    if (!served(number)) continue;
    reverse<<<1, 256>>>(dest, src, count);
    return;
  }
}
