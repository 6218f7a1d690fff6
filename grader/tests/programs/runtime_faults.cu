// What the runtime answers to each mistake, at which call, and whether it stays: the launch, the
// call that waits for it, and the call after that. Each mistake is made in a process of its own.
// An H200 gave these answers (driver 580.159.04, CUDA 13.0). With --print the program says what it
// got. Mistakes that an H200 lets pass, and the emulator does not, are not here: a bulk copy
// outside of shared memory, barrier 16, a store beyond the local variables.
#include <cuda.h>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "runtime_test.h"

namespace {

// --- Mistakes of kernels ---

__global__ void store_to(int* pointer) {
  *pointer = 1;
}
__global__ void load_from(const int* pointer, int* out) {
  *out = *pointer;
}
__global__ void store_vector_to(int4* pointer) {
  *pointer = int4{1, 2, 3, 4};
}
__global__ void shared_at(uint32_t address) {
  asm volatile("st.shared.u32 [%0], 1;" ::"r"(address) : "memory");
}
__global__ void load_shared_at(uint32_t address, int* out) {
  int value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
  *out = value;
}
__global__ void generic_shared_at(int64_t offset) {
  __shared__ int variable[4];
  auto* pointer = reinterpret_cast<volatile int*>(reinterpret_cast<char*>(variable) + offset);
  *pointer = 1;
}
__global__ void atomic_to(int* pointer) {
  atomicAdd(pointer, 1);
}
__global__ void trap() {
  asm volatile("trap;");
}
__global__ void failing_assert(int value) {
  assert(value == 0);
}
__device__ __noinline__ int recurse(int depth, int* out) {
  volatile int frame[64];
  frame[depth & 63] = depth;
  if (depth < 0) return frame[0];
  return recurse(depth + 1, out) + frame[depth & 63];
}
__global__ void endless_recursion(int depth, int* out) {
  *out = recurse(depth, out);
}
__global__ void barrier_count(int count) {
  asm volatile("bar.sync 1, %0;" ::"r"(count) : "memory");
}
__global__ void mbarrier_at(uint32_t address) {
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address) : "memory");
}
__global__ void mbarrier_init_count(uint32_t count) {
  __shared__ uint64_t barrier;
  asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(
                   static_cast<uint32_t>(__cvta_generic_to_shared(&barrier))),
               "r"(count)
               : "memory");
}
__global__ void mbarrier_too_many_arrivals() {
  __shared__ uint64_t barrier;
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address) : "memory");
  asm volatile("mbarrier.arrive.shared.b64 _, [%0], 2;" ::"r"(address) : "memory");
}
__global__ void mbarrier_too_many_bytes() {
  __shared__ uint64_t barrier;
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(&barrier));
  asm volatile("mbarrier.init.shared.b64 [%0], 2;" ::"r"(address) : "memory");
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 1048575;" ::"r"(address)
               : "memory");
  asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 16;" ::"r"(address) : "memory");
}
// To the thread's own shared memory.
template <bool reduces>
__global__ void async_store() {
  __shared__ alignas(16) uint64_t value_and_barrier[2];
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(value_and_barrier));
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address + 8) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  if constexpr (reduces) {
    asm volatile(
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 "
        "[%0], 1, [%1];" ::"r"(address),
        "r"(address + 8)
        : "memory");
  } else {
    asm volatile(
        "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], 1, [%1];" ::"r"(
            address),
        "r"(address + 8)
        : "memory");
  }
}
__global__ void bulk_load(const char* global, uint32_t shared_shift, uint32_t bytes) {
  __shared__ alignas(128) char tile[1024];
  __shared__ uint64_t barrier;
  const auto address = static_cast<uint32_t>(__cvta_generic_to_shared(&barrier));
  const auto target = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) + shared_shift;
  asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(address) : "memory");
  asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
  asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(address), "r"(bytes)
               : "memory");
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0],[%1],%2,[%3];" ::"r"(
          target),
      "l"(global), "r"(bytes), "r"(address)
      : "memory");
  uint32_t done = 0;
  for (int i = 0; i < 1000 && done == 0; ++i) {
    asm volatile(
        "{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0,1,0,p; }"
        : "=r"(done)
        : "r"(address)
        : "memory");
    __nanosleep(1000);
  }
}
__global__ void bulk_store(char* global, uint32_t shared_shift) {
  __shared__ alignas(128) char tile[1024];
  const auto source = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) + shared_shift;
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0],[%1],16;" ::"l"(global),
               "r"(source)
               : "memory");
  asm volatile("cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;" ::: "memory");
}
__device__ uint32_t address_at(uint32_t rank) {
  __shared__ int variable;
  uint32_t address;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(address)
               : "r"(static_cast<uint32_t>(__cvta_generic_to_shared(&variable))), "r"(rank));
  return address;
}
__global__ void map_to_rank(uint32_t rank) {
  asm volatile("st.shared::cluster.u32 [%0], 1;" ::"r"(address_at(rank)) : "memory");
}
__global__ void __cluster_dims__(2) map_to_rank_of_two(uint32_t rank) {
  asm volatile("st.shared::cluster.u32 [%0], 1;" ::"r"(address_at(rank)) : "memory");
}
__global__ void __cluster_dims__(2) load_from_rank_of_two(uint32_t rank, int* out) {
  int value;
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address_at(rank)));
  *out = value;
}
__global__ void only_map_to_rank(uint32_t rank, uint32_t* out) {
  *out = address_at(rank);
}
__global__ void free_what_was_not_allocated(void* pointer) {
  free(pointer);
}
__global__ void async_copy_from(const char* global, uint32_t shared_shift) {
  __shared__ alignas(128) char tile[1024];
  const auto target = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) + shared_shift;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(target), "l"(global) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
}
__global__ void load_matrix(uint32_t shared_shift, int* out) {
  __shared__ alignas(128) char tile[1024];
  const auto source = static_cast<uint32_t>(__cvta_generic_to_shared(tile)) + shared_shift;
  int value;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];"
               : "=r"(value)
               : "r"(source)
               : "memory");
  *out = value;
}
__global__ void nothing() {}
__global__ void __launch_bounds__(128) at_most_128() {}
__global__ void __cluster_dims__(2) in_clusters_of_two() {}

