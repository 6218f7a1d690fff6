#include "emulator/runtime/state/refused_launches.h"

#include <array>
#include <cstdlib>
#include <utility>

#include "emulator/device/device.h"
#include "emulator/runtime/state/host_place.h"

namespace tmaemu::runtime {

// Never destroyed: programs may launch kernels from the destructors of their own globals.
RefusedLaunches& RefusedLaunches::instance() {
  static auto* launches = new RefusedLaunches;
  return *launches;
}

void RefusedLaunches::add(std::uint64_t launched_at, std::string reason) {
  static const bool is_told_at_exit = [] {
    std::atexit([] { instance().tell(); });
    return true;
  }();
  static_cast<void>(is_told_at_exit);
  const std::lock_guard lock(mutex_);
  reasons_.try_emplace(launched_at, std::move(reason));
}

void RefusedLaunches::asked() {
  const std::lock_guard lock(mutex_);
  reasons_.clear();
}

void RefusedLaunches::tell() const {
  for (const auto& [address, reason] : reasons_) {
    const std::array frames{address};
    Device::instance().ends_unasked({reason, [&] { return host_place(frames); }});
  }
}

std::uint64_t& launched_at() {
  thread_local std::uint64_t address = 0;
  return address;
}

}  // namespace tmaemu::runtime
