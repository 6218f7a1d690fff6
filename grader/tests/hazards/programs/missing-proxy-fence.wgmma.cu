// wgmma reads what threads have written: it reads through the async proxy, so the writers pass a
// proxy fence. wgmma.fence is about registers.
#include "harness.h"
#include "ptx-wgmma.h"
#include "ptx.h"

//: pair fills_the_factors
template <bool mistaken>
__global__ void fills_the_factors(const int* in, int* out) {
  __shared__ Factors factors;
  for (int i = threadIdx.x; i < FACTOR_INTS; i += 128) {
    (i < 512 ? factors.a[i] : factors.b[i - 512]) = in[i];  //: other
  }
  if constexpr (!mistaken) fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair fills_one_factor
// A has come by TMA, and B is written by threads.
template <bool mistaken>
__global__ void fills_one_factor(const int* in, int* out) {
  __shared__ Factors factors;
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(factors.a));
    load_bulk(factors.a, in, sizeof(factors.a), &loaded);
  }
  if (threadIdx.x < 64) factors.b[threadIdx.x] = in[512 + threadIdx.x];  //: other
  if constexpr (!mistaken) fence_proxy_async();
  __syncthreads();
  wait_parity(&loaded, 0);
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair writes_a_factor_again
int the_second_product(int index) {
  return product_of_input(index, 4);
}
// What was fenced is the first one.
template <bool mistaken>
__global__ void writes_a_factor_again(const int* in, int* out) {
  __shared__ Factors factors;
  Sums sums;
  for (int lap = 0; lap < 2; ++lap) {
    for (int i = threadIdx.x; i < FACTOR_INTS; i += 128) {
      (i < 512 ? factors.a[i] : factors.b[i - 512]) = in[i + 4 * lap];  //: other
    }
    if (!mistaken || lap == 0) fence_proxy_async();
    __syncthreads();
    sums = Sums();
    fence_registers();
    multiply(sums, factors);  //: missing-proxy-fence
    commit_products();
    wait_products<0>();
    __syncthreads();
  }
  store(out, sums);
}

//: pair fences_other_memory
// The fence is one of global memory.
template <bool mistaken>
__global__ void fences_other_memory(const int* in, int* out) {
  __shared__ Factors factors;
  for (int i = threadIdx.x; i < FACTOR_INTS; i += 128) {
    (i < 512 ? factors.a[i] : factors.b[i - 512]) = in[i];  //: other
  }
  if constexpr (mistaken) {
    fence_proxy_async_global();
  } else {
    fence_proxy_async_shared();
  }
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair fences_before_the_writes
// What comes behind it, it does not cover.
template <bool mistaken>
__global__ void fences_before_the_writes(const int* in, int* out) {
  __shared__ Factors factors;
  if constexpr (mistaken) fence_proxy_async();
  for (int i = threadIdx.x; i < FACTOR_INTS; i += 128) {
    (i < 512 ? factors.a[i] : factors.b[i - 512]) = in[i];  //: other
  }
  if constexpr (!mistaken) fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

//: pair one_thread_fences
// It covers what that thread has written.
template <bool mistaken>
__global__ void one_thread_fences(const int* in, int* out) {
  __shared__ Factors factors;
  for (int i = threadIdx.x; i < FACTOR_INTS; i += 128) {
    (i < 512 ? factors.a[i] : factors.b[i - 512]) = in[i];  //: other
  }
  if (!mistaken || threadIdx.x == 0) fence_proxy_async();
  __syncthreads();
  Sums sums;
  fence_registers();
  multiply(sums, factors);  //: missing-proxy-fence
  commit_products();
  wait_products<0>();
  store(out, sums);
}

constexpr Pair pairs[] = {
    pair<fills_the_factors<true>, fills_the_factors<false>, the_product, PRODUCT>(
        "fills_the_factors"),
    pair<fills_one_factor<true>, fills_one_factor<false>, the_product, PRODUCT>("fills_one_factor"),
    pair<writes_a_factor_again<true>, writes_a_factor_again<false>, the_second_product, PRODUCT>(
        "writes_a_factor_again"),
    pair<fences_other_memory<true>, fences_other_memory<false>, the_product, PRODUCT>(
        "fences_other_memory"),
    pair<fences_before_the_writes<true>, fences_before_the_writes<false>, the_product, PRODUCT>(
        "fences_before_the_writes"),
    pair<one_thread_fences<true>, one_thread_fences<false>, the_product, PRODUCT>(
        "one_thread_fences"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
