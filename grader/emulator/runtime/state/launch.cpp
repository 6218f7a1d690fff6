#include "emulator/runtime/state/launch.h"

#include <cstring>

#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/launch_check.h"

namespace tmaemu::runtime {
namespace {

// cudaLaunchAttributeID. What is absent from this list either tunes only speed or is refused.
enum AttributeId {
  cooperative = 2,
  cluster_dimension = 4,
  programmatic_event = 7,
  preferred_cluster_dimension = 11,
  launch_completion_event = 12,
  device_updatable_node = 13,
  last_known = 16,
};

Error error_of(LaunchOutcome outcome) {
  switch (outcome) {
    case LaunchOutcome::completed:
      return Error::success;
    case LaunchOutcome::illegal_address:
      return Error::illegal_address;
    case LaunchOutcome::misaligned_address:
      return Error::misaligned_address;
    case LaunchOutcome::illegal_instruction:
      return Error::illegal_instruction;
    case LaunchOutcome::invalid_address_space:
      return Error::invalid_address_space;
    case LaunchOutcome::assertion:
      return Error::assertion;
    case LaunchOutcome::trap:
      return Error::launch_failure;
    // Hardware would hang; a time limit is what ends such a kernel where there is one.
    case LaunchOutcome::deadlock:
      return Error::launch_timeout;
    case LaunchOutcome::not_modelled:
      return Error::not_supported;
  }
  return Error::unknown;
}

}  // namespace

Error apply_attributes(std::span<const LaunchAttribute> attributes,
                       LaunchConfiguration& configuration, std::vector<void*>& events) {
  for (const LaunchAttribute& attribute : attributes) {
    switch (attribute.id) {
      case cooperative:
        configuration.cooperative = attribute.value.flag != 0;
        break;
      case cluster_dimension:
        configuration.cluster = attribute.value.dimensions;
        break;
      // The preferred cluster is a wish: the device may use the regular cluster dimension instead.
      case preferred_cluster_dimension:
        break;
      // Both events may fire as late as at the kernel's end, which is when it is recorded.
      case programmatic_event:
      case launch_completion_event:
        events.push_back(attribute.value.event.event);
        break;
      case device_updatable_node:
        if (attribute.value.flag != 0) return not_modelled("a device-updatable graph node");
        break;
      default:
        // Priorities, L2 and carve-out hints, memory domains, programmatic serialization (which
        // allows an overlap and never requires it) change no result.
        if (attribute.id < 0 || attribute.id > last_known) return Error::invalid_value;
    }
  }
  return Error::success;
}

std::vector<std::byte> pack_parameters(const KernelInfo& kernel, void* const* arguments) {
  std::vector<std::byte> block(kernel.parameter_bytes);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& [offset, size] = kernel.parameters[i];
    std::memcpy(block.data() + offset, arguments[i], size);
  }
  return block;
}

Error launch(Function& function, const LaunchConfiguration& configuration,
             std::vector<std::byte> parameters) {
  LaunchRequest request;
  if (const Error error = check_launch(function, configuration, request); error != Error::success) {
    return error;
  }
  return Streams::instance().submit(*configuration.stream, NodeKind::kernel,
                                    [request, parameters = std::move(parameters)]() mutable {
                                      request.parameters = parameters;
                                      const Error error =
                                          error_of(Device::instance().launch(request));
                                      if (error != Error::success)
                                        FaultState::instance().fault(error);
                                      return Error::success;  // a fault is asynchronous
                                    });
}

}  // namespace tmaemu::runtime
