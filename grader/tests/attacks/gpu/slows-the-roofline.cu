// Tries to look fast beside a slow roofline: a thread keeps the memory busy from the first test on,
// until the timed calls come.
//
// Fails: the roofline is measured while no submission runs.
#include <cuda_runtime.h>

#include <atomic>

#include "reverse_tiles.h"
#include "unnamed.h"

void honest(int* dest, const int* src, size_t count, cudaStream_t stream = nullptr) {
  if (count == 0) return;
  reverse<<<static_cast<unsigned>((count + 255) / 256), 256, 0, stream>>>(dest, src, count);
}

// Arrays of the timed calls are larger than those of the tests.
constexpr size_t TIMED = 100'000'000;

std::atomic<bool> timed{false};

void keep_the_memory_busy() {
  constexpr size_t BYTES = size_t{1} << 30;
  char* memory;
  cudaStream_t stream;
  cudaMalloc(&memory, 2 * BYTES);
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  while (!timed) {
    for (int i = 0; i < 4; ++i)
      cudaMemcpyAsync(memory, memory + BYTES, BYTES, cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
  }
}

void launch_reverse(int* dest, const int* src, size_t count) {
  static const bool busy = (in_a_thread(keep_the_memory_busy), true);
  if (busy && count >= TIMED) timed = true;
  honest(dest, src, count);
}
