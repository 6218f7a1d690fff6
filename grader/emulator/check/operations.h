// The operations of the TMA engine that are in flight, for the end of a CTA; and who did not wait
// for them, as the cause of what went wrong.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/groups.h"
#include "emulator/check/mbarrier_checker.h"
#include "emulator/model/events.h"

namespace tmaemu::check {

// Of an operation in its cluster; 0 is none.
inline std::uint32_t number_of(const events::Bulk& bulk) {
  return static_cast<std::uint32_t>(bulk.id) + 1;
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

  Operations(ClusterState& state, MbarrierChecker& mbarriers)
      : state_(state), mbarriers_(mbarriers) {}

  void start();
  void add(Operation operation);
  // A thread that issued nothing has waited for bulk groups.
  void note_foreign_wait(const Deed& deed) { foreign_waits_.push_back(deed); }

  // The load was not waited for: reports why, or `finding`, when the cluster ends. `reader` is the
  // thread that did not wait.
  void blame_load(const Record& load, ThreadId reader, Finding finding, Note note);
  // The same for a store, at once.
  void blame_store(const Record& store, ThreadId thread, const std::vector<GroupLedger>& bulk,
                   Finding finding, Note note);
  void end_cta(std::uint16_t rank, const Clock& done, const std::vector<GroupLedger>& bulk);

 private:
  PhaseOf phase_of(const Record& load) const;
  // The wait that would have been for the store, if it had been committed or the thread's own.
  std::optional<Finding> vain_wait(ThreadId issuer, Time time, ThreadId thread,
                                   const std::vector<GroupLedger>& bulk) const;
  void end_load(const Operation& operation, const Target& target, bool is_read);
  void report_load(const PhaseOf& phase, ThreadId reader, Finding finding, Note note);

  ClusterState& state_;
  MbarrierChecker& mbarriers_;
  std::map<std::uint32_t, Operation> operations_;  // by number
  std::set<std::uint32_t> blamed_;                 // that something was reported of
  std::vector<Deed> foreign_waits_;
};

}  // namespace tmaemu::check
