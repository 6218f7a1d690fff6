// Runs one launch: its text comes on standard input. Its recording goes to standard output, and
// behind it a line with what global memory holds then; what is found goes to standard error. The
// settings of tmaemu (TMAEMU_ASYNC, TMAEMU_CHECK) come from the environment, as ever; TMAEMU_RECORD
// has to be "-".
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>

#include "common/hexadecimal.h"
#include "common/json_text.h"
#include "emulator/browser/launch_text.h"
#include "emulator/device/device.h"
#include "emulator/model/h200.h"

namespace tmaemu::browser {
namespace {

// Somebody waits for it, and may have written a loop without an end.
constexpr std::chrono::seconds longest_run{3};

std::string standard_input() {
  std::string text;
  std::array<char, 1 << 16> part;
  for (std::size_t size = 0; (size = std::fread(part.data(), 1, part.size(), stdin)) > 0;) {
    text.append(part.data(), size);
  }
  return text;
}

common::Status place(GlobalMemory& memory, const LaunchText::Allocation& wanted) {
  const auto address = memory.allocate(static_cast<std::size_t>(wanted.size));
  if (!address) return address.error();
  if (*address != wanted.address) {
    return common::Error{"an allocation lies elsewhere than where it was recorded"};
  }
  std::ranges::copy(wanted.bytes, memory.translate(*address, wanted.bytes.size()));
  return {};
}

// What the allocations hold, in their order: a line of JSON behind the recording.
std::string memory_at_the_end(GlobalMemory& memory, const LaunchText& launch) {
  const auto contents = [&](const LaunchText::Allocation& allocation) {
    const auto size = static_cast<std::size_t>(allocation.size);
    const std::byte* const bytes = memory.translate(allocation.address, size);
    return common::json::quoted(common::hexadecimal({bytes, size}));
  };
  return common::json::object({{"memory", common::json::array(launch.memory, contents)}});
}

// Null where the module has no such kernel, or the launch does not fit it.
const Kernel* kernel_of(Device& device, LoadedModule* module, const LaunchText& launch) {
  const Kernel* const kernel = device.find_kernel(module, launch.kernel);
  if (kernel == nullptr) return nullptr;
  const KernelInfo& info = kernel->info();
  const auto is_within = [](std::uint64_t count, std::uint64_t most) {
    return count > 0 && count <= most;
  };
  const bool fits =
      info.parameter_bytes == launch.parameters.size() && launch.grid.count() > 0 &&
      is_within(launch.block.count(), max_threads_per_cta(info)) &&
      is_within(launch.cluster.count(), h200::max_cluster_size) &&
      info.static_shared_bytes + launch.dynamic_shared_bytes <= h200::max_shared_bytes_per_cta;
  return fits ? kernel : nullptr;
}

common::Status run(const LaunchText& launch) {
  quoted_source() = launch.source;
  Device& device = Device::instance();
  device.limit_time(longest_run);
  const auto module = device.load(launch.ptx);
  if (!module) return module.error();
  for (const LaunchText::Allocation& allocation : launch.memory) {
    if (const auto done = place(device.memory(), allocation); !done) return done.error();
  }
  const Kernel* const kernel = kernel_of(device, *module, launch);
  if (kernel == nullptr) {
    return common::Error{"the module has no kernel " + launch.kernel + " that is launched so"};
  }
  LaunchRequest request;
  request.grid = launch.grid;
  request.block = launch.block;
  request.cluster = launch.cluster;
  request.explicit_cluster = launch.has_cluster;
  request.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  request.parameters = launch.parameters;
  if (device.launch(*kernel, request) == LaunchOutcome::out_of_time) {
    std::fprintf(stderr, "%s\n", device.take_still_running().c_str());
  }
  std::fputs(device.take_output().c_str(), stderr);
  std::puts(memory_at_the_end(device.memory(), launch).c_str());
  return {};
}

}  // namespace
}  // namespace tmaemu::browser

int main() {
  using namespace tmaemu::browser;
  const auto launch = LaunchText::parse(standard_input());
  const auto done = launch ? run(*launch) : common::Status(launch.error());
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
