// What a measurement of bandwidth comes to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "judge/verdict/verdict.h"

namespace judge {

// Of a matrix product, bytes are floating-point operations, and the roofline is what cublasLt
// reaches.
struct BandwidthResult {
  std::string part;
  Outcome outcome;
  std::uint64_t bytes = 0;  // moved in one timed request: read plus written
  std::optional<double> gb_per_s;
  std::optional<double> roofline_gb_per_s;
  std::vector<double> rounds_gb_per_s;  // gb_per_s is of the typical one
  std::optional<double> protocol_overhead_fraction;
  double protocol_seconds = 0;  // of an empty call
  double settling_seconds = 0;  // from its reply until the judge's own kernel has run
};

}  // namespace judge
