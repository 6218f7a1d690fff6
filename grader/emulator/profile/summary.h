// All launches of one kernel together.
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "emulator/profile/launch_report.h"

namespace tmaemu::profile {

struct Summary {
  std::string kernel;
  std::size_t launches = 0;
  Count ctas = 0;
  Count threads = 0;  // of a CTA; 0 where launches differ
  Counters counters;
  std::vector<NamedWaits> waits;  // in the order of the barriers' addresses
  std::map<std::string, Excess> excess;
  std::map<std::string, Multiplications> multiplications;  // by product

  double average_lanes() const;
  // The part of the tensor cores' peak that the instructions allow at most: each core has a
  // scheduler beside it, which issues one of them a clock.
  double most_tensor_core_use() const;
};

// In the order in which the kernels were first launched.
std::vector<Summary> summarize(std::span<const LaunchReport> launches);

}  // namespace tmaemu::profile
