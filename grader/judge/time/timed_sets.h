// The rotating series of sets of buffers on which a part is timed.
#pragma once

#include <chrono>
#include <cstdint>
#include <vector>

#include "common/result.h"
#include "judge/cases/bandwidth_case.h"
#include "judge/memory/device.h"
#include "judge/time/product_library.h"
#include "judge/time/snapshot.h"
#include "judge/verdict/verdict.h"

namespace judge {

// What rounds with the library took, in the middle.
struct LibraryRounds {
  double gflop_per_s;
  double fill_seconds;  // of all sets, which takes longer while the chip is hot
};

class TimedSets {
 public:
  static common::Result<TimedSets> create(const BandwidthCase& test, Device& device);

  std::size_t count() const { return sets_.size(); }
  const std::vector<DeviceMemory>& buffers() const { return buffers_; }  // set after set

  // Gives all sets new contents, which nobody can know beforehand, and waits for that. Returns the
  // seconds that it took: the same each time on a GPU that has nothing else to do.
  common::Result<double> fill();
  // Whether every set is what one call makes of the contents that the last fill() gave it.
  common::Result<Outcome> verify();
  // The fastest copy known among the largest buffers, in GB/s: the same number of bytes a call as
  // the part's.
  common::Result<double> copy_roofline(int rounds);
  // Multiplies by the library for this long: a chip that has rested is up to a sixth faster.
  common::Status warm_up(const ProductLibrary& library, std::chrono::seconds time);
  // A call of the library for each set, in rounds that are like a submission's and as hot, with
  // contents of their own and a check.
  common::Result<LibraryRounds> time_library(const ProductLibrary& library, int rounds);
  BandwidthCase::Set first() const { return sets_.front(); }
  common::Result<Snapshot> snapshot();

 private:
  TimedSets(const BandwidthCase& test, Device& device) : test_(&test), device_(&device) {}
  common::Status allocate();
  // Seconds of a product by the library for each set.
  common::Result<double> multiply_all(const ProductLibrary& library);

  const BandwidthCase* test_;
  Device* device_;
  std::vector<DeviceMemory> buffers_;
  std::vector<std::vector<void*>> sets_;  // their addresses
  std::vector<std::uint64_t> seeds_;      // of the sets' contents
  std::vector<DeviceMemory> mismatches_;  // one
};

}  // namespace judge
