// Adds one as the part asks in arrays as large as those of the tests, and by a kernel with plain
// loads and stores in larger ones: those of the timed calls.
//
// Fails: the launcher is called at the timed size under the recorder, and what it launches must be
// what was judged.
#include "add_one.h"
#include "tma-interface.cuh"

__global__ void add_one_quickly(int* data, size_t count) {
  const size_t i = blockIdx.x * size_t{256} + threadIdx.x;
  if (i < count) data[i] += 1;
}

void launch_add_one_pipeline(int* data, size_t count) {
  if (count > 100'000'000) {
    add_one_quickly<<<static_cast<unsigned>((count + 255) / 256), 256>>>(data, count);
  } else {
    launch_honestly(data, count);
  }
}
