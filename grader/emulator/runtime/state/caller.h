// Callers that CUDA turns away, whatever they ask for.
#pragma once

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/graph.h"

namespace tmaemu::runtime {

// not_initialized in a child forked by a process that has used CUDA: the driver's threads and
// mappings do not follow it there.
Error check_process();
// check_process(), and not_permitted inside a host function: it must make no CUDA calls (CUDA
// Runtime API, cudaLaunchHostFunc).
Error check_caller();

// A host function as a stream's work.
Work host_function(void (*function)(void*), void* data);

// Runs what must make no CUDA calls.
void run_host_function(const Work& function);

}  // namespace tmaemu::runtime
