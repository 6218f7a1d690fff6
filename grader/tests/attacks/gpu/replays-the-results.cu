// Tries to replay cached results in the timed iterations: works once for each array, and keeps
// quiet afterward.
//
// Fails: every round has new contents.
#include <cuda_runtime.h>

#include <set>

#include "reverse_tiles.h"

void honest(int* dest, const int* src, size_t count, cudaStream_t stream = nullptr) {
  if (count == 0) return;
  reverse<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(dest, src, count);
}

// Arrays of the timed calls are larger than those of the tests.
constexpr size_t TIMED = 100'000'000;

void launch_reverse(int* dest, const int* src, size_t count) {
  static std::set<const int*> done;
  if (count < TIMED || done.insert(src).second) honest(dest, src, count);
}
