// The rotating series of sets of buffers on which a part is timed.
#pragma once

#include <cstdint>
#include <vector>

#include "common/result.h"
#include "judge/cases/bandwidth_case.h"
#include "judge/memory/device.h"
#include "judge/time/product_library.h"
#include "judge/time/snapshot.h"
#include "judge/verdict/verdict.h"

namespace judge {

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
  // What the library reaches with a call for each set, timed as a submission is: 10^9 operations a
  // second.
  common::Result<double> product_roofline(const ProductLibrary& library, int rounds);
  BandwidthCase::Set first() const { return sets_.front(); }
  common::Result<Snapshot> snapshot();

 private:
  TimedSets(const BandwidthCase& test, Device& device) : test_(&test), device_(&device) {}
  common::Status allocate();

  const BandwidthCase* test_;
  Device* device_;
  std::vector<DeviceMemory> buffers_;
  std::vector<std::vector<void*>> sets_;  // their addresses
  std::vector<std::uint64_t> seeds_;      // of the sets' contents
  std::vector<DeviceMemory> mismatches_;  // one
};

}  // namespace judge
