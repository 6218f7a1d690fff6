// Runs one launch: its text comes on standard input. Its recording goes to standard output, and
// behind it a line of JSON with what has come of it:
//     {"findings": [...], "printed": "...", "still_running": "...", "memory": ["00ff...", ...]}
// A finding is as tmaemu --check=json has it, so nothing that the kernel prints is taken for one.
// "still_running" is there where the launch took too long: where it was. Why a launch cannot run
// goes to standard error. The settings of tmaemu (TMAEMU_ASYNC, TMAEMU_CHECK) come from the
// environment, as ever; TMAEMU_RECORD has to be "-".
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/hexadecimal.h"
#include "common/json_text.h"
#include "contract/rendering/json_line.h"
#include "emulator/browser/quoted_source.h"
#include "emulator/device/device.h"
#include "emulator/diagnostics/clean_text.h"
#include "emulator/diagnostics/output.h"
#include "emulator/model/h200.h"
#include "emulator/record/launch_text.h"

namespace tmaemu::browser {
namespace {

using record::LaunchText;

// Somebody waits for it, and may have written a loop without an end.
constexpr std::chrono::seconds longest_run{3};
// Of what a kernel prints: more of it nobody reads.
constexpr std::size_t most_lines = 100;
constexpr std::size_t longest_line = 400;

// Keeps findings as JSON until the launch is over.
class KeptFindings : public FindingOutput {
 public:
  std::optional<std::uint64_t> report(const Diagnostic& diagnostic) override {
    findings_.push_back(json_line_with_text(diagnostic));
    return findings_.size() - 1;
  }
  void count(std::uint64_t, const Diagnostic&, std::uint64_t) override {}
  const SourceFiles& source_files() const override { return files_; }

  std::string json() const {
    return common::json::array(findings_, [](const std::string& finding) { return finding; });
  }

 private:
  std::vector<std::string> findings_;
  SourceFiles files_;
};

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

// What the allocations hold, in their order.
std::string memory_json(GlobalMemory& memory, const LaunchText& launch) {
  return common::json::array(launch.memory, [&](const LaunchText::Allocation& allocation) {
    const auto size = static_cast<std::size_t>(allocation.size);
    const std::byte* const bytes = memory.translate(allocation.address, size);
    return common::json::quoted(common::hexadecimal({bytes, size}));
  });
}

// As text that is fit to be shown; empty where there is none.
std::string printed_json(std::string_view printed) {
  std::string shown;
  for (std::size_t lines = 0; !printed.empty(); ++lines) {
    if (lines == most_lines) {
      shown += "...\n";
      break;
    }
    const std::size_t end = std::min(printed.find('\n'), printed.size());
    shown += clean_text(printed.substr(0, end), longest_line) + "\n";
    printed.remove_prefix(std::min(end + 1, printed.size()));
  }
  return shown.empty() ? "" : common::json::quoted(shown);
}

std::string outcome_json(Device& device, const LaunchText& launch, const KeptFindings& findings) {
  const std::string still_running = device.take_still_running();
  return common::json::object(
      {{"findings", findings.json()},
       {"printed", printed_json(device.take_output())},
       {"still_running", still_running.empty() ? "" : common::json::quoted(still_running)},
       {"memory", memory_json(device.memory(), launch)}});
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
  auto output = std::make_unique<KeptFindings>();
  const KeptFindings& findings = *output;
  send_findings_to(std::move(output));
  Device& device = Device::instance();
  device.limit_time(longest_run);
  // Variables of the module lie behind the allocations, whose addresses are known.
  for (const LaunchText::Allocation& allocation : launch.memory) {
    if (const auto done = place(device.memory(), allocation); !done) return done.error();
  }
  const auto module = device.load(launch.ptx);
  if (!module) return module.error();
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
  device.launch(*kernel, request);
  std::puts(outcome_json(device, launch, findings).c_str());
  return {};
}

}  // namespace
}  // namespace tmaemu::browser

int main() {
  using namespace tmaemu::browser;
  const auto launch = tmaemu::record::LaunchText::parse(standard_input());
  const auto done = launch ? run(*launch) : common::Status(launch.error());
  if (!done) std::fprintf(stderr, "%s\n", done.error().message.c_str());
  return done ? 0 : 1;
}
