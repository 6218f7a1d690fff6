// The operations of the TMA engine that are in flight, for the end of a CTA; and who did not wait
// for them, as the cause of what went wrong.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/group_ledgers.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/check/past_access.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

// Of an operation in its cluster; 0 is none.
inline std::uint32_t number_of(const events::Bulk& bulk) {
  return static_cast<std::uint32_t>(bulk.id) + 1;
}

// From shared to global memory.
inline bool is_store(const events::Bulk& bulk) {
  return bulk.kind == BulkKind::shared_to_global || bulk.kind == BulkKind::reduce_to_global;
}

class Operations {
 public:
  struct Target {
    std::uint16_t rank = 0;  // of the CTA that it writes to
    PhaseOf phase;           // which it completes there
  };
  struct Operation {
    events::Bulk bulk;
    Time time = 0;                // stores: the moment of their thread's groups
    std::vector<Target> targets;  // others
  };

  Operations(ClusterState& state, MbarrierChecker& mbarriers, const GroupLedgers& groups)
      : state_(state), mbarriers_(mbarriers), groups_(groups) {}

  void start() { operations_.clear(); }
  void add(Operation operation);

  // The load is issued too early, or once more than it should be.
  void note_too_many(const PastAccess& load) {
    state_.reporter.note(Fact::loaded_too_often, phase_of(load.completion()).mbarrier);
  }
  // It is issued twice.
  void note_repeated(const PastAccess& load) {
    state_.reporter.note(Fact::load_repeated, phase_of(load.completion()).mbarrier);
  }
  // The operation, which completes a phase, was not waited for: reports why, or `finding`, when the
  // cluster ends. `thread` is the one that did not wait; `edge` says more of `finding`.
  void report_unawaited_phase(const PastAccess& operation, ThreadId thread, Finding finding,
                              Note note, std::optional<Note> edge = {});
  // The same of one that its thread's bulk group completes, at once.
  void report_unawaited_group(const PastAccess& operation, Finding finding, Note note);
  void end_cta(std::uint16_t rank, const Clock& done);

  // That an mbarrier's completion completes.
  PhaseOf phase_of(const Completion& completion) const;

 private:
  bool is_reported(std::uint32_t number) const {
    return state_.reporter.is_noted(Fact::operation_reported, number);
  }
  // The wait that would have been for the store, if it had been committed or the thread's own.
  std::optional<Finding> vain_wait(ThreadId issuer, Time time) const;
  void end_load(const Operation& operation, const Target& target, bool is_read);
  void end_store(const Operation& operation);

  ClusterState& state_;
  MbarrierChecker& mbarriers_;
  const GroupLedgers& groups_;
  std::map<std::uint32_t, Operation> operations_;  // by number
};

}  // namespace tmaemu::check
