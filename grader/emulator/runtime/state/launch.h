// Kernel launches: what CUDA checks before a kernel runs, and what becomes of one that faults.
// CUDA C++ Programming Guide, "Execution Configuration".
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "emulator/runtime/state/module.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

struct LaunchConfiguration {
  Dimensions grid;
  Dimensions block;
  std::size_t dynamic_shared_bytes = 0;
  Stream* stream = nullptr;
  Dimensions cluster{0, 0, 0};  // zeros: what the kernel asks for itself, or none
  bool cooperative = false;
  bool starts_early = false;         // programmatic dependent launch
  std::optional<std::uint32_t> sms;  // what the device says of itself, if another one launches
};

// cudaLaunchAttributeID, all that a launch may have.
namespace attribute_id {
enum AttributeId : int {
  ignored = 0,
  access_policy_window = 1,
  cooperative = 2,
  cluster_dimension = 4,
  cluster_scheduling_policy = 5,
  programmatic_stream_serialization = 6,
  programmatic_event = 7,
  priority = 8,
  memory_domain_map = 9,
  memory_domain = 10,
  preferred_cluster_dimension = 11,
  launch_completion_event = 12,
  device_updatable_node = 13,
  shared_memory_carveout = 14,
  nvlink_centric_scheduling = 16,
};
}  // namespace attribute_id

// What the launch attributes of the two APIs (cudaLaunchAttribute, CUlaunchAttribute: one layout)
// say. The values of `id` are cudaLaunchAttributeID's.
struct LaunchAttribute {
  int id;
  int padding;
  union {
    char bytes[64];
    int flag;
    Dimensions dimensions;
    struct {
      void* event;
      int flags;
    } event;
  } value;
};
static_assert(sizeof(LaunchAttribute) == 72);

// Adds the attributes to the configuration. `events`: those to record after the kernel.
Error apply_attributes(std::span<const LaunchAttribute> attributes,
                       LaunchConfiguration& configuration, std::vector<void*>& events);

// Whether the kernel takes parameters and nobody gave the list of them.
bool parameters_missing(const KernelInfo& kernel, void* const* arguments);
// The kernel's parameter block from pointers to its arguments.
std::vector<std::byte> pack_parameters(const KernelInfo& kernel, void* const* arguments);
// The same from either form: `extra` is pairs of a key and a value up to CU_LAUNCH_PARAM_END. Of a
// buffer that is too small, an H200's driver takes what is there, and it refuses one that is too
// large as out of resources.
Error parameter_block(const KernelInfo& kernel, void* const* arguments, void* const* extra,
                      std::vector<std::byte>& block);

// Checks the launch and runs it in stream order. The error is the runtime's; the driver has
// invalid_value where that has invalid_configuration.
Error launch(Function& function, const LaunchConfiguration& configuration,
             std::vector<std::byte> parameters);

// The limit of dynamic shared memory that the function's attribute sets, or its default.
std::size_t max_dynamic_shared_bytes(const Function& function);

// Values equal cudaFuncAttribute's.
enum class FunctionAttribute : int {
  max_dynamic_shared_bytes = 8,
  preferred_carveout = 9,
  cluster_must_be_set = 10,
  required_cluster_width = 11,
  required_cluster_height = 12,
  required_cluster_depth = 13,
  non_portable_cluster_size = 14,
  cluster_scheduling_policy = 15,
};
Error set_attribute(Function& function, FunctionAttribute attribute, int value);

// Resolves the function and fills `request`, all but its parameters; or explains what is wrong with
// the configuration on stderr and returns CUDA's error for it.
Error check_launch(Function& function, const LaunchConfiguration& configuration,
                   LaunchRequest& request);

}  // namespace tmaemu::runtime
