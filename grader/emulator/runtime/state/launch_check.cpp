#include <string>

#include "emulator/model/h200.h"
#include "emulator/runtime/state/device_attributes.h"
#include "emulator/runtime/state/launch.h"

namespace tmaemu::runtime {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 9.0.
constexpr Dimensions max_block{1024, 1024, 64};
constexpr Dimensions max_grid{0x7FFF'FFFF, 65535, 65535};

std::string text(const Dimensions& dimensions) {
  return "(" + std::to_string(dimensions.x) + ", " + std::to_string(dimensions.y) + ", " +
         std::to_string(dimensions.z) + ")";
}

bool within(const Dimensions& dimensions, const Dimensions& limit) {
  return dimensions.count() != 0 && dimensions.x <= limit.x && dimensions.y <= limit.y &&
         dimensions.z <= limit.z;
}

bool is_set(const Dimensions& dimensions) {
  return dimensions.count() != 0;
}

class Check {
 public:
  Check(const Function& function, const LaunchConfiguration& configuration)
      : function_(function), info_(function.kernel->info()), configuration_(configuration) {}

  Error grid_and_block() const {
    const Dimensions& grid = configuration_.grid;
    const Dimensions& block = configuration_.block;
    // CUDA 13.0 on an H200 calls every such shape an invalid value, not a configuration.
    if (!within(grid, max_grid)) {
      return refuse(Error::invalid_value,
                    "the grid " + text(grid) + " is not within (1, 1, 1) to " + text(max_grid));
    }
    if (!within(block, max_block) || block.count() > h200::max_threads_per_cta) {
      return refuse(Error::invalid_value, "the block " + text(block) +
                                              " is not within (1, 1, 1) to " + text(max_block) +
                                              ", or has more than 1024 threads");
    }
    if (is_set(info_.required_threads) && block != info_.required_threads) {
      return refuse(
          Error::invalid_value,
          "the block " + text(block) + " is not the kernel's own, " + text(info_.required_threads));
    }
    if (block.count() > info_.max_threads) {
      return refuse(Error::invalid_value,
                    std::to_string(block.count()) + " threads a block exceed the kernel's " +
                        "__launch_bounds__ of " + std::to_string(info_.max_threads));
    }
    if (const std::uint32_t most = max_threads_per_cta(info_); block.count() > most) {
      return refuse(Error::launch_out_of_resources,
                    std::to_string(block.count()) + " threads a block of " +
                        std::to_string(info_.registers()) + " registers each are more than the " +
                        std::to_string(h200::registers_per_sm) + " registers of an SM: at most " +
                        std::to_string(most) + " fit; __launch_bounds__(" +
                        std::to_string(block.count()) + ") lets the compiler use fewer registers");
    }
    return Error::success;
  }

  Error shared_memory() const {
    const std::size_t wanted = configuration_.dynamic_shared_bytes;
    const std::size_t limit = max_dynamic_shared_bytes(function_);
    if (wanted <= limit) return Error::success;
    const std::size_t possible = h200::max_shared_bytes_per_cta - info_.static_shared_bytes;
    std::string message = std::to_string(wanted) + " bytes of dynamic shared memory exceed the " +
                          std::to_string(limit) + " that are allowed";
    if (wanted <= possible) {
      message +=
          "; allow them first: cudaFuncSetAttribute(kernel, "
          "cudaFuncAttributeMaxDynamicSharedMemorySize, " +
          std::to_string(wanted) + ")";
    } else {
      message += "; beside its " + std::to_string(info_.static_shared_bytes) +
                 " static bytes the kernel can have at most " + std::to_string(possible);
    }
    return refuse(Error::invalid_value, message);
  }

  // Fills in the request's cluster.
  Error cluster(LaunchRequest& request) const {
    const Dimensions& asked = configuration_.cluster;
    const Dimensions& required = is_set(info_.required_cluster)
                                     ? info_.required_cluster
                                     : function_.settings.required_cluster;
    if (is_set(required) && is_set(asked) && asked != required) {
      return refuse(Error::invalid_cluster_size,
                    "the cluster " + text(asked) + " is not the kernel's own, " + text(required));
    }
    request.explicit_cluster = is_set(required) || is_set(asked);
    const Dimensions cluster = is_set(required) ? required : is_set(asked) ? asked : Dimensions{};
    request.cluster = cluster;
    const std::uint32_t limit = function_.settings.non_portable_cluster
                                    ? h200::largest_cluster
                                    : static_cast<std::uint32_t>(h200::max_cluster_size);
    if (cluster.count() > limit) {
      return refuse(Error::invalid_cluster_size,
                    "the cluster " + text(cluster) + " has more than " + std::to_string(limit) +
                        " blocks (16 need cudaFuncAttributeNonPortableClusterSizeAllowed)");
    }
    const Dimensions& grid = configuration_.grid;
    if (grid.x % cluster.x != 0 || grid.y % cluster.y != 0 || grid.z % cluster.z != 0) {
      return refuse(Error::invalid_cluster_size,
                    "the grid " + text(grid) + " is no multiple of the cluster " + text(cluster));
    }
    return Error::success;
  }

  Error cooperative_grid() const {
    if (!configuration_.cooperative) return Error::success;
    const auto resident = static_cast<std::uint64_t>(
        device_sms() * Device::instance().resident_ctas_per_sm(
                           info_, static_cast<std::uint32_t>(configuration_.block.count()),
                           configuration_.dynamic_shared_bytes));
    if (configuration_.grid.count() <= resident) return Error::success;
    return refuse(Error::cooperative_launch_too_large,
                  "a cooperative launch of " + std::to_string(configuration_.grid.count()) +
                      " blocks: only " + std::to_string(resident) + " of them fit on the device");
  }

 private:
  Error refuse(Error error, const std::string& reason) const {
    explain("launch of " + readable(info_.name) + " refused: " + reason);
    return error;
  }

  const Function& function_;
  const KernelInfo& info_;
  const LaunchConfiguration& configuration_;
};

}  // namespace

std::size_t max_dynamic_shared_bytes(const Function& function) {
  if (function.settings.max_dynamic_shared_bytes >= 0) {
    return static_cast<std::size_t>(function.settings.max_dynamic_shared_bytes);
  }
  const std::size_t used = function.kernel->info().static_shared_bytes;
  return used < h200::default_shared_bytes_per_cta ? h200::default_shared_bytes_per_cta - used : 0;
}

Error set_attribute(Function& function, FunctionAttribute attribute, int value) {
  if (const Error error = function.resolve(); error != Error::success) return error;
  const KernelInfo& info = function.kernel->info();
  KernelSettings& settings = function.settings;
  switch (attribute) {
    case FunctionAttribute::max_dynamic_shared_bytes: {
      const std::size_t possible = h200::max_shared_bytes_per_cta - info.static_shared_bytes;
      if (value < 0 || static_cast<std::size_t>(value) > possible) {
        explain("cudaFuncAttributeMaxDynamicSharedMemorySize of " + readable(info.name) + ": " +
                std::to_string(value) + " bytes are not within 0 to " + std::to_string(possible) +
                " (227 KiB less the kernel's static shared memory)");
        return Error::invalid_value;
      }
      settings.max_dynamic_shared_bytes = value;
      return Error::success;
    }
    case FunctionAttribute::preferred_carveout:
      if (value < -1 || value > 100) return Error::invalid_value;
      settings.preferred_carveout = value;
      return Error::success;
    case FunctionAttribute::required_cluster_width:
    case FunctionAttribute::required_cluster_height:
    case FunctionAttribute::required_cluster_depth: {
      if (value < 0 || is_set(info.required_cluster)) return Error::invalid_value;
      Dimensions& cluster = settings.required_cluster;
      if (cluster == Dimensions{0, 0, 0}) cluster = Dimensions{};
      (attribute == FunctionAttribute::required_cluster_width    ? cluster.x
       : attribute == FunctionAttribute::required_cluster_height ? cluster.y
                                                                 : cluster.z) =
          static_cast<std::uint32_t>(value);
      return Error::success;
    }
    case FunctionAttribute::non_portable_cluster_size:
      settings.non_portable_cluster = value != 0;
      return Error::success;
    case FunctionAttribute::cluster_scheduling_policy:
      if (value < 0 || value > 2) return Error::invalid_value;
      settings.cluster_scheduling_policy = value;
      return Error::success;
    case FunctionAttribute::cluster_must_be_set:
      break;
  }
  return Error::invalid_value;
}

Error check_launch(Function& function, const LaunchConfiguration& configuration,
                   LaunchRequest& request) {
  if (const Error error = function.resolve(); error != Error::success) return error;
  const Check check(function, configuration);
  Error error = check.grid_and_block();
  if (error == Error::success) error = check.shared_memory();
  if (error == Error::success) error = check.cluster(request);
  if (error == Error::success) error = check.cooperative_grid();
  if (error != Error::success) return error;
  request.grid = configuration.grid;
  request.block = configuration.block;
  request.dynamic_shared_bytes = configuration.dynamic_shared_bytes;
  request.cooperative = configuration.cooperative;
  request.sms = configuration.sms.value_or(static_cast<std::uint32_t>(device_sms()));
  return Error::success;
}

}  // namespace tmaemu::runtime
