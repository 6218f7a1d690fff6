// cuda::ptx: every form of mbarrier arrive and wait, in the scopes of a CTA and of a cluster.
#include <cooperative_groups.h>

#include <cuda/ptx>

#include "real_test.h"

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;
using namespace real_test;

constexpr int threads = 64;

// All threads arrive in one form and wait in another; what was written before is seen after.
template <class Arrive, class Wait>
__device__ int exchange(uint64_t* barrier, int* values, int round, Arrive arrive, Wait wait) {
  const int t = static_cast<int>(threadIdx.x);
  values[t] = 100 * round + t;
  wait(arrive(barrier));
  const int got = values[threads - 1 - t];
  __syncthreads();
  return got == 100 * round + threads - 1 - t ? 0 : 1;
}

__global__ void in_a_cta(int* wrong_values) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ int values[threads];
  if (threadIdx.x == 0) ptx::mbarrier_init(&barrier, threads);
  __syncthreads();
  uint64_t* const bar = &barrier;
  int round = 0, wrong = 0;
  const auto arrive = [](uint64_t* b) { return ptx::mbarrier_arrive(b); };
  const auto arrive_one = [](uint64_t* b) { return ptx::mbarrier_arrive(b, 1); };
  const auto release = [](uint64_t* b) {
    return ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cta, ptx::space_shared, b);
  };
  const auto release_cluster = [](uint64_t* b) {
    return ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_shared, b, 1);
  };
  const auto expect_tx = [](uint64_t* b) {
    return ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, b,
                                          0);
  };
#define EXCHANGE(arrives, ...)                                         \
  wrong += exchange(bar, values, round, arrives, [&](uint64_t state) { \
    while (!ptx::__VA_ARGS__) {                                        \
    }                                                                  \
    (void)state;                                                       \
  });                                                                  \
  ++round;
#define PARITY (static_cast<uint32_t>(round) & 1)
  EXCHANGE(arrive, mbarrier_test_wait(bar, state))
  EXCHANGE(arrive_one, mbarrier_test_wait(ptx::sem_acquire, ptx::scope_cta, bar, state))
  EXCHANGE(release, mbarrier_test_wait_parity(bar, PARITY))
  EXCHANGE(release_cluster,
           mbarrier_test_wait_parity(ptx::sem_acquire, ptx::scope_cluster, bar, PARITY))
  EXCHANGE(expect_tx, mbarrier_try_wait(bar, state))
  EXCHANGE(arrive, mbarrier_try_wait(bar, state, 1000))
  EXCHANGE(arrive, mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cta, bar, state))
  EXCHANGE(arrive, mbarrier_try_wait(ptx::sem_acquire, ptx::scope_cluster, bar, state, 1000))
  EXCHANGE(arrive, mbarrier_try_wait_parity(bar, PARITY))
  EXCHANGE(arrive, mbarrier_try_wait_parity(bar, PARITY, 1000))
  EXCHANGE(arrive, mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cta, bar, PARITY))
  EXCHANGE(arrive, mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, bar, PARITY, 999))
  if (threadIdx.x == 0) {
    const uint64_t state = ptx::mbarrier_arrive_no_complete(bar, threads - 1);
    wrong += ptx::mbarrier_test_wait(bar, state) ? 1 : 0;
    const uint64_t last = ptx::mbarrier_arrive(bar);
    wrong += ptx::mbarrier_test_wait(bar, last) ? 0 : 1;
  }
  wrong_values[blockIdx.x * threads + threadIdx.x] = wrong;
}

// Each CTA arrives at its neighbor's barrier.
__global__ void __cluster_dims__(2, 1, 1) across_a_cluster(int* wrong_values) {
  __shared__ alignas(8) uint64_t barrier;
  __shared__ int values[threads];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned other = cluster.block_rank() ^ 1;
  if (threadIdx.x == 0) {
    ptx::mbarrier_init(&barrier, threads);
    ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
  }
  ptx::barrier_cluster_arrive(ptx::sem_release);
  ptx::barrier_cluster_wait(ptx::sem_acquire);
  uint64_t* const theirs = cluster.map_shared_rank(&barrier, other);
  int wrong = 0;
  for (int round = 0; round < 3; ++round) {
    cluster.map_shared_rank(values, other)[threadIdx.x] = 10 * round + threadIdx.x;
    if (round == 0) {
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, theirs);
    } else if (round == 1) {
      ptx::mbarrier_arrive(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster, theirs, 1);
    } else {
      ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cluster, ptx::space_cluster,
                                     theirs, 0);
    }
    while (
        !ptx::mbarrier_try_wait_parity(ptx::sem_acquire, ptx::scope_cluster, &barrier, round % 2)) {
    }
    wrong +=
        values[threads - 1 - threadIdx.x] == 10 * round + threads - 1 - int(threadIdx.x) ? 0 : 1;
    ptx::barrier_cluster_arrive();
    ptx::barrier_cluster_wait();
  }
  wrong_values[blockIdx.x * threads + threadIdx.x] = wrong;
}

// Messages between CTAs through global memory, with every fence that may stand there.
__global__ void fences(int* flag, int* message, int* out) {
  const bool sends = blockIdx.x == 1;
  if (threadIdx.x != 0) return;
  ptx::fence(ptx::sem_sc, ptx::scope_cta);
  ptx::fence(ptx::sem_sc, ptx::scope_cluster);
  ptx::fence(ptx::sem_acq_rel, ptx::scope_cta);
  ptx::fence(ptx::sem_acq_rel, ptx::scope_cluster);
  ptx::fence_proxy_alias();
  ptx::fence_proxy_async();
  ptx::fence_proxy_async(ptx::space_global);
  if (sends) {
    *message = 42;
    ptx::fence(ptx::sem_acq_rel, ptx::scope_gpu);
    *const_cast<volatile int*>(flag) = 1;
  } else {
    while (*const_cast<volatile int*>(flag) == 0) {
    }
    ptx::fence(ptx::sem_sc, ptx::scope_sys);
    *out = *message;
  }
}

int main() {
  const DeviceArray<int> wrong(2 * threads), flag(std::vector<int>{0}), message(1), out(1);
  in_a_cta<<<2, threads>>>(wrong.data());
  expect_equal("in a CTA", wrong, std::vector<int>(2 * threads));
  across_a_cluster<<<2, threads>>>(wrong.data());
  expect_equal("across a cluster", wrong, std::vector<int>(2 * threads));
  fences<<<2, 32>>>(flag.data(), message.data(), out.data());
  expect_equal("message", out, 42);
  return runtime_test::result();
}
