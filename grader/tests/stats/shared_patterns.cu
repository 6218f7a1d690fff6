// One warp loads from shared memory, or stores to it, at offsets from a table: how many wavefronts
// does that take? Each launch is one pattern. From the regular patterns the rule can be read off;
// in the random ones it has to hold.
#include <array>
#include <cstdint>
#include <random>
#include <vector>

#include "cuda-check.cuh"

namespace {

constexpr int lanes = 32;
constexpr int shared_bytes = 16 << 10;
constexpr int idle = -1;  // in place of an offset: the lane takes no part

// Written out in PTX, so that each is one instruction of its width whatever the compiler thinks of
// shared memory that nobody fills or reads.
__device__ void load(uint32_t address, uint32_t& value) {
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
}
__device__ void load(uint32_t address, uint64_t& value) {
  asm volatile("ld.shared.u64 %0, [%1];" : "=l"(value) : "r"(address));
}
__device__ void load(uint32_t address, uint4& value) {
  asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "r"(address));
}
__device__ void store(uint32_t address, uint32_t value) {
  asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(value) : "memory");
}
__device__ void store(uint32_t address, uint64_t value) {
  asm volatile("st.shared.u64 [%0], %1;" ::"r"(address), "l"(value) : "memory");
}
__device__ void store(uint32_t address, uint4 value) {
  asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(address), "r"(value.x),
               "r"(value.y), "r"(value.z), "r"(value.w)
               : "memory");
}

extern __shared__ uint4 shared_memory[];

template <typename T>
__device__ uint32_t element(int offset) {
  return static_cast<uint32_t>(__cvta_generic_to_shared(shared_memory)) + offset * sizeof(T);
}

template <typename T>
__device__ void load_pattern(const int* offsets, T* out) {
  const int offset = offsets[threadIdx.x];
  if (offset == idle) return;
  T value;
  load(element<T>(offset), value);
  out[threadIdx.x] = value;
}

template <typename T>
__device__ void store_pattern(const int* offsets, T value) {
  const int offset = offsets[threadIdx.x];
  if (offset != idle) store(element<T>(offset), value);
}

__global__ void load_4_bytes(const int* offsets, void* out) {
  load_pattern(offsets, static_cast<uint32_t*>(out));
}
__global__ void load_8_bytes(const int* offsets, void* out) {
  load_pattern(offsets, static_cast<uint64_t*>(out));
}
__global__ void load_16_bytes(const int* offsets, void* out) {
  load_pattern(offsets, static_cast<uint4*>(out));
}
__global__ void store_4_bytes(const int* offsets, void*) {
  store_pattern(offsets, uint32_t{threadIdx.x});
}
__global__ void store_8_bytes(const int* offsets, void*) {
  store_pattern(offsets, uint64_t{threadIdx.x});
}
__global__ void store_16_bytes(const int* offsets, void*) {
  store_pattern(offsets, make_uint4(threadIdx.x, 1, 2, 3));
}

using Pattern = std::array<int, lanes>;  // each lane's offset, in elements

template <typename Offset>
Pattern pattern(Offset offset) {
  Pattern result;
  for (int lane = 0; lane < lanes; ++lane) result[lane] = offset(lane);
  return result;
}

template <typename Taken>
Pattern only(Taken takes_part, const Pattern& all) {
  return pattern([&](int lane) { return takes_part(lane) ? all[lane] : idle; });
}

// ROW: elements that cover all 32 banks once.
std::vector<Pattern> regular_patterns(int row) {
  const Pattern linear = pattern([](int lane) { return lane; });
  const Pattern column = pattern([&](int lane) { return lane * row; });
  std::vector<Pattern> all{linear, pattern([](int lane) { return 31 - lane; }),
                           pattern([](int) { return 5; })};
  for (const int stride : {2, 3, 4, 6, 8, 16, 32}) {
    all.push_back(pattern([&](int lane) { return lane * stride; }));
  }
  // Lanes that share words, next to each other or far apart.
  for (const int share : {2, 4, 8, 16}) {
    all.push_back(pattern([&](int lane) { return lane / share; }));
    all.push_back(pattern([&](int lane) { return lane % share; }));
    all.push_back(pattern([&](int lane) { return lane / share * row; }));
    all.push_back(pattern([&](int lane) { return lane % share * row; }));
  }
  // XORed as in a swizzled tile, and rows that are one element longer than they need be.
  all.push_back(pattern([&](int lane) { return lane * row + (lane % row ^ 3); }));
  all.push_back(pattern([&](int lane) { return lane * row + lane % row; }));
  all.push_back(pattern([&](int lane) { return lane * (row + 1); }));
  // Some of the lanes only.
  for (const int first : {1, 8, 16, 24}) {
    all.push_back(only([&](int lane) { return lane < first; }, linear));
    all.push_back(only([&](int lane) { return lane == 0 || lane == first; }, column));
  }
  for (const int every : {2, 4, 8}) {
    all.push_back(only([&](int lane) { return lane % every == 1; }, linear));
    all.push_back(only([&](int lane) { return lane % every == 1; }, column));
  }
  return all;
}

std::vector<Pattern> random_patterns(int elements) {
  std::mt19937 random(90);  // its sequence is the same everywhere; those of distributions are not
  std::vector<Pattern> all;
  for (const int range : {elements, elements, elements, elements, 128, 128, 64, 64, 32, 16}) {
    const auto draw = [&](int) {
      return static_cast<int>(random() % static_cast<unsigned>(range));
    };
    all.push_back(pattern(draw));
    all.push_back(only([&](int) { return random() % 2 == 0; }, pattern(draw)));
  }
  return all;
}

template <typename Kernel>
void run(Kernel load, Kernel store, int element_bytes, int* offsets, void* out) {
  std::vector<Pattern> patterns = regular_patterns(128 / element_bytes);
  const std::vector<Pattern> random = random_patterns(shared_bytes / element_bytes);
  patterns.insert(patterns.end(), random.begin(), random.end());
  for (const Pattern& each : patterns) {
    cuda_check(cudaMemcpy(offsets, each.data(), sizeof each, cudaMemcpyHostToDevice));
    load<<<1, lanes, shared_bytes>>>(offsets, out);
    store<<<1, lanes, shared_bytes>>>(offsets, out);
  }
}

}  // namespace

int main() {
  int* offsets;
  void* out;
  cuda_check(cudaMalloc(&offsets, sizeof(Pattern)));
  cuda_check(cudaMalloc(&out, lanes * sizeof(uint4)));
  run(load_4_bytes, store_4_bytes, 4, offsets, out);
  run(load_8_bytes, store_8_bytes, 8, offsets, out);
  run(load_16_bytes, store_16_bytes, 16, offsets, out);
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaFree(offsets));
  cuda_check(cudaFree(out));
}
