// Lab 6: memcpy. Bandwidth is bytes in flight.
//
// Copies memory through TMA at the speed of the memory. Two parts:
//   tma-copy   any number of bfloat16, from one aligned array to another
//   memcpy     any number of bytes from any address to any address, as memcpy does
#include <cuda_bf16.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

using bf16 = __nv_bfloat16;

// What a bulk copy's addresses and size are multiples of.
inline constexpr size_t VECTOR_BYTES = 16;

// One CTA per tile: the GPU starts CTAs in the order of their numbers, a new one whenever one ends,
// so memory is swept from its beginning to its end. One thread of a CTA works; the others limit how
// many CTAs an SM holds: 2048 / 128 = 16, so 64 KiB are in flight. Tune the numbers.
inline constexpr int TILE_BYTES = 4096;
inline constexpr int COPY_THREADS = 128;

// Copies a tile through shared memory: one load, one store. Called by one thread of the CTA.
// `bytes` is a multiple of 16, from 16 to TILE_BYTES; both addresses are aligned to 16 bytes.
__device__ void copy_tile(void* dest, const void* src, int bytes) {
  // TODO: copy the tile with one bulk load and one bulk store.
  //   * The tile and an mbarrier, in shared memory; one arrival, the one of this thread.
  //   * Load, wait, store, commit: no other thread takes part, so no fence is needed between
  //     the engine's write of the tile and the engine's read.
  //   * What must have happened before this function may return?
  //   * Last: give the load and the store a cache policy (cache-policy.cuh), and measure.
}

// ---------------------------------------------------------------------------------------------
// Part tma-copy: both arrays are aligned to 16 bytes.

__global__ void tma_copy(bf16* dest, const bf16* src, int N) {
  // TODO: copy the N elements of src to dest. CTA b has the tile that begins at byte
  //   b * TILE_BYTES; one of its threads calls copy_tile.
  //   * The last tile may be shorter, down to no vector at all: then there is nothing to copy.
  //   * The elements after the last whole vector are left to plain loads and stores, by one
  //     CTA, once.
  //   * N elements are 2 * N bytes. Which of your numbers need size_t?
}

void launch_tma_copy(bf16* dest, bf16* src, int N) {
  if (N == 0) return;  // a grid without CTAs is an error
  const size_t tiles = (N * sizeof(bf16) + TILE_BYTES - 1) / TILE_BYTES;
  tma_copy<<<static_cast<unsigned>(tiles), COPY_THREADS>>>(dest, src, N);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part memcpy: any addresses. If dest and src are equally far from a multiple of 16, all bytes but
// the first and last few go through TMA. If they are not, no byte can.

// How many bytes there are from an address to the next one that is a multiple of 16.
__host__ __device__ size_t bytes_to_alignment(const void* address) {
  return -reinterpret_cast<uintptr_t>(address) % VECTOR_BYTES;
}

// Precondition: bytes_to_alignment is the same for dest and src.
__global__ void tma_memcpy(char* dest, const char* src, size_t bytes) {
  // TODO: copy `bytes` bytes. The aligned ones in the middle are tiles, as in tma_copy; what is
  //   left is at most 15 bytes before them (the head) and at most 15 after them (the tail).
  //   * A copy may be so short that it is all head. How long is the head then?
  //   * Plain stores of the middle would be right, and bring no points: it is the engine's.
}

__global__ void plain_memcpy(char* dest, const char* src, size_t bytes) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < bytes) dest[i] = src[i];
}

void launch_tma_memcpy(void* dest, const void* src, size_t bytes) {
  if (bytes == 0) return;
  char* to = static_cast<char*>(dest);
  const char* from = static_cast<const char*>(src);
  if (bytes_to_alignment(dest) == bytes_to_alignment(src)) {
    const size_t tiles = (bytes + TILE_BYTES - 1) / TILE_BYTES;
    tma_memcpy<<<static_cast<unsigned>(tiles), COPY_THREADS>>>(to, from, bytes);
  } else {
    plain_memcpy<<<static_cast<unsigned>((bytes + 255) / 256), 256>>>(to, from, bytes);
  }
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

// Calls launch(dest, src) and compares the `bytes` bytes behind them. Both point `offset` bytes
// past an aligned address.
template <typename Launch>
bool copies(const char* part, const char* what, size_t bytes, size_t offset, Launch launch) {
  std::vector<unsigned char> sent(bytes), got(bytes);
  for (size_t i = 0; i < bytes; ++i) sent[i] = static_cast<unsigned char>(i % 251);

  char *src, *dest;
  cuda_check(cudaMalloc(&src, offset + bytes));
  cuda_check(cudaMalloc(&dest, offset + bytes));
  cuda_check(cudaMemcpy(src + offset, sent.data(), bytes, cudaMemcpyHostToDevice));
  cuda_check(cudaMemset(dest, 0xFF, offset + bytes));
  launch(dest + offset, src + offset);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(got.data(), dest + offset, bytes, cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(src));
  cuda_check(cudaFree(dest));

  const auto wrong = std::mismatch(got.begin(), got.end(), sent.begin());
  if (wrong.first != got.end()) {
    std::printf("%-8s  %s: byte %td is %d, expected %d\n", part, what, wrong.first - got.begin(),
                *wrong.first, *wrong.second);
    return false;
  }
  std::printf("%-8s  %s: every byte is where it belongs\n", part, what);
  return true;
}

int main() {
  constexpr int N = 1'000'003;
  bool right =
      copies("tma-copy", "1000003 elements", N * sizeof(bf16), 0, [](char* dest, char* src) {
        launch_tma_copy(reinterpret_cast<bf16*>(dest), reinterpret_cast<bf16*>(src), N);
      });
  right &= copies("memcpy", "1000003 bytes from an odd address", N, 5,
                  [](char* dest, char* src) { launch_tma_memcpy(dest, src, N); });
  return right ? 0 : 1;
}
