// What the programs of `make bench-emulator` and `make bench-growth` share.
#pragma once

#include <errno.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>

namespace timing {

[[noreturn]] inline void fail(const char* what) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, what);
  std::exit(EXIT_FAILURE);
}

inline double now(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// The processor's time of all of the process's threads.
inline double cpu_seconds() {
  return now(CLOCK_PROCESS_CPUTIME_ID);
}

#ifdef __CUDACC__
inline void check(cudaError_t error) {
  if (error != cudaSuccess) fail(cudaGetErrorString(error));
}
#endif

}  // namespace timing