__constant__ int constant[4];
extern __shared__ char dynamic_shared[];
__global__ void uses_dynamic_shared(int* out) {
  out[threadIdx.x] = dynamic_shared[threadIdx.x];
}

int* memory() {
  static int* pointer = nullptr;
  if (pointer == nullptr) cudaMalloc(&pointer, 4096);
  return pointer;
}
char* shifted(int bytes) {
  return reinterpret_cast<char*>(memory()) + bytes;
}
int* far_away() {
  return reinterpret_cast<int*>(reinterpret_cast<char*>(memory()) + (std::int64_t{1} << 42));
}
cudaError_t launch_clusters(int size, int grid) {
  cudaLaunchAttribute cluster{};
  cluster.id = cudaLaunchAttributeClusterDimension;
  cluster.val.clusterDim.x = static_cast<unsigned>(size);
  cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(grid));
  config.blockDim = dim3(32);
  config.attrs = &cluster;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, nothing);
}
cudaError_t launch_cooperative(int grid) {
  return cudaLaunchCooperativeKernel(reinterpret_cast<void*>(nothing), dim3(grid), dim3(1024),
                                     nullptr, 0, nullptr);
}

// What the calls answered.
struct Answers {
  cudaError_t call, wait, later;
};

struct Mistake {
  const char* name;
  cudaError_t (*make)();
  Answers expected;
};

cudaError_t last() {
  return cudaGetLastError();
}

