// Arrays of the size at which a part is timed, for a launcher that is only asked what it launches.
// Nobody reads or writes them; only their addresses and sizes matter. On the emulator alone.
#pragma once

#include <vector>

#include "common/result.h"
#include "judge/cases/bandwidth_case.h"
#include "judge/memory/device.h"

namespace judge {

class TimedArrays {
 public:
  static common::Result<TimedArrays> create(const BandwidthCase& test);
  TimedArrays(TimedArrays&& other) noexcept = default;
  TimedArrays& operator=(TimedArrays&&) = delete;
  ~TimedArrays();

  // For the runner to map, in the order of the arguments.
  const std::vector<MemoryHandle>& handles() const { return handles_; }

 private:
  TimedArrays() = default;

  std::vector<MemoryHandle> handles_;
};

}  // namespace judge
