// What work that the host may not know to be over does with memory that host and device share:
// pinned and managed memory. The host must neither write what such work reads, nor touch what it
// writes. CUDA C++ Programming Guide, "Asynchronous Concurrent Execution" and "Coherency and
// Concurrency" (of unified memory).
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "emulator/check/global_history.h"
#include "emulator/model/host_touch.h"
#include "emulator/model/stream_order.h"
#include "emulator/observe/instrument.h"

namespace tmaemu::check {

class HostUses {
 public:
  // What a launch that has ended did.
  void add(const ObservedLaunch& launch, GlobalHistory& global);
  // What a copy or a memset does; what is allocated or freed is the device's alone.
  void add(const StreamMoment& moment, std::span<const StreamedBytes> used);
  // What is under way for a host that knows so much to be over; it will never know less, and the
  // rest is forgotten.
  UsedBesideHost under_way(const StreamClock& host_knows);
  // Reports what the touch does wrong.
  void check(const StreamClock& host_knows, const HostTouch& touch);
  // The host may have seen all that kernels have told it while they ran.
  void see_all_flags();
  void forget_programs();

 private:
  // What the uses of a launch have in common.
  struct Launch {
    const Program& program;
    LaunchRequest request;
  };
  struct Use {
    StreamMoment moment;
    StreamedBytes bytes;
    std::shared_ptr<const Launch> launch;  // null: a copy or a memset
    std::uint32_t site = 0;                // of the launch
    Dimensions cta = {0, 0, 0};
    ThreadId thread = {};
    bool is_flag = false;  // which the host may look at
    bool repeats(const Use& other) const;
    bool concerns(const HostTouch& touch) const;
  };
  class Collector;

  void add(const Use& use);
  void see_flag(const Use& flag);
  void see_flags(std::uint64_t address, std::uint64_t bytes);
  bool is_over(const Use& use, const StreamClock& host_knows) const {
    return host_knows.knows(use.moment) || told_.knows(use.moment);
  }
  bool has_system_fence(const Program& program);
  void report(const Use& use, const HostTouch& touch);

  static constexpr std::size_t most = 4096;
  std::deque<Use> uses_;
  // What kernels may have told the host by themselves, while they ran.
  StreamClock told_;
  std::map<const Program*, bool> has_system_fence_;
  std::set<std::string> reported_;  // of copies, by what was said
};

}  // namespace tmaemu::check
