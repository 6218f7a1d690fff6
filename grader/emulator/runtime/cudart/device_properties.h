// Fills the fields that both versions of cudaDeviceProp have.
#pragma once

#include <cstdio>
#include <cstring>

#include "emulator/device/device.h"
#include "emulator/runtime/cudart/device_properties_layout.h"
#include "emulator/runtime/state/device_attributes.h"

namespace tmaemu::runtime {

// An attribute that the table has for certain.
inline int attribute(int number) {
  return device_attribute(number).value();
}

// Arrays of attributes with consecutive numbers.
template <std::size_t count>
void fill_array(int (&values)[count], int first) {
  for (std::size_t i = 0; i < count; ++i) values[i] = attribute(first + static_cast<int>(i));
}

template <class Properties>
void fill_texture_limits(Properties& p) {
  p.textureAlignment = static_cast<std::size_t>(attribute(14));
  p.texturePitchAlignment = static_cast<std::size_t>(attribute(51));
  p.maxTexture1D = attribute(21);
  p.maxTexture1DMipmap = attribute(77);
  fill_array(p.maxTexture2D, 22);
  fill_array(p.maxTexture2DMipmap, 73);
  fill_array(p.maxTexture2DLinear, 70);
  fill_array(p.maxTexture2DGather, 45);
  fill_array(p.maxTexture3D, 24);
  fill_array(p.maxTexture3DAlt, 47);
  p.maxTextureCubemap = attribute(52);
  fill_array(p.maxTexture1DLayered, 42);
  fill_array(p.maxTexture2DLayered, 27);
  fill_array(p.maxTextureCubemapLayered, 53);
  p.maxSurface1D = attribute(55);
  fill_array(p.maxSurface2D, 56);
  fill_array(p.maxSurface3D, 58);
  fill_array(p.maxSurface1DLayered, 61);
  fill_array(p.maxSurface2DLayered, 63);
  p.maxSurfaceCubemap = attribute(66);
  fill_array(p.maxSurfaceCubemapLayered, 67);
  p.surfaceAlignment = static_cast<std::size_t>(attribute(30));
}

template <class Properties>
void fill_limits(Properties& p) {
  p.totalGlobalMem = Device::instance().memory().capacity();
  p.sharedMemPerBlock = static_cast<std::size_t>(attribute(8));
  p.regsPerBlock = attribute(12);
  p.warpSize = attribute(10);
  p.memPitch = static_cast<std::size_t>(attribute(11));
  p.maxThreadsPerBlock = attribute(1);
  fill_array(p.maxThreadsDim, 2);
  fill_array(p.maxGridSize, 5);
  p.totalConstMem = static_cast<std::size_t>(attribute(9));
  p.major = attribute(75);
  p.minor = attribute(76);
  p.multiProcessorCount = attribute(16);
  p.memoryBusWidth = attribute(37);
  p.l2CacheSize = attribute(38);
  p.persistingL2CacheMaxSize = attribute(108);
  p.maxThreadsPerMultiProcessor = attribute(39);
  p.sharedMemPerMultiprocessor = static_cast<std::size_t>(attribute(81));
  p.regsPerMultiprocessor = attribute(82);
  p.sharedMemPerBlockOptin = static_cast<std::size_t>(attribute(97));
  p.maxBlocksPerMultiProcessor = attribute(106);
  p.accessPolicyMaxWindowSize = attribute(109);
  p.reservedSharedMemPerBlock = static_cast<std::size_t>(attribute(111));
}

template <class Properties>
void fill_abilities(Properties& p) {
  p.integrated = attribute(18);
  p.canMapHostMemory = attribute(19);
  p.concurrentKernels = attribute(31);
  p.ECCEnabled = attribute(32);
  p.pciBusID = attribute(33);
  p.pciDeviceID = attribute(34);
  p.pciDomainID = attribute(50);
  p.tccDriver = attribute(35);
  p.asyncEngineCount = attribute(40);
  p.unifiedAddressing = attribute(41);
  p.streamPrioritiesSupported = attribute(78);
  p.globalL1CacheSupported = attribute(79);
  p.localL1CacheSupported = attribute(80);
  p.managedMemory = attribute(83);
  p.isMultiGpuBoard = attribute(84);
  p.multiGpuBoardGroupID = attribute(85);
  p.hostNativeAtomicSupported = attribute(86);
  p.pageableMemoryAccess = attribute(88);
  p.concurrentManagedAccess = attribute(89);
  p.computePreemptionSupported = attribute(90);
  p.canUseHostPointerForRegisteredMem = attribute(91);
  p.cooperativeLaunch = attribute(95);
  p.pageableMemoryAccessUsesHostPageTables = attribute(100);
  p.directManagedMemAccessFromHost = attribute(101);
  p.hostRegisterSupported = attribute(99);
  p.sparseCudaArraySupported = attribute(112);
  p.hostRegisterReadOnlySupported = attribute(113);
  p.timelineSemaphoreInteropSupported = attribute(114);
  p.memoryPoolsSupported = attribute(115);
  p.gpuDirectRDMASupported = attribute(116);
  p.gpuDirectRDMAFlushWritesOptions = static_cast<unsigned>(attribute(117));
  p.gpuDirectRDMAWritesOrdering = attribute(118);
  p.memoryPoolSupportedHandleTypes = static_cast<unsigned>(attribute(119));
  p.deferredMappingCudaArraySupported = attribute(121);
  p.ipcEventSupported = attribute(125);
  p.clusterLaunch = attribute(120);
  p.unifiedFunctionPointers = attribute(129);
}

template <class Properties>
void fill_common(Properties& p) {
  p = Properties{};
  std::snprintf(p.name, sizeof p.name, "%s", device_name);
  std::memcpy(p.uuid, device_uuid.data(), device_uuid.size());
  fill_limits(p);
  fill_texture_limits(p);
  fill_abilities(p);
}

}  // namespace tmaemu::runtime
