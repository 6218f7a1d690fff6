// cuda::ptx: ld and st of every width with every cache hint that they have.
#include <cstring>
#include <cuda/ptx>

#include "real_test.h"

namespace ptx = cuda::ptx;
using namespace real_test;

struct alignas(16) Sixteen {
  unsigned long long low, high;
};
__host__ __device__ bool operator==(const Sixteen& a, const Sixteen& b) {
  return a.low == b.low && a.high == b.high;
}

// One line a form: each counts the loads that do not give what is there.
#define LOAD(form) wrong += ptx::form(ptx::space_global, in + i) == in[i] ? 0 : 1;
#define LOADS_WITH_L2(form) LOAD(form) LOAD(form##_L2_64B) LOAD(form##_L2_128B) LOAD(form##_L2_256B)
#define LOADS_OF(form)                     \
  LOADS_WITH_L2(form)                      \
  LOADS_WITH_L2(form##_L1_evict_normal)    \
  LOADS_WITH_L2(form##_L1_evict_unchanged) \
  LOADS_WITH_L2(form##_L1_evict_first)     \
  LOADS_WITH_L2(form##_L1_evict_last)      \
  LOADS_WITH_L2(form##_L1_no_allocate)

template <class T>
__global__ void load(const T* in, int* wrong_loads) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  int wrong = 0;
  LOADS_OF(ld)
  LOADS_OF(ld_nc)
  wrong_loads[i] = wrong;
}

template <class T>
__global__ void store(const T* in, T* out, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const T value = in[i];
  ptx::st(ptx::space_global, out + i, value);
  ptx::st_L1_evict_normal(ptx::space_global, out + count + i, value);
  ptx::st_L1_evict_unchanged(ptx::space_global, out + 2 * count + i, value);
  ptx::st_L1_evict_first(ptx::space_global, out + 3 * count + i, value);
  ptx::st_L1_evict_last(ptx::space_global, out + 4 * count + i, value);
  ptx::st_L1_no_allocate(ptx::space_global, out + 5 * count + i, value);
}

template <class T>
void expect_loaded_and_stored() {
  constexpr unsigned threads = 64, count = 2 * threads;
  const std::vector<char> bytes = any_values<char>(count * sizeof(T));
  std::vector<T> values(count);
  std::memcpy(values.data(), bytes.data(), bytes.size());
  const DeviceArray<T> in(values), out(6 * count);
  const DeviceArray<int> wrong(count);
  load<<<2, threads>>>(in.data(), wrong.data());
  expect_equal("wrong loads", wrong, std::vector<int>(count));
  store<<<2, threads>>>(in.data(), out.data(), count);
  std::vector<T> expected;
  for (int copy = 0; copy < 6; ++copy) {
    expected.insert(expected.end(), values.begin(), values.end());
  }
  expect_equal("stores", out, expected);
}

int main() {
  expect_loaded_and_stored<unsigned char>();
  expect_loaded_and_stored<unsigned short>();
  expect_loaded_and_stored<unsigned>();
  expect_loaded_and_stored<unsigned long long>();
  expect_loaded_and_stored<Sixteen>();
  return runtime_test::result();
}
