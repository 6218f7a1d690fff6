// What orders an earlier access before what a thread does now, and whether a proxy fence covers it.
// PTX ISA, "Causality order" and "Proxies".
#pragma once

#include <cstdint>

#include "emulator/check/cluster_state.h"
#include "emulator/check/group_ledgers.h"
#include "emulator/check/past_access.h"

namespace tmaemu::check {

// Global memory, or the shared memory of a CTA.
struct MemoryPlace {
  bool is_global = false;
  std::uint32_t rank = 0;  // of the CTA whose shared memory it is
};

class AccessOrder {
 public:
  AccessOrder(const ClusterState& state, const GroupLedgers& groups)
      : state_(state), groups_(groups) {}

  // Whether a thread of this cluster made it.
  bool is_own(const PastAccess& access) const { return access.cluster == state_.number; }
  bool is_same_thread(const PastAccess& earlier, unsigned lane, ThreadId thread) const {
    return is_own(earlier) && earlier.thread(lane) == thread;
  }
  // Whether the thread knows that it was issued.
  bool is_issued(const PastAccess& earlier, unsigned lane, ThreadId thread) const {
    return is_same_thread(earlier, lane, thread) ||
           state_.order.knows(thread, earlier.issuer(lane), earlier.time);
  }
  // Whether the thread knows that it is done.
  bool is_done(const PastAccess& earlier, unsigned lane, ThreadId thread) const;
  // Whether a thread's own read is over. What a thread had read before it exchanged values with
  // others, and these reported it, it has read.
  bool has_been_read(const PastAccess& read, unsigned lane, ThreadId thread) const {
    return is_own(read) && state_.order.has_been_read(thread, read.thread(lane), read.time);
  }
  // Whether a proxy fence that the thread knows of covers it.
  bool is_fenced(const PastAccess& earlier, unsigned lane, ThreadId thread,
                 MemoryPlace place) const;
  // Whether all of its lanes are done for who knows that, and covered by a proxy fence if one is
  // needed, as far as single numbers say it.
  bool are_all_done(const PastAccess& earlier, const Clocks& clocks, bool needs_fence,
                    MemoryPlace place) const;

 private:
  bool is_copied(const PastAccess& copy, unsigned lane, ThreadId thread) const;
  bool are_all_copied(const PastAccess& copy, const Clock& done) const;

  const ClusterState& state_;
  const GroupLedgers& groups_;
};

}  // namespace tmaemu::check
