// The operations of the TMA engine, and st.async: each takes part in memory when it is issued, as
// accesses that are under way until its completion is known.
#pragma once

#include <cstdint>

#include "emulator/check/access_checker.h"
#include "emulator/check/cluster_state.h"
#include "emulator/check/group_ledgers.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/check/operations.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

class OperationChecker {
 public:
  OperationChecker(ClusterState& state, MbarrierChecker& mbarriers, GroupLedgers& groups,
                   Operations& operations, AccessChecker& accesses)
      : state_(state),
        mbarriers_(mbarriers),
        groups_(groups),
        operations_(operations),
        accesses_(accesses) {}

  void issue(const events::Bulk& bulk);
  void issue(const events::AsyncStore& store);

 private:
  void issue_load(const events::Bulk& bulk, PastAccess access, EngineAccess engine);
  void issue_store(const events::Bulk& bulk, PastAccess access, EngineAccess engine);
  PhaseOf bring_to(std::uint32_t rank, const events::Bulk& bulk, const Action& action);
  void note_tensor(const events::Bulk& bulk);
  void read_map(const events::Bulk& bulk, PastAccess access, Time groups);
  void check_store_source(const events::Bulk& bulk, std::uint64_t stored, std::uint64_t unwritten);
  void suspect_fresh_target(const Action& action);

  ClusterState& state_;
  MbarrierChecker& mbarriers_;
  GroupLedgers& groups_;
  Operations& operations_;
  AccessChecker& accesses_;
};

}  // namespace tmaemu::check
