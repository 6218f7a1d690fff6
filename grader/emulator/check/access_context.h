// What the rules of accesses know beside the access itself.
#pragma once

#include "emulator/check/access_order.h"
#include "emulator/check/cluster_state.h"
#include "emulator/check/group_ledgers.h"
#include "emulator/check/heard_flags.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/check/operations.h"
#include "emulator/check/past_access.h"
#include "emulator/check/region_cache.h"
#include "emulator/check/shadow.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

struct AccessContext {
  ClusterState& state;
  MbarrierChecker& mbarriers;
  GroupLedgers& groups;
  Operations& operations;
  RegionCache& regions;
  AccessHistory& shared_history;  // of accesses to shared memory
  const HeardFlags& heard_flags;

  AccessOrder order() const { return {state, groups}; }
  AccessHistory& history(bool is_global) const {
    return is_global ? state.launch.accesses : shared_history;
  }
  bool are_of_one_line(const PastAccess& one, const PastAccess& other) const {
    return state.launch.facts->are_of_one_line(one.site, other.site);
  }
};

// The access that is checked.
struct CheckedAccess {
  std::uint32_t number = 0;  // in its history
  bool is_new = false;       // nothing that was done before has this number
  bool is_global = false;
  bool writes = false;
  const events::Access* lanes = nullptr;  // of threads' own; null for operations
};

// Bytes that are accessed alike.
struct AccessedBytes {
  std::uint64_t address = 0;  // global, or shared::cluster
  std::uint64_t count = 0;
  Mark mark;  // of the first byte
};

}  // namespace tmaemu::check
