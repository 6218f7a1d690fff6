// What the runtime does not model is refused by name, and hints are taken as hints: nothing that a
// program asks for is dropped unsaid.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/executable_graph.h"
#include "emulator/runtime/state/launch.h"
#include "emulator/runtime/state/library.h"
#include "emulator/runtime/state/link.h"
#include "emulator/runtime/state/memory_pool.h"

namespace tmaemu::runtime {
namespace {

constexpr int cluster_dimension = 4;             // cudaLaunchAttributeClusterDimension
constexpr int preferred_cluster_dimension = 11;  // cudaLaunchAttributePreferredClusterDimension
constexpr int device_updatable_node = 13;        // cudaLaunchAttributeDeviceUpdatableKernelNode

LaunchAttribute attribute(int id) {
  LaunchAttribute result{};
  result.id = id;
  return result;
}

LaunchAttribute attribute(int id, Dimensions dimensions) {
  LaunchAttribute result = attribute(id);
  result.value.dimensions = dimensions;
  return result;
}

struct Applied {
  Error error;
  std::string message;
  LaunchConfiguration configuration;
};

Applied apply(const std::vector<LaunchAttribute>& attributes) {
  Applied result;
  std::vector<void*> events;
  testing::internal::CaptureStderr();
  result.error = apply_attributes(attributes, result.configuration, events);
  result.message = testing::internal::GetCapturedStderr();
  return result;
}

TEST(LaunchAttributes, ClusterDimensionIsTheLaunchsCluster) {
  const Applied applied = apply({attribute(cluster_dimension, {2, 1, 4})});
  EXPECT_EQ(applied.error, Error::success);
  EXPECT_EQ(applied.configuration.cluster, (Dimensions{2, 1, 4}));
}

TEST(LaunchAttributes, AClusterDimensionOfZeroIsRefused) {
  const Applied applied = apply({attribute(cluster_dimension, {4, 0, 1})});
  EXPECT_EQ(applied.error, Error::invalid_cluster_size);
  EXPECT_NE(applied.message.find("clusterDim: (4, 0, 1)"), std::string::npos) << applied.message;
}

TEST(LaunchAttributes, HintsChangeNothing) {
  for (const int hint : {0, 1, 5, 6, 8, 9, 10, 14, 16}) {
    EXPECT_EQ(apply({attribute(hint)}).error, Error::success) << "attribute " << hint;
  }
}

TEST(LaunchAttributes, OnesThatNoLaunchHasAreRefusedByNumber) {
  for (const int unknown : {-1, 3, 15, 17, 99}) {
    const Applied applied = apply({attribute(unknown)});
    EXPECT_EQ(applied.error, Error::invalid_value) << "attribute " << unknown;
    EXPECT_NE(applied.message.find("attribute " + std::to_string(unknown)), std::string::npos);
  }
}

TEST(LaunchAttributes, AMultipleOfTheClusterMayBePreferred) {
  EXPECT_EQ(apply({attribute(cluster_dimension, {2, 1, 1}),
                   attribute(preferred_cluster_dimension, {4, 1, 1})})
                .error,
            Error::success);
}

TEST(LaunchAttributes, APreferredClusterThatIsNoMultipleIsRefused) {
  EXPECT_EQ(apply({attribute(preferred_cluster_dimension, {3, 1, 1}),
                   attribute(cluster_dimension, {2, 1, 1})})
                .error,
            Error::invalid_value);
}

TEST(LaunchAttributes, APreferredClusterWithoutARegularOneIsRefused) {
  EXPECT_EQ(apply({attribute(preferred_cluster_dimension, {4, 1, 1})}).error, Error::invalid_value);
}

TEST(LaunchAttributes, DeviceUpdatableNodesAreNotModeled) {
  LaunchAttribute updatable = attribute(device_updatable_node);
  updatable.value.flag = 1;
  EXPECT_EQ(apply({updatable}).error, Error::not_supported);
}

TEST(JitOptions, OnesThatTuneMachineCodeAreTaken) {
  for (const int option : {0, 1, 7, 10, 12, 16, 30}) {
    void* value = nullptr;
    EXPECT_EQ(apply_jit_options(std::array{option}, &value), Error::success) << option;
  }
}

TEST(JitOptions, LogsAreEmpty) {
  constexpr std::array sizes{4, 6};  // CU_JIT_INFO_LOG_BUFFER_SIZE_BYTES, ..._ERROR_...
  std::array<void*, 2> values{reinterpret_cast<void*>(512), reinterpret_cast<void*>(512)};
  EXPECT_EQ(apply_jit_options(sizes, values.data()), Error::success);
  EXPECT_EQ(values[0], nullptr);
  EXPECT_EQ(values[1], nullptr);
}

TEST(JitOptions, OnesThatAProgramCouldSeeAreNotModeled) {
  for (const int option : {17, 18, 19, 32, 33}) {
    void* value = nullptr;
    EXPECT_EQ(apply_jit_options(std::array{option}, &value), Error::not_supported) << option;
  }
}

TEST(JitOptions, UnknownOnesAreInvalid) {
  void* value = nullptr;
  EXPECT_EQ(apply_jit_options(std::array{35}, &value), Error::invalid_value);
}

TEST(LibraryOptions, AHostsFunctionTableIsNotModeled) {
  EXPECT_EQ(check_library_options(std::array{0}), Error::not_supported);
}

TEST(Linker, WhatIsNotPtxIsNamedWithWhatToDo) {
  for (const auto& [type, name] : {std::pair{LinkInput::machine_code, "CU_JIT_INPUT_CUBIN"},
                                   {LinkInput::object, "CU_JIT_INPUT_OBJECT"},
                                   {LinkInput::library, "CU_JIT_INPUT_LIBRARY"}}) {
    Link link;
    testing::internal::CaptureStderr();
    EXPECT_EQ(link.add(type, "bytes"), Error::not_supported);
    const std::string message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find("as one file"), std::string::npos) << message;
  }
}

TEST(Linker, SeveralInputsAreNotModeled) {
  const std::string empty = ".version 8.0\n.target sm_90\n.address_size 64\n";
  Link link;
  EXPECT_EQ(link.add(LinkInput::ptx, empty), Error::success);
  testing::internal::CaptureStderr();
  EXPECT_EQ(link.add(LinkInput::ptx, empty), Error::not_supported);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("a second input"), std::string::npos);
}

