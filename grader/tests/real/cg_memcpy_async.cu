// cooperative_groups::memcpy_async with wait and wait_prior: copies of a CTA and of tiles, of whole
// and odd sizes, and with two stages.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

#include <algorithm>
#include <cuda/barrier>

#include "real_test.h"

namespace cg = cooperative_groups;
using namespace real_test;

constexpr int threads = 128;
constexpr int tile = 512;

template <class T>
__global__ void reverse(const T* in, T* out, int count) {
  __shared__ alignas(16) T staged[tile];
  const auto block = cg::this_thread_block();
  for (int first = 0; first < count; first += tile) {
    const int length = min(tile, count - first);
    cg::memcpy_async(block, staged, in + first, sizeof(T) * length);
    cg::wait(block);
    for (int i = threadIdx.x; i < length; i += threads) out[first + i] = staged[length - 1 - i];
    block.sync();
  }
}

// Each warp brings its own part, 16 bytes at a time, two parts in flight.
__global__ void two_stages(const int4* in, int4* out, int parts) {
  __shared__ int4 staged[threads / 32][2][32];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  auto& mine = staged[warp.meta_group_rank()];
  const int stride = static_cast<int>(warp.meta_group_size());
  int part = static_cast<int>(warp.meta_group_rank());
  const auto size = cuda::aligned_size_t<16>(sizeof mine[0]);
  cg::memcpy_async(warp, mine[0], in + part * 32, size);
  for (int stage = 0; part < parts; part += stride, stage ^= 1) {
    if (part + stride < parts) {
      cg::memcpy_async(warp, mine[stage ^ 1], in + (part + stride) * 32, size);
      cg::wait_prior<1>(warp);
    } else {
      cg::wait(warp);
    }
    out[part * 32 + warp.thread_rank()] = mine[stage][31 - warp.thread_rank()];
    warp.sync();
  }
}

template <class T>
void expect_reversed(int count) {
  const std::vector<T> values = any_values<T>(count);
  std::vector<T> expected(count);
  for (int i = 0; i < count; ++i) {
    const int first = i / tile * tile;
    expected[i] = values[first + std::min(tile, count - first) - 1 - (i - first)];
  }
  const DeviceArray<T> in(values), out(count);
  reverse<<<1, threads>>>(in.data(), out.data(), count);
  expect_equal("reversed tiles", out, expected);
}

int main() {
  for_each_type(EightTypes{}, [](auto zero) {
    for (const int count : {1, 31, 1001, 5003}) expect_reversed<decltype(zero)>(count);
  });

  constexpr int parts = 21;
  const std::vector<int> values = any_values<int>(parts * 32 * 4);
  const DeviceArray<int> in(values), out(values.size());
  two_stages<<<1, threads>>>(reinterpret_cast<int4*>(in.data()),
                             reinterpret_cast<int4*>(out.data()), parts);
  std::vector<int> expected(values.size());
  for (int i = 0; i < parts * 32; ++i) {
    for (int k = 0; k < 4; ++k) expected[4 * i + k] = values[4 * (i / 32 * 32 + 31 - i % 32) + k];
  }
  expect_equal("through two stages", out, expected);
  return runtime_test::result();
}
