// Tries to put the blame on the grader: when the judge's buffers are to be mapped, it has the
// runner reply that this is not possible.
//
// Fails: nothing that this process says can be a fault of the grader's.
#include "unnamed.h"

int refuse() {
  return 2;  // cudaErrorMemoryAllocation
}

__attribute__((constructor)) void start() {
  replace(dlsym(RTLD_DEFAULT, "cudaIpcOpenMemHandle"), reinterpret_cast<void*>(refuse));
}

void launch_reverse_tile(int*, const int*, int) {}
