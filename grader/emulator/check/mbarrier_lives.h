// The life of an mbarrier, from mbarrier.init to mbarrier.inval: it has one at a time, who uses it
// knows that it has begun, and nobody uses it behind its end. PTX ISA, "mbarrier.init" and
// "mbarrier.inval".
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/heard_flags.h"
#include "emulator/check/mbarrier_ledger.h"

namespace tmaemu::check {

// Who uses an mbarrier of whose initialization it cannot know may come to know of it by a wait.
// Whether it does, or how far it comes behind that, is chance: so what each thread uses is told up
// to its first wait of that kind, when the cluster ends.
class MbarrierLives {
 public:
  MbarrierLives(ClusterState& state, const HeardFlags& heard_flags)
      : state_(state), heard_flags_(heard_flags) {}

  void start() { unseen_.clear(); }
  void begin(MbarrierLedger& own, std::int64_t count, const Action& action);
  void end(MbarrierLedger& own, const Action& action);
  // By a thread, or by an operation that it has issued.
  void use(MbarrierLedger& own, const Action& action, bool is_operation);
  // Something is asked of an mbarrier that has no life.
  void use_none(MbarrierLedger& own, const Action& action);
  // At the end of the cluster: by address, all mbarriers.
  void report_unseen(const std::map<std::uint32_t, MbarrierLedger>& ledgers);

 private:
  struct Unseen {
    std::uint64_t number = 0;
    Action use;
    std::uint32_t mbarrier = 0;
    Sentence said = {};
    std::optional<Action> initialized;  // nothing where it never was
    std::optional<Note> edge = {};      // what was to make it visible, and falls short
  };
  void check_visibility(const MbarrierLedger& ledger, const Action& action, bool is_operation);
  void note_unseen(Unseen unseen);
  void report_until_wait(std::vector<Unseen>& uses);

  ClusterState& state_;
  const HeardFlags& heard_flags_;
  std::map<ThreadId, std::vector<Unseen>> unseen_;  // by thread: the first of each instruction
  std::uint64_t uses_ = 0;                          // of this kind so far
};

}  // namespace tmaemu::check
