// Limits of the device, memory pools' books, and clusters that fit: what an H200 answers.
#include <cuda_runtime.h>

#include "runtime_test.h"

namespace {

size_t set_limit(cudaLimit limit, size_t value) {
  size_t kept = 0;
  CHECK_OK(cudaDeviceSetLimit(limit, value));
  CHECK_OK(cudaDeviceGetLimit(&kept, limit));
  return kept;
}

size_t limit(cudaLimit which) {
  size_t value = 0;
  CHECK_OK(cudaDeviceGetLimit(&value, which));
  return value;
}

void limits_begin_as_on_an_h200() {
  CHECK(limit(cudaLimitStackSize) == 1024);
  CHECK(limit(cudaLimitPrintfFifoSize) == 8650752);
  CHECK(limit(cudaLimitMallocHeapSize) == 8 << 20);
  CHECK(limit(cudaLimitMaxL2FetchGranularity) == 64);
  CHECK(limit(cudaLimitPersistingL2CacheSize) == 11796480);
}

void limits_are_rounded_up() {
  CHECK(set_limit(cudaLimitStackSize, 1000) == 1008);
  CHECK(set_limit(cudaLimitStackSize, 523264) == 523264);
  // Of so large a stack for each thread that may run, there may be too little memory.
  CHECK(set_limit(cudaLimitStackSize, 1024) == 1024);
  CHECK(set_limit(cudaLimitPrintfFifoSize, 5000) == 512 << 10);
  CHECK(set_limit(cudaLimitMallocHeapSize, 1 << 20) == 4 << 20);
  CHECK(set_limit(cudaLimitMallocHeapSize, 5000000) == 5046272);
  CHECK(set_limit(cudaLimitPersistingL2CacheSize, 1 << 20) == 3932160);
}

void limits_are_bounded() {
  CHECK_ERROR(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitStackSize, 512 << 10));
  CHECK_ERROR(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMaxL2FetchGranularity, 200));
  CHECK_ERROR(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 3));
}

__global__ void allocate(size_t size, int* count) {
  *count = 0;
  while (*count < 100 && malloc(size) != nullptr) ++*count;
}

void the_heap_ends() {
  int* count = nullptr;
  CHECK_OK(cudaMallocManaged(&count, sizeof *count));
  CHECK_OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 8 << 20));
  static_cast<void>(cudaGetLastError());  // of what was refused
  allocate<<<1, 1>>>(1 << 20, count);
  CHECK_OK(cudaGetLastError());
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(*count > 4 && *count <= 8);
  // The kernel has used it.
  CHECK_ERROR(cudaErrorInvalidValue, cudaDeviceSetLimit(cudaLimitMallocHeapSize, 16 << 20));
}

unsigned long long book(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  unsigned long long value = 0;
  CHECK_OK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

void pools_keep_books() {
  cudaMemPool_t pool;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  CHECK_OK(cudaMemPoolCreate(&pool, &properties));
  unsigned long long all = ~0ull;
  CHECK_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &all));
  void* pointer = nullptr;
  CHECK_OK(cudaMallocFromPoolAsync(&pointer, 100, pool, nullptr));
  CHECK(book(pool, cudaMemPoolAttrUsedMemCurrent) == 100);
  CHECK(book(pool, cudaMemPoolAttrReservedMemCurrent) == 32 << 20);
  CHECK_OK(cudaFreeAsync(pointer, nullptr));
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(book(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(book(pool, cudaMemPoolAttrUsedMemHigh) == 100);
  CHECK(book(pool, cudaMemPoolAttrReservedMemCurrent) == 32 << 20);
  CHECK_OK(cudaMemPoolTrimTo(pool, 0));
  CHECK(book(pool, cudaMemPoolAttrReservedMemCurrent) == 0);
  unsigned long long value = 0;
  CHECK_OK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  CHECK(book(pool, cudaMemPoolAttrUsedMemHigh) == 0);
  value = 5;
  CHECK_ERROR(cudaErrorInvalidValue,
              cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &value));
  CHECK_OK(cudaMemPoolDestroy(pool));
}

void pools_end() {
  cudaMemPool_t pool;
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.maxSize = 1 << 20;
  CHECK_OK(cudaMemPoolCreate(&pool, &properties));
  void* pointer = nullptr;
  CHECK_OK(cudaMallocFromPoolAsync(&pointer, 4 << 20, pool, nullptr));
  CHECK_ERROR(cudaErrorMemoryAllocation,
              cudaMallocFromPoolAsync(&pointer, 64 << 20, pool, nullptr));
}

__global__ void time(unsigned long long* times) {
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(times[0]));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(times[1]));
  // Longer than the timer's step of 32 ns in all: each may sleep no time at all.
  for (int i = 0; i < 10; ++i) __nanosleep(100000);
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(times[2]));
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(times[3]));
}

void time_passes() {
  unsigned long long* times = nullptr;
  CHECK_OK(cudaMallocManaged(&times, 8 * sizeof *times));
  static_cast<void>(cudaGetLastError());  // of what was refused
  time<<<1, 1>>>(times);
  time<<<1, 1>>>(times + 4);
  CHECK_OK(cudaGetLastError());
  CHECK_OK(cudaDeviceSynchronize());
  CHECK(times[2] > times[0]);
  CHECK(times[3] > times[1]);
  CHECK(times[4] > times[2]);
}

}  // namespace

int main() {
  limits_begin_as_on_an_h200();
  limits_are_rounded_up();
  limits_are_bounded();
  the_heap_ends();
  pools_keep_books();
  pools_end();
  time_passes();
  return runtime_test::result();
}