constexpr Answers at_wait(cudaError_t error) {
  return {cudaSuccess, error, error};
}
constexpr Answers at_call(cudaError_t error) {
  return {error, cudaSuccess, cudaSuccess};
}
constexpr Answers fine{cudaSuccess, cudaSuccess, cudaSuccess};

// clang-format off
const Mistake mistakes[] = {
  {"store to null", [] { store_to<<<1, 1>>>(nullptr); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"load from null", [] { load_from<<<1, 1>>>(nullptr, memory()); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"store far from every allocation", [] { store_to<<<1, 1>>>(far_away()); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"atomic to null", [] { atomic_to<<<1, 1>>>(nullptr); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"store to host memory of the stack", [] { int there; store_to<<<1, 1>>>(&there); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"misaligned store", [] { store_to<<<1, 1>>>(reinterpret_cast<int*>(shifted(2))); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"misaligned load", [] { load_from<<<1, 1>>>(reinterpret_cast<int*>(shifted(1)), memory()); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"misaligned vector store", [] { store_vector_to<<<1, 1>>>(reinterpret_cast<int4*>(shifted(8))); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"misaligned atomic", [] { atomic_to<<<1, 1>>>(reinterpret_cast<int*>(shifted(2))); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"shared store far outside", [] { shared_at<<<1, 1>>>(1 << 20); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"shared load far outside", [] { load_shared_at<<<1, 1>>>(1 << 20, memory()); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"generic shared store far outside", [] { generic_shared_at<<<1, 1>>>(1 << 20); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"misaligned generic shared store", [] { generic_shared_at<<<1, 1>>>(2); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"trap", [] { trap<<<1, 1>>>(); return last(); }, at_wait(cudaErrorLaunchFailure)},
  {"failing assert", [] { failing_assert<<<1, 1>>>(1); return last(); }, at_wait(cudaErrorAssert)},
  {"endless recursion", [] { endless_recursion<<<1, 1>>>(0, memory()); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"barrier of 33 threads", [] { barrier_count<<<1, 64>>>(33); return last(); }, at_wait(cudaErrorIllegalInstruction)},
  {"mbarrier far outside", [] { mbarrier_at<<<1, 1>>>(1 << 20); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"mbarrier of no arrivals", [] { mbarrier_init_count<<<1, 1>>>(0); return last(); }, fine},
  {"mbarrier of too many arrivals", [] { mbarrier_init_count<<<1, 1>>>(1 << 20); return last(); }, fine},
  {"more arrivals than a phase has", [] { mbarrier_too_many_arrivals<<<1, 1>>>(); return last(); }, fine},
  {"more bytes than a phase may have", [] { mbarrier_too_many_bytes<<<1, 1>>>(); return last(); }, fine},
  {"st.async without a cluster", [] { async_store<false><<<1, 1>>>(); return last(); }, at_wait(cudaErrorIllegalInstruction)},
  {"red.async without a cluster", [] { async_store<true><<<1, 1>>>(); return last(); }, at_wait(cudaErrorIllegalInstruction)},
  {"bulk load from null", [] { bulk_load<<<1, 1>>>(nullptr, 0, 64); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"bulk load from far away", [] { bulk_load<<<1, 1>>>(reinterpret_cast<char*>(far_away()), 0, 64); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"bulk load from a misaligned address", [] { bulk_load<<<1, 1>>>(shifted(8), 0, 64); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"bulk load to a misaligned address", [] { bulk_load<<<1, 1>>>(shifted(0), 8, 64); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"bulk store to null", [] { bulk_store<<<1, 1>>>(nullptr, 0); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"bulk store to a misaligned address", [] { bulk_store<<<1, 1>>>(shifted(4), 0); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"remote store to a rank that is not there", [] { map_to_rank<<<1, 1>>>(3); return last(); }, at_wait(cudaErrorIllegalInstruction)},
  {"remote store to a rank that the cluster has not", [] { map_to_rank_of_two<<<2, 1>>>(3); return last(); }, at_wait(cudaErrorLaunchFailure)},
  {"remote load from a rank that the cluster has not", [] { load_from_rank_of_two<<<2, 1>>>(2, memory()); return last(); }, at_wait(cudaErrorLaunchFailure)},
  {"address of a rank that is not there, not used", [] { only_map_to_rank<<<1, 1>>>(3, reinterpret_cast<uint32_t*>(memory())); return last(); }, fine},
  {"device free of what malloc did not return", [] { free_what_was_not_allocated<<<1, 1>>>(memory()); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"cp.async from null", [] { async_copy_from<<<1, 1>>>(nullptr, 0); return last(); }, at_wait(cudaErrorIllegalAddress)},
  {"cp.async from a misaligned address", [] { async_copy_from<<<1, 1>>>(shifted(8), 0); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"cp.async to a misaligned address", [] { async_copy_from<<<1, 1>>>(shifted(0), 8); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"misaligned ldmatrix", [] { load_matrix<<<1, 32>>>(8, memory()); return last(); }, at_wait(cudaErrorMisalignedAddress)},
  {"a block of 1025 threads", [] { nothing<<<1, 1025>>>(); return last(); }, at_call(cudaErrorInvalidValue)},
  {"a block of no threads", [] { nothing<<<1, 0>>>(); return last(); }, at_call(cudaErrorInvalidValue)},
  {"a grid of no blocks", [] { nothing<<<0, 1>>>(); return last(); }, at_call(cudaErrorInvalidValue)},
  {"a block of depth 65", [] { nothing<<<1, dim3(1, 1, 65)>>>(); return last(); }, at_call(cudaErrorInvalidValue)},
  {"a grid of height 65536", [] { nothing<<<dim3(1, 65536), 1>>>(); return last(); }, at_call(cudaErrorInvalidValue)},
  {"more threads than __launch_bounds__", [] { at_most_128<<<1, 256>>>(); return last(); }, at_call(cudaErrorInvalidValue)},
  {"49 KiB of dynamic shared memory", [] { uses_dynamic_shared<<<1, 1, 49 << 10>>>(memory()); return last(); }, at_call(cudaErrorInvalidValue)},
  {"300 KiB of dynamic shared memory", [] { uses_dynamic_shared<<<1, 1, 300 << 10>>>(memory()); return last(); }, at_call(cudaErrorInvalidValue)},
  {"an attribute of 228 KiB", [] { return cudaFuncSetAttribute(uses_dynamic_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 228 << 10); }, at_call(cudaErrorInvalidValue)},
  {"a grid that is no multiple of the cluster", [] { return launch_clusters(2, 3); }, at_call(cudaErrorInvalidClusterSize)},
  {"a cluster of nine", [] { return launch_clusters(9, 9); }, at_call(cudaErrorInvalidClusterSize)},
  {"a cluster of 16 without the attribute", [] { return launch_clusters(16, 16); }, at_call(cudaErrorInvalidClusterSize)},
  {"a grid that is no multiple of __cluster_dims__", [] { in_clusters_of_two<<<3, 1>>>(); return last(); }, at_call(cudaErrorInvalidClusterSize)},
  {"a cooperative grid that is too large", [] { return launch_cooperative(100000); }, at_call(cudaErrorCooperativeLaunchTooLarge)},
  {"free of what was not allocated", [] { int there; return cudaFree(&there); }, at_call(cudaErrorInvalidValue)},
  {"free of an allocation's inside", [] { return cudaFree(memory() + 1); }, at_call(cudaErrorInvalidValue)},
  {"free of memory twice", [] { int* m = nullptr; cudaMalloc(&m, 64); cudaFree(m); return cudaFree(m); }, at_call(cudaErrorInvalidValue)},
  {"copy from device to host with a host source", [] { int a = 0, b = 0; return cudaMemcpy(&a, &b, 4, cudaMemcpyDeviceToHost); }, at_call(cudaErrorInvalidValue)},
  {"copy with an unknown kind", [] { int a = 0, b = 0; return cudaMemcpy(&a, &b, 4, static_cast<cudaMemcpyKind>(9)); }, at_call(cudaErrorInvalidMemcpyDirection)},
  {"copy beyond an allocation", [] { static char host[1 << 25]; return cudaMemcpy(host, memory(), sizeof host, cudaMemcpyDeviceToHost); }, at_call(cudaErrorInvalidValue)},
  {"memset of host memory", [] { int there; return cudaMemset(&there, 0, 4); }, at_call(cudaErrorInvalidValue)},
  {"allocation of more than there is", [] { void* m = nullptr; return cudaMalloc(&m, std::size_t{1} << 42); }, at_call(cudaErrorMemoryAllocation)},
  {"a symbol that is none", [] { int there = 0; return cudaMemcpyToSymbol(&there, &there, 4); }, at_call(cudaErrorInvalidSymbol)},
  {"a symbol and too many bytes", [] { static char host[64]; return cudaMemcpyToSymbol(constant, host, 64); }, at_call(cudaErrorInvalidValue)},
  {"device 1", [] { return cudaSetDevice(99); }, at_call(cudaErrorInvalidDevice)},
  {"an unknown limit", [] { std::size_t value; return cudaDeviceGetLimit(&value, static_cast<cudaLimit>(99)); }, at_call(cudaErrorInvalidValue)},
  {"an unknown attribute", [] { int value; return cudaDeviceGetAttribute(&value, static_cast<cudaDeviceAttr>(9999), 0); }, at_call(cudaErrorInvalidValue)},
  {"elapsed time of events that were not recorded", [] { cudaEvent_t a, b; float ms; cudaEventCreate(&a); cudaEventCreate(&b); return cudaEventElapsedTime(&ms, a, b); }, at_call(cudaErrorInvalidResourceHandle)},
  {"unregistering what was not registered", [] { int there; return cudaHostUnregister(&there); }, at_call(cudaErrorHostMemoryNotRegistered)},
};
// clang-format on

// Makes the mistake in a process of its own; `crashed` where that ended by itself.
bool make_apart(const Mistake& mistake, Answers& answers) {
  int channel[2];
  if (pipe(channel) != 0) return false;
  const pid_t child = fork();
  if (child == 0) {
    alarm(15);  // a kernel that never ends ends the process
    Answers got{};
    got.call = mistake.make();
    got.wait = cudaDeviceSynchronize();
    void* later = nullptr;
    got.later = cudaMalloc(&later, 64);
    const bool sent = write(channel[1], &got, sizeof got) == sizeof got;
    _exit(sent ? 0 : 1);
  }
  close(channel[1]);
  const bool received = read(channel[0], &answers, sizeof answers) == sizeof answers;
  close(channel[0]);
  int status = 0;
  waitpid(child, &status, 0);
  return received;
}

}  // namespace

int main(int argc, char** argv) {
  const bool prints = argc > 1 && std::strcmp(argv[1], "--print") == 0;
  // All mistakes first: a process that has called CUDA, even for an error's name, cannot fork.
  std::array<Answers, std::size(mistakes)> answers{};
  std::array<bool, std::size(mistakes)> answered{};
  for (std::size_t i = 0; i < answers.size(); ++i) {
    answered[i] = make_apart(mistakes[i], answers[i]);
  }
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Answers& got = answers[i];
    const Answers& expected = mistakes[i].expected;
    const bool same = answered[i] && got.call == expected.call && got.wait == expected.wait &&
                      got.later == expected.later;
    if (!same) ++runtime_test::failures;
    if (same && !prints) continue;
    std::printf("%s%s: call %s, wait %s, later %s%s\n",
                same ? "" : "NOT AS EXPECTED: ", mistakes[i].name, cudaGetErrorName(got.call),
                cudaGetErrorName(got.wait), cudaGetErrorName(got.later),
                answered[i] ? "" : " (the process ended)");
  }
  return runtime_test::result();
}
