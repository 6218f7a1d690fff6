// The findings of a launch, as the grader is sent them.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "contract/protocol/replay_interface.h"
#include "emulator/device/device.h"
#include "emulator/diagnostics/output.h"

namespace tmaemu::testing {

using Json = nlohmann::ordered_json;

// While it lives, findings go here.
class FindingLines {
 public:
  explicit FindingLines(const std::string& sources = "/nowhere") : file_(shared_file()) {
    begin_ = lseek(file_, 0, SEEK_END);
    tmaemu_send_findings(file_, sources.c_str());
  }

  ~FindingLines() { send_findings_to_terminal(); }
  FindingLines(const FindingLines&) = delete;
  FindingLines& operator=(const FindingLines&) = delete;

  // Those that came since, and the lines that count them.
  std::vector<Json> lines() const {
    const off_t end = lseek(file_, 0, SEEK_END);
    std::string text(static_cast<std::size_t>(end - begin_), '\0');
    if (pread(file_, text.data(), text.size(), begin_) != end - begin_) return {};
    std::vector<Json> lines;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t newline = text.find('\n', at);
      lines.push_back(Json::parse(text.substr(at, newline - at)));
      at = newline + 1;
    }
    return lines;
  }

 private:
  static int shared_file() {
    static const int file = memfd_create("findings", 0);
    return file;
  }

  int file_;
  off_t begin_ = 0;
};

struct LaunchShape {
  std::uint32_t grid = 1;
  std::uint32_t block = 1;
};

// What is found in a kernel `k` without parameters; `declarations` stand in front of it.
inline std::vector<Json> findings_of(const std::string& body, LaunchShape shape = {},
                                     const std::string& declarations = "",
                                     const std::string& sources = "/nowhere") {
  const std::lock_guard lock(Device::instance().mutex());
  Device& device = Device::instance();
  const FindingLines findings(sources);
  auto module = device.load(".version 9.0\n.target sm_90a\n.address_size 64\n" + declarations +
                            ".visible .entry k()\n{\n" + body + "\nret;\n}\n");
  if (!module) return {{{"refused", module.error().message}}};
  LaunchRequest request;
  request.grid.x = shape.grid;
  request.block.x = shape.block;
  device.launch(*device.find_kernel(*module, "k"), request);
  device.unload(*module);
  return findings.lines();
}

}  // namespace tmaemu::testing
