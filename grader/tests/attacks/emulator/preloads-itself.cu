// Adds one with plain loads and stores. Starts the runner anew, in the same process, with this
// library in LD_PRELOAD, so that the function that counts the engine's bytes is the one below.
//
// Fails: the count is the replay's, and no program may be started.
#include "contract/protocol/measures.h"
#include "unnamed.h"

extern "C" __attribute__((visibility("default"))) void tmaemu_measured(tmaemu::Measured* result) {
  static unsigned long long bytes = 0;
  result->fill(bytes += 1 << 30);
}

__attribute__((constructor)) void restart() {
  if (getenv("LD_PRELOAD")) return;
  setenv("LD_PRELOAD", file_of(&restart).c_str(), 1);
  std::string words = contents("/proc/self/cmdline");
  std::vector<char*> arguments;
  for (size_t at = 0; at < words.size(); at += std::strlen(&words[at]) + 1)
    arguments.push_back(&words[at]);
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
}

__global__ void add_one(int* data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] += 1;
}

void launch_add_one_tile(int* data, int count) {
  add_one<<<1, 256>>>(data, count);
}
