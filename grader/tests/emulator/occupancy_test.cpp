// How many CTAs an SM holds, beside what the toolkit's own calculator says of compute capability
// 9.0.
#include <cuda_occupancy.h>
#include <gtest/gtest.h>

#include "emulator/device/device.h"
#include "emulator/model/h200.h"

namespace tmaemu {
namespace {

cudaOccDeviceProp h200_properties() {
  cudaOccDeviceProp properties;
  properties.computeMajor = 9;
  properties.computeMinor = 0;
  properties.maxThreadsPerBlock = h200::max_threads_per_cta;
  properties.maxThreadsPerMultiprocessor = h200::max_threads_per_sm;
  properties.regsPerBlock = h200::registers_per_sm;
  properties.regsPerMultiprocessor = h200::registers_per_sm;
  properties.warpSize = 32;
  properties.sharedMemPerBlock = h200::default_shared_bytes_per_cta;
  properties.sharedMemPerMultiprocessor = h200::shared_bytes_per_sm;
  properties.numSms = h200::sm_count;
  properties.sharedMemPerBlockOptin = h200::max_shared_bytes_per_cta;
  properties.reservedSharedMemPerBlock = h200::reserved_shared_bytes_per_cta;
  return properties;
}

int by_the_toolkit(const KernelInfo& kernel, unsigned threads, std::size_t dynamic_shared_bytes) {
  static const cudaOccDeviceProp properties = h200_properties();
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = static_cast<int>(kernel.max_threads);
  attributes.numRegs = static_cast<int>(kernel.registers());
  attributes.sharedSizeBytes = kernel.static_shared_bytes;
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes =
      h200::max_shared_bytes_per_cta - attributes.sharedSizeBytes;
  attributes.numBlockBarriers = static_cast<int>(kernel.resources ? kernel.resources->barriers : 1);
  attributes.virtualResourceCount = 0;
  cudaOccDeviceState state;
  cudaOccResult result;
  const auto error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &properties, &attributes, &state, static_cast<int>(threads), dynamic_shared_bytes);
  return error == CUDA_OCC_SUCCESS ? result.activeBlocksPerMultiprocessor : -1;
}

KernelInfo kernel_with(unsigned registers, unsigned barriers = 1) {
  KernelInfo kernel;
  kernel.resources.emplace();
  kernel.resources->registers = registers;
  kernel.resources->barriers = barriers;
  return kernel;
}

int resident(const KernelInfo& kernel, unsigned threads, std::size_t dynamic_shared_bytes) {
  return Device::instance().resident_ctas_per_sm(kernel, threads, dynamic_shared_bytes);
}

TEST(Occupancy, CountsRegistersAsTheToolkitDoes) {
  for (unsigned registers = 1; registers <= 255; ++registers) {
    const KernelInfo kernel = kernel_with(registers);
    for (unsigned threads = 1; threads <= 1024; ++threads) {
      ASSERT_EQ(resident(kernel, threads, 0), by_the_toolkit(kernel, threads, 0))
          << registers << " registers, " << threads << " threads";
    }
  }
}

TEST(Occupancy, CountsSharedMemoryAsTheToolkitDoes) {
  for (const std::size_t fixed : {0, 4, 1000, 49152}) {
    KernelInfo kernel = kernel_with(32);
    kernel.static_shared_bytes = fixed;
    for (std::size_t dynamic = 0; dynamic + fixed <= h200::max_shared_bytes_per_cta;
         dynamic += 52) {
      ASSERT_EQ(resident(kernel, 32, dynamic), by_the_toolkit(kernel, 32, dynamic))
          << fixed << " static bytes, " << dynamic << " dynamic ones";
    }
  }
}

TEST(Occupancy, CountsBarriersAsTheToolkitDoes) {
  for (unsigned barriers = 0; barriers <= 16; ++barriers) {
    const KernelInfo kernel = kernel_with(16, barriers);
    ASSERT_EQ(resident(kernel, 32, 0), by_the_toolkit(kernel, 32, 0)) << barriers << " barriers";
  }
}

TEST(Occupancy, TheLargestCtaIsTheLargestThatFits) {
  for (unsigned registers = 1; registers <= 255; ++registers) {
    const KernelInfo kernel = kernel_with(registers);
    const unsigned most = max_threads_per_cta(kernel);
    EXPECT_GT(resident(kernel, most, 0), 0) << registers << " registers";
    if (most < 1024) {
      EXPECT_EQ(resident(kernel, most + 1, 0), 0) << registers << " registers";
    }
  }
}

TEST(Occupancy, WithoutMachineCodeRegistersDoNotCount) {
  KernelInfo kernel;
  EXPECT_EQ(kernel.registers(), 32u);
  EXPECT_EQ(max_threads_per_cta(kernel), 1024u);
  EXPECT_EQ(resident(kernel, 1024, 0), 2);
}

}  // namespace
}  // namespace tmaemu
