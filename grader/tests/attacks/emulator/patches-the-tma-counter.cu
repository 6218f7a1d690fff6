// Adds one with plain loads and stores, and rewrites the function that counts the engine's bytes.
//
// Fails: the count is the replay's, where no host code of a submission runs.
#include "contract/protocol/measures.h"
#include "unnamed.h"

__global__ void add_one(int* data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] += 1;
}

void always_more(tmaemu::Measured* result) {
  static std::uint64_t bytes = 0;
  result->fill(bytes += 1 << 30);
}

void launch_add_one_tile(int* data, int count) {
  static const bool patched =
      replace(dlsym(RTLD_DEFAULT, "tmaemu_measured"), reinterpret_cast<void*>(always_more));
  if (patched) add_one<<<1, 256>>>(data, count);
}
