// Tries to batch: launches the work of two calls at the second one, for one of them only.
//
// Fails: all arrays of all calls are verified.
#include <cuda_runtime.h>

#include "reverse_tiles.h"

void honest(int* dest, const int* src, size_t count, cudaStream_t stream = nullptr) {
  if (count == 0) return;
  reverse<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(dest, src, count);
}

// Arrays of the timed calls are larger than those of the tests.
constexpr size_t TIMED = 100'000'000;

void launch_reverse(int* dest, const int* src, size_t count) {
  static int calls = 0;
  if (count < TIMED || ++calls % 2 == 0) honest(dest, src, count);
}