TEST(Linker, WithoutAnInputThereIsNothingToLoad) {
  Link link;
  void* image = nullptr;
  std::size_t size = 0;
  EXPECT_EQ(link.complete(image, size), Error::invalid_value);
}

TEST(LibraryOptions, APreservedBinaryIsAHint) {
  EXPECT_EQ(check_library_options(std::array{1}), Error::success);
}

TEST(MemoryPools, TheReleaseThresholdIsKept) {
  MemoryPool pool;
  const std::uint64_t threshold = std::uint64_t{1} << 40;
  std::uint64_t kept = 0;
  EXPECT_EQ(set_attribute(pool, 4, &threshold), Error::success);
  EXPECT_EQ(get_attribute(pool, 4, &kept), Error::success);
  EXPECT_EQ(kept, threshold);
}

TEST(MemoryPools, CountTheirBytes) {
  MemoryPool pool;
  pool.note_use(100);
  std::uint64_t bytes = 0;
  EXPECT_EQ(get_attribute(pool, used_now, &bytes), Error::success);
  EXPECT_EQ(bytes, 100u);
}

TEST(MemoryPools, OnesThatProcessesWouldShareSayWhatToDo) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(not_modeled("a memory pool that is not the device's own"), Error::not_supported);
  const std::string message = testing::internal::GetCapturedStderr();
  EXPECT_NE(message.find("cudaIpcGetMemHandle"), std::string::npos) << message;
}

TEST(Graphs, LaunchesFromTheDeviceAreNotModeled) {
  ExecutableGraph* executable = nullptr;
  testing::internal::CaptureStderr();
  EXPECT_EQ(instantiate(Graph{}, 4, executable), Error::not_supported);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "tmaemu: a graph that the device launches is not modeled: launch it from the host\n");
}

TEST(Graphs, UnknownFlagsAreInvalid) {
  ExecutableGraph* executable = nullptr;
  EXPECT_EQ(instantiate(Graph{}, 16, executable), Error::invalid_value);
}

// What a call that gives memory back says of a pointer that is not its own.
template <class Free>
std::string refusal_of(Free free, void* pointer) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(free("the call", pointer), Error::invalid_value);
  return testing::internal::GetCapturedStderr();
}

TEST(FreedMemory, PinnedMemoryIsNotFreedAsDeviceMemory) {
  void* pinned = nullptr;
  ASSERT_EQ(allocate_host(64, 0, pinned), Error::success);
  EXPECT_EQ(refusal_of(free_device, pinned),
            "tmaemu: the call: this is pinned host memory, which cudaFreeHost frees\n");
  EXPECT_EQ(free_host("the call", pinned), Error::success);
}

TEST(FreedMemory, RegisteredMemoryIsNotFreed) {
  alignas(4096) static std::array<char, 4096> registered;
  ASSERT_EQ(register_host(registered.data(), registered.size(), 0), Error::success);
  EXPECT_EQ(refusal_of(free_host, registered.data()),
            "tmaemu: the call: this is host memory, which cudaHostUnregister gives back\n");
  EXPECT_EQ(unregister_host(registered.data()), Error::success);
}

TEST(FreedMemory, DeviceAndManagedMemoryAreNotFreedAsPinnedMemory) {
  void* device = nullptr;
  void* managed = nullptr;
  ASSERT_EQ(allocate_device(64, device), Error::success);
  ASSERT_EQ(allocate_managed(64, managed), Error::success);
  EXPECT_EQ(refusal_of(free_host, device),
            "tmaemu: the call: this is device memory, which cudaFree frees\n");
  EXPECT_EQ(refusal_of(free_host, managed),
            "tmaemu: the call: this is managed memory, which cudaFree frees\n");
  EXPECT_EQ(free_device("the call", device), Error::success);
  EXPECT_EQ(free_device("the call", managed), Error::success);
}

}  // namespace
}  // namespace tmaemu::runtime
