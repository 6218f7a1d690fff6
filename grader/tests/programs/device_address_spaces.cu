// Which state spaces a generic address is in, and addresses in the shared memory of other CTAs. A
// compiler computes such an address before it tests the rank, so an address of a rank that does not
// exist does no harm until it is used.
#include "runtime_test.h"

enum Space : unsigned {
  shared_cta = 1,
  shared_cluster = 2,
  constant = 4,
  global = 8,
  local = 16,
  parameter = 32,
};

__constant__ int constant_variable[4];
__device__ int global_variable[4];
struct Parameter {
  int values[4];
};

#define IS_IN(space, name)                                                        \
  {                                                                               \
    unsigned is_in;                                                               \
    asm volatile("{.reg .pred p; isspacep." name " p, %1; selp.u32 %0, 1, 0, p;}" \
                 : "=r"(is_in)                                                    \
                 : "l"(address));                                                 \
    if (is_in != 0) spaces |= space;                                              \
  }

__device__ unsigned spaces_of(const void* pointer) {
  const auto address = reinterpret_cast<unsigned long long>(pointer);
  unsigned spaces = 0;
  IS_IN(shared_cta, "shared::cta")
  IS_IN(shared_cluster, "shared::cluster")
  IS_IN(constant, "const")
  IS_IN(global, "global")
  IS_IN(local, "local")
  IS_IN(parameter, "param")
  return spaces;
}

__device__ const void* at_rank(const void* pointer, unsigned rank) {
  unsigned long long mapped;
  asm volatile("mapa.u64 %0, %1, %2;"
               : "=l"(mapped)
               : "l"(reinterpret_cast<unsigned long long>(pointer)), "r"(rank));
  return reinterpret_cast<const void*>(mapped);
}

__global__ void __cluster_dims__(2)
    find_spaces(unsigned* out, const __grid_constant__ Parameter p) {
  __shared__ int own[4];
  int stack[4];
  stack[threadIdx.x & 3] = 1;
  if (blockIdx.x != 0) return;
  *out++ = spaces_of(own);
  *out++ = spaces_of(at_rank(own, 0));
  *out++ = spaces_of(at_rank(own, 1));
  *out++ = spaces_of(at_rank(own, 5));
  *out++ = spaces_of(constant_variable);
  *out++ = spaces_of(global_variable);
  *out++ = spaces_of(&p);
  *out++ = spaces_of(stack);
}

// Each CTA adds up what the CTAs behind it hold; there are none behind the last.
__global__ void __cluster_dims__(4) sum_behind(int* out) {
  __shared__ int own;
  if (threadIdx.x == 0) own = 1 << blockIdx.x;
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
  int sum = 0;
  for (unsigned rank = blockIdx.x + 1; rank < blockIdx.x + 4; ++rank) {
    const auto* there = static_cast<const volatile int*>(at_rank(&own, rank));
    if (rank < 4) sum += *there;
  }
  out[blockIdx.x] = sum;
  asm volatile("barrier.cluster.arrive; barrier.cluster.wait;" ::: "memory");
}

int main() {
  unsigned* spaces = nullptr;
  CHECK_OK(cudaMallocManaged(&spaces, 8 * sizeof *spaces));
  find_spaces<<<2, 1>>>(spaces, Parameter{});
  CHECK_OK(cudaDeviceSynchronize());
  const unsigned expected[] = {shared_cta | shared_cluster,
                               shared_cta | shared_cluster,
                               shared_cluster,
                               shared_cluster,
                               constant,
                               global,
                               global | parameter,
                               local};
  for (int i = 0; i < 8; ++i) CHECK(spaces[i] == expected[i]);

  int* sums = nullptr;
  CHECK_OK(cudaMallocManaged(&sums, 4 * sizeof *sums));
  sum_behind<<<4, 1>>>(sums);
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(sums[0] == 14 && sums[1] == 12 && sums[2] == 8 && sums[3] == 0);
  return runtime_test::result();
}
