// Notes what a recorded call asks of the device, so that it is known again
// (contract/protocol/launched.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "contract/protocol/launched.h"
#include "emulator/runtime/state/call_log_format.h"

namespace tmaemu::runtime {

class LaunchNotes {
 public:
  const LaunchedSet& all() const { return set_; }

  void copied() { set_.device_copies = 1; }
  void filled() { set_.fills = 1; }
  // What the program writes to the device may be a tensor map, which later launches use.
  void wrote(std::span<const std::byte> bytes);

  struct Code {
    std::uint32_t module;
    std::uint32_t kernel;
    std::string_view name;
  };
  void launched(const Code& code, const call_log::Launch& launch,
                std::span<const std::byte> parameters);

 private:
  LaunchedSet set_;
  std::vector<MapShape> written_;
};

}  // namespace tmaemu::runtime
