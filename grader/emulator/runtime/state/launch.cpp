#include "emulator/runtime/state/launch.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/node_parameters.h"

namespace tmaemu::runtime {
namespace {

// In a LaunchConfiguration zeros stand for a cluster that nobody asked for.
Error check_cluster(const char* name, const Dimensions& cluster) {
  if (cluster.count() != 0) return Error::success;
  explain(std::string("launch attribute ") + name + ": (" + std::to_string(cluster.x) + ", " +
          std::to_string(cluster.y) + ", " + std::to_string(cluster.z) +
          ") has a dimension that is 0");
  return Error::invalid_cluster_size;
}

// driver_types.h: the preferred cluster is a multiple of the regular one, which has to be there. It
// is a wish: the device may form regular clusters instead, as is done here.
Error check_preferred_cluster(const Dimensions& preferred, const Dimensions& regular) {
  if (preferred.count() == 0) return Error::success;
  const bool multiple = regular.count() != 0 && preferred.x % regular.x == 0 &&
                        preferred.y % regular.y == 0 && preferred.z % regular.z == 0;
  if (multiple) return Error::success;
  explain("launch attribute preferredClusterDim: no multiple of clusterDim");
  return Error::invalid_value;
}

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
    case LaunchOutcome::invalid_program_counter:
      return Error::invalid_program_counter;
    case LaunchOutcome::assertion:
      return Error::assertion;
    case LaunchOutcome::trap:
      return Error::launch_failure;
    // Hardware would hang; a time limit is what ends such a kernel where there is one.
    case LaunchOutcome::deadlock:
    case LaunchOutcome::out_of_time:
      return Error::launch_timeout;
    case LaunchOutcome::not_modeled:
      return Error::not_supported;
  }
  return Error::unknown;
}

// A fault is asynchronous: the launch has succeeded.
Error run(const Kernel& kernel, const LaunchRequest& request) {
  const Error error = error_of(Device::instance().launch(kernel, request));
  if (error != Error::success) FaultState::instance().fault(error);
  return Error::success;
}

}  // namespace

Error apply_attributes(std::span<const LaunchAttribute> attributes,
                       LaunchConfiguration& configuration, std::vector<void*>& events) {
  using namespace attribute_id;
  Dimensions preferred{0, 0, 0};
  for (const LaunchAttribute& attribute : attributes) {
    switch (attribute.id) {
      case cooperative:
        configuration.cooperative = attribute.value.flag != 0;
        break;
      case cluster_dimension:
        configuration.cluster = attribute.value.dimensions;
        if (const Error error = check_cluster("clusterDim", configuration.cluster);
            error != Error::success) {
          return error;
        }
        break;
      case preferred_cluster_dimension:
        preferred = attribute.value.dimensions;
        if (const Error error = check_cluster("preferredClusterDim", preferred);
            error != Error::success) {
          return error;
        }
        break;
      // Both events may fire as late as at the kernel's end, which is when it is recorded.
      case programmatic_event:
      case launch_completion_event:
        events.push_back(attribute.value.event.event);
        break;
      case device_updatable_node:
        if (attribute.value.flag != 0) return not_modeled("a device-updatable graph node");
        break;
      // A permission to overlap: what that may break is found, but nothing overlaps here.
      case programmatic_stream_serialization:
        configuration.starts_early = attribute.value.flag != 0;
        break;
      // Hints, which change no result.
      case ignored:
      case access_policy_window:
      case cluster_scheduling_policy:
      case priority:
      case memory_domain_map:
      case memory_domain:
      case shared_memory_carveout:
      case nvlink_centric_scheduling:
        break;
      default:
        explain("launch attribute " + std::to_string(attribute.id) + " is none of a launch's");
        return Error::invalid_value;
    }
  }
  return check_preferred_cluster(preferred, configuration.cluster);
}

bool parameters_missing(const KernelInfo& kernel, void* const* arguments) {
  return arguments == nullptr && !kernel.parameters.empty();
}

std::vector<std::byte> pack_parameters(const KernelInfo& kernel, void* const* arguments) {
  std::vector<std::byte> block(kernel.parameter_bytes);
  for (std::size_t i = 0; i < kernel.parameters.size(); ++i) {
    const auto& [offset, size] = kernel.parameters[i];
    std::memcpy(block.data() + offset, arguments[i], size);
  }
  return block;
}

namespace {

enum class LaunchParameter : std::uintptr_t { end = 0, buffer_pointer = 1, buffer_size = 2 };

Error packed_parameters(void* const* extra, std::vector<std::byte>& block) {
  const std::byte* buffer = nullptr;
  std::size_t size = 0;
  for (;; extra += 2) {
    const auto key = static_cast<LaunchParameter>(reinterpret_cast<std::uintptr_t>(*extra));
    if (key == LaunchParameter::end) break;
    if (key == LaunchParameter::buffer_pointer) {
      buffer = static_cast<const std::byte*>(extra[1]);
    } else if (key == LaunchParameter::buffer_size) {
      size = *static_cast<const std::size_t*>(extra[1]);
    } else {
      return Error::invalid_value;
    }
  }
  if (buffer == nullptr) return Error::invalid_value;
  if (size > block.size()) return Error::launch_out_of_resources;
  std::copy_n(buffer, size, block.begin());
  return Error::success;
}

}  // namespace

Error parameter_block(const KernelInfo& kernel, void* const* arguments, void* const* extra,
                      std::vector<std::byte>& block) {
  block.assign(kernel.parameter_bytes, std::byte{});
  if (arguments != nullptr && extra != nullptr) return Error::invalid_value;
  if (extra != nullptr) return packed_parameters(extra, block);
  if (parameters_missing(kernel, arguments)) return Error::invalid_value;
  if (!kernel.parameters.empty()) block = pack_parameters(kernel, arguments);
  return Error::success;
}

Error launch(Function& function, const LaunchConfiguration& configuration,
             std::vector<std::byte> parameters) {
  LaunchRequest request;
  if (const Error error = check_launch(function, configuration, request); error != Error::success) {
    return error;
  }
  const Kernel& kernel = *function.kernel;
  const bool starts_early = configuration.starts_early;
  const auto work = [&kernel, request, parameters, starts_early] {
    LaunchRequest complete = request;
    complete.parameters = parameters;
    if (const StreamPlace* const place = Streams::instance().current()) {
      auto own = std::make_shared<StreamPlace>(*place);
      own->starts_early = starts_early;
      complete.place = std::move(own);
    }
    return run(kernel, complete);
  };
  Stream& stream = *configuration.stream;
  const Error error = Streams::instance().submit(
      stream, NodeKind::kernel, [&kernel, request, starts_early, parameters, work] {
        if (!CallLog::instance().is_recording()) return work();
        CallLog::instance().launch(kernel, request, starts_early, parameters, work);
        return Error::success;
      });
  if (error == Error::success && stream.capture) {
    note_captured(stream, KernelNode{&function, configuration, std::move(parameters)});
  }
  return error;
}

}  // namespace tmaemu::runtime
