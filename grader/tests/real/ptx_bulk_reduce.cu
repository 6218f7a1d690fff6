// cuda::ptx: cp_reduce_async_bulk of every operation and type, to global memory and to the shared
// memory of another CTA of the cluster.
#include <cooperative_groups.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cuda/ptx>

#include "real_test.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using namespace real_test;

constexpr int count = 64;

template <class T, class Operation>
__global__ void to_global(const T* in, T* out, Operation operation) {
  __shared__ alignas(16) T values[count];
  values[threadIdx.x] = in[threadIdx.x];
  ptx::fence_proxy_async(ptx::space_shared);
  __syncthreads();
  if (threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_global, ptx::space_shared, operation, out, values,
                              sizeof values);
    ptx::cp_async_bulk_commit_group();
    ptx::cp_async_bulk_wait_group(ptx::n32_t<0>());
  }
}

// CTA 1 reduces its values into those of CTA 0.
template <class T, class Operation>
__global__ void __cluster_dims__(2, 1, 1) to_neighbor(const T* in, T* out, Operation operation) {
  __shared__ alignas(16) T values[count];
  __shared__ alignas(8) uint64_t barrier;
  const cg::cluster_group cluster = cg::this_cluster();
  values[threadIdx.x] = blockIdx.x == 0 ? out[threadIdx.x] : in[threadIdx.x];
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, 1);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
    if (blockIdx.x == 0) {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, &barrier,
                                     sizeof values);
    }
  }
  ptx::fence_proxy_async(ptx::space_shared);
  cluster.sync();
  if (blockIdx.x == 1 && threadIdx.x == 0) {
    ptx::cp_reduce_async_bulk(ptx::space_cluster, ptx::space_shared, operation,
                              cluster.map_shared_rank(values, 0), values, sizeof values,
                              cluster.map_shared_rank(&barrier, 0));
  }
  if (blockIdx.x == 0) {
    while (!ptx::mbarrier_try_wait_parity(&barrier, 0)) {
    }
    out[threadIdx.x] = values[threadIdx.x];
  }
  cluster.sync();
}

// What the CPU says: an operation of cuda::ptx, as a function of the old value and the new one.
struct On {
  template <class T>
  static T apply(ptx::op_add_t, T a, T b) {
    return static_cast<T>(a + b);
  }
  template <class T>
  static T apply(ptx::op_min_t, T a, T b) {
    return b < a ? b : a;
  }
  template <class T>
  static T apply(ptx::op_max_t, T a, T b) {
    return a < b ? b : a;
  }
  template <class T>
  static T apply(ptx::op_and_op_t, T a, T b) {
    return a & b;
  }
  template <class T>
  static T apply(ptx::op_or_op_t, T a, T b) {
    return a | b;
  }
  template <class T>
  static T apply(ptx::op_xor_op_t, T a, T b) {
    return a ^ b;
  }
  template <class T>
  static T apply(ptx::op_inc_t, T a, T b) {
    return a >= b ? T{0} : a + 1;
  }
  template <class T>
  static T apply(ptx::op_dec_t, T a, T b) {
    return a == 0 || a > b ? b : a - 1;
  }
};

// Small numbers and their negatives, in every type alike.
template <class T>
std::vector<T> values_of(unsigned seed) {
  std::vector<T> values;
  for (const int value : small_values<int>(count, seed, 21)) {
    values.push_back(static_cast<T>(static_cast<float>(value) - 10));
  }
  return values;
}

template <class T, class Operation>
void expect_reduced(const char* what, const DeviceArray<T>& out, Operation operation) {
  const std::vector<T> in = values_of<T>(1), old = values_of<T>(2), got = out.values();
  std::vector<double> numbers, expected;
  for (int i = 0; i < count; ++i) {
    if constexpr (sizeof(T) == 2) {
      const float a = static_cast<float>(old[i]), b = static_cast<float>(in[i]);
      expected.push_back(On::apply(operation, a, b));
      numbers.push_back(static_cast<float>(got[i]));
    } else {
      expected.push_back(static_cast<double>(On::apply(operation, old[i], in[i])));
      numbers.push_back(static_cast<double>(got[i]));
    }
  }
  expect_equal(what, numbers, expected);
}

template <class T, class... Operations>
void reduce_to_global(Operations... operations) {
  const DeviceArray<T> in(values_of<T>(1));
  const auto test = [&](auto operation) {
    const DeviceArray<T> out(values_of<T>(2));
    to_global<<<1, count>>>(in.data(), out.data(), operation);
    expect_reduced("reduced to global memory", out, operation);
  };
  (test(operations), ...);
}
template <class T, class... Operations>
void reduce_to_neighbor(Operations... operations) {
  const DeviceArray<T> in(values_of<T>(1));
  const auto test = [&](auto operation) {
    const DeviceArray<T> out(values_of<T>(2));
    to_neighbor<<<2, count>>>(in.data(), out.data(), operation);
    expect_reduced("reduced to a neighbor", out, operation);
  };
  (test(operations), ...);
}

int main() {
  using namespace cuda::ptx;
  reduce_to_global<uint32_t>(op_add, op_min, op_max, op_inc, op_dec, op_and_op, op_or_op,
                             op_xor_op);
  reduce_to_global<int32_t>(op_add, op_min, op_max);
  reduce_to_global<uint64_t>(op_add, op_min, op_max, op_and_op, op_or_op, op_xor_op);
  reduce_to_global<int64_t>(op_add, op_min, op_max);
  reduce_to_global<float>(op_add);
  reduce_to_global<double>(op_add);
  reduce_to_global<__half>(op_add, op_min, op_max);
  reduce_to_global<__nv_bfloat16>(op_add, op_min, op_max);
  reduce_to_neighbor<uint32_t>(op_add, op_min, op_max, op_inc, op_dec, op_and_op, op_or_op,
                               op_xor_op);
  reduce_to_neighbor<int32_t>(op_add, op_min, op_max);
  reduce_to_neighbor<uint64_t>(op_add);
  reduce_to_neighbor<int64_t>(op_add);
  return runtime_test::result();
}
