#pragma once

#include <cstdint>
#include <variant>

namespace tmaemu {

// What a thread waits for in a deadlock.
struct MbarrierWait {
  std::uint32_t offset = 0;  // in shared memory
  bool parity = false;       // of the phase waited for
  bool is_initialized = false;
  bool current_parity = false;
  std::int64_t arrivals_missing = 0;
  std::int64_t arrivals_expected = 0;
  std::int64_t bytes_missing = 0;  // negative: that many more arrived than expected
  bool is_polled = false;          // the threads ask again and again
  std::uint16_t rank = 0;          // of the CTA in whose shared memory it is
  bool operator==(const MbarrierWait&) const = default;
};
struct CtaBarrierWait {
  unsigned barrier = 0;  // __syncthreads() is 0
  unsigned arrived = 0;  // threads
  unsigned expected = 0;
  bool operator==(const CtaBarrierWait&) const = default;
};
struct ClusterBarrierWait {
  bool operator==(const ClusterBarrierWait&) const = default;
};
struct WarpWait {
  std::uint32_t members = 0;  // the lanes of the mask
  bool operator==(const WarpWait&) const = default;
};
// For the other lanes of a warp, to execute what no lane executes alone.
struct WholeWarpWait {
  bool operator==(const WholeWarpWait&) const = default;
};
// For the other warps of a warpgroup, to issue what all four execute together.
struct WarpgroupWait {
  bool operator==(const WarpgroupWait&) const = default;
};
// setmaxnreg.inc, for registers of the CTA's pool. All of a thread.
struct RegistersWait {
  unsigned wanted = 0;
  unsigned owned = 0;
  unsigned in_pool = 0;  // for the threads of one warp
  bool operator==(const RegistersWait&) const = default;
};
struct PollWait {
  std::uint64_t address = 0;  // of the flag; of an mbarrier whose phase is over, that of its object
  // Who polls at one line polls for one thing, whatever the place of each thread's own flag.
  bool operator==(const PollWait&) const { return true; }
};
using WaitedFor = std::variant<MbarrierWait, CtaBarrierWait, ClusterBarrierWait, WarpWait,
                               WholeWarpWait, WarpgroupWait, RegistersWait, PollWait>;

}  // namespace tmaemu
