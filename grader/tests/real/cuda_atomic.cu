// cuda::atomic and cuda::atomic_ref: every operation, of 8 to 64 bits, in the scopes of a thread,
// CTA, device and system; wait and notify; fences; atomic_flag.
#include <algorithm>
#include <cuda/atomic>
#include <cuda/std/atomic>

#include "real_test.h"

using namespace real_test;

constexpr int ctas = 8;
constexpr int threads = 96;
constexpr int count = ctas * threads;

template <class T, cuda::thread_scope scope>
__global__ void integers(T* values) {
  const auto i = static_cast<T>(blockIdx.x * threads + threadIdx.x);
  const auto at = [&](int k) { return cuda::atomic_ref<T, scope>(values[k]); };
  at(0).fetch_add(i, cuda::memory_order_relaxed);
  at(1).fetch_sub(i, cuda::memory_order_acquire);
  at(2).fetch_or(static_cast<T>(i & T{0x55}), cuda::memory_order_release);
  at(3).fetch_and(static_cast<T>(~(i & T{0x0F})), cuda::memory_order_acq_rel);
  at(4).fetch_xor(i);
  at(5).fetch_max(static_cast<T>(i % 100));
  at(6).fetch_min(static_cast<T>(i % 100 + 3));
  at(7)++;
  --at(8);
  T old = at(9).load(cuda::memory_order_relaxed);
  while (!at(9).compare_exchange_weak(old, static_cast<T>(old + 2))) {
  }
  if (i == 5) at(10).store(T{42}, cuda::memory_order_release);
  if (at(11).exchange(T{1}) == T{0}) at(12).fetch_add(T{1});
}

template <class T, cuda::thread_scope scope>
void expect_integers() {
  std::vector<T> expected{
      T{0}, T{0}, T{0}, static_cast<T>(~T{0}), T{0}, T{0}, T{120}, T{0}, T{0}, T{0},
      T{0}, T{0}, T{0}};
  expected.resize(16);  // an atomic of a byte accesses the whole word it lies in
  const DeviceArray<T> values(expected);
  integers<T, scope><<<ctas, threads>>>(values.data());
  for (int k = 0; k < count; ++k) {
    const T i = static_cast<T>(k);
    expected[0] = static_cast<T>(expected[0] + i);
    expected[1] = static_cast<T>(expected[1] - i);
    expected[2] = static_cast<T>(expected[2] | (i & T{0x55}));
    expected[3] = static_cast<T>(expected[3] & ~(i & T{0x0F}));
    expected[4] = static_cast<T>(expected[4] ^ i);
    expected[5] = std::max(expected[5], static_cast<T>(i % 100));
    expected[6] = std::min(expected[6], static_cast<T>(i % 100 + 3));
  }
  expected[7] = static_cast<T>(count);
  expected[8] = static_cast<T>(-count);
  expected[9] = static_cast<T>(2 * count);
  expected[10] = T{42};
  expected[11] = expected[12] = T{1};
  expect_equal("atomics", values, expected);
}

template <class T>
__global__ void floats(T* values) {
  const auto i = static_cast<T>(blockIdx.x * threads + threadIdx.x);
  cuda::atomic_ref<T, cuda::thread_scope_device>(values[0]).fetch_add(i);
  cuda::atomic_ref<T, cuda::thread_scope_device>(values[1]).fetch_sub(i);
  cuda::atomic_ref<T, cuda::thread_scope_device>(values[2]).fetch_max(i / 4);
  cuda::atomic_ref<T, cuda::thread_scope_device>(values[3]).fetch_min(-i / 4);
}

// CTAs take turns: each waits until the ticket is its own.
__global__ void turns(int* ticket, int* order, int* next) {
  if (threadIdx.x != 0) return;
  const cuda::atomic_ref<int, cuda::thread_scope_device> turn(*ticket);
  for (int seen = turn.load(); seen != static_cast<int>(gridDim.x - 1 - blockIdx.x);
       seen = turn.load()) {
    turn.wait(seen);
  }
  order[(*next)++] = static_cast<int>(blockIdx.x);  // ordered by the ticket alone
  turn.fetch_add(1);
  turn.notify_all();
}

__device__ cuda::std::atomic_flag lock;
__device__ cuda::atomic<unsigned long long, cuda::thread_scope_system> total{5};
__global__ void under_lock(int* counter) {
  if (threadIdx.x % 32 == 0) {
    while (lock.test_and_set(cuda::std::memory_order_acquire)) {
    }
    *counter += 1;
    lock.clear(cuda::std::memory_order_release);
  }
  total.fetch_add(2);
  cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}
__global__ void read_total(unsigned long long* out) {
  *out = total.load();
}

int main() {
  expect_integers<signed char, cuda::thread_scope_device>();
  expect_integers<unsigned short, cuda::thread_scope_device>();
  expect_integers<int, cuda::thread_scope_device>();
  expect_integers<unsigned, cuda::thread_scope_system>();
  expect_integers<long long, cuda::thread_scope_device>();
  expect_integers<unsigned long long, cuda::thread_scope_system>();

  for_each_type(TypeList<float, double>{}, [](auto zero) {
    using T = decltype(zero);
    const DeviceArray<T> values(std::vector<T>(4));
    floats<<<ctas, threads>>>(values.data());
    const T sum = T{count} * (count - 1) / 2;
    expect_equal("floating-point atomics", values,
                 {sum, -sum, T{count - 1} / 4, -T{count - 1} / 4});
  });

  const DeviceArray<int> ticket(std::vector<int>{0}), order(ctas), next(std::vector<int>{0});
  turns<<<ctas, threads>>>(ticket.data(), order.data(), next.data());
  expect_equal("turns", order, {7, 6, 5, 4, 3, 2, 1, 0});

  const DeviceArray<int> counter(std::vector<int>{0});
  const DeviceArray<unsigned long long> sum(1);
  under_lock<<<ctas, threads>>>(counter.data());
  read_total<<<1, 1>>>(sum.data());
  expect_equal("counted under a lock", counter, count / 32);
  expect_equal("total", sum, 5ULL + 2 * count);
  return runtime_test::result();
}
