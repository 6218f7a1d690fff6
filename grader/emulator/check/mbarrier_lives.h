// The life of an mbarrier, from mbarrier.init to mbarrier.inval: it has one at a time, who uses it
// knows that it has begun, and nobody uses it behind its end. PTX ISA, "mbarrier.init" and
// "mbarrier.inval".
#pragma once

#include <cstdint>

#include "emulator/check/cluster_state.h"
#include "emulator/check/mbarrier_ledger.h"

namespace tmaemu::check {

void begin_life(ClusterState& state, MbarrierLedger& own, std::int64_t count, const Action& action);
void end_life(ClusterState& state, MbarrierLedger& own, const Action& action);
// By a thread, or by an operation that it has issued.
void note_use(ClusterState& state, MbarrierLedger& own, const Action& action, bool is_operation);
// Something is asked of an mbarrier that has no life.
void note_use_of_none(ClusterState& state, MbarrierLedger& own, const Action& action);

}  // namespace tmaemu::check
