// A warp: 32 lanes that execute one program, together where their pcs agree.
//
// Lanes diverge and reconverge as on Volta and later: each lane has its own pc. Lanes with one pc
// form a LaneGroup; the group with the lowest pc runs, so that groups meet again where control flow
// joins. A group that is blocked sleeps; one that runs for long lets the others have a turn, so
// that lanes of one warp may wait for each other.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/decode/program.h"
#include "emulator/device/device.h"
#include "emulator/sched/causality.h"

namespace tmaemu {

struct Cta;

// What a group waits for.
struct Wait {
  enum class Kind : std::uint8_t {
    none,
    cta_barrier,      // bar.sync: `index` names the barrier, `value` its generation
    cluster_barrier,  // barrier.cluster.wait: `value` is the generation to be over
    mbarrier,         // `address` (shared::cluster), `value` the parity of the phase
    warp,             // the lanes of `value` are to meet here
  };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
  std::uint32_t address = 0;
  std::uint64_t value = 0;
};

// Lanes with one pc.
struct LaneGroup {
  const Operation* next = nullptr;
  LaneMask lanes = 0;
  Wait wait;
  std::uint64_t last_turn = 0;  // when it ran last, for fairness
};

// The kernel cannot go on. Thrown by handlers, caught by the launch.
struct KernelFault {
  LaunchOutcome outcome;
  std::string message;
  std::uint32_t site;
  ThreadId thread;
  Dimensions cta;
};

class Warp {
 public:
  Warp(Cta& cta, unsigned index, LaneMask lanes);

  // Sets the special registers and lets all lanes begin at the program's first operation.
  void start();

  // Runs groups until the budget of operations is used up or no group can run. True where
  // anything ran.
  bool run(std::uint64_t budget);

  bool finished() const { return groups_.empty(); }
  const std::vector<LaneGroup>& groups() const { return groups_; }

  // --- For handlers ---

  // The register at `slot`: 32 values, one a lane.
  template <class T>
  T* lanes(Slot slot) {
    return reinterpret_cast<T*>(registers_ + slot);
  }
  LaneMask& predicate(Slot slot) { return *reinterpret_cast<LaneMask*>(registers_ + slot); }

  static const Operation* stop() { return reinterpret_cast<const Operation*>(~std::uintptr_t{0}); }

  // `lanes` go to `target`, the rest of the running group to the next operation.
  const Operation* branch(const Operation& op, LaneMask lanes, const Operation* target);
  // `lanes` sleep until what `wait` says, then execute `resume`.
  const Operation* block(const Operation& op, LaneMask lanes, const Wait& wait,
                         const Operation* resume);
  // `lanes` have ended.
  const Operation* exit(const Operation& op, LaneMask lanes);
  // The lanes still running in this warp.
  LaneMask live() const;
  // Ends this turn after the operation: others may change what it polls for.
  void yield() { yielded_ = true; }
  // A wait of this group was given up by the scheduler (the time limit of try_wait). Once.
  bool take_timeout();

  [[noreturn]] void fault(const Operation& op, unsigned lane, LaunchOutcome outcome,
                          std::string message);

  Cta& cta() { return cta_; }
  unsigned index() const { return index_; }
  ThreadId thread(unsigned lane) const;
  // A stack of bytes for each lane: the local state space.
  std::byte* local(unsigned lane);
  LaneMask active() const { return active_; }

  // --- For the scheduler ---

  // Lets a sleeping group go on as if the time limit of its try_wait had passed.
  void time_out(std::size_t group);
  bool polled() const { return yielded_; }
  std::uint64_t thread_instructions() const { return thread_instructions_; }

 private:
  friend struct Cta;
  static constexpr std::size_t none = ~std::size_t{0};

  bool is_ready(const LaneGroup& group) const;
  std::size_t choose() const;
  void activate(std::size_t group);
  void merge_current();
  void set_limit();

  Cta& cta_;
  unsigned index_;
  LaneMask existing_;
  std::byte* registers_ = nullptr;
  const Program* program_ = nullptr;

  // The running group, while run() is on.
  LaneMask active_ = 0;
  const Operation* limit_ = nullptr;  // the pc at which another group is met
  std::size_t current_ = none;

  std::vector<LaneGroup> groups_;
  std::uint64_t turn_ = 0;
  bool yielded_ = false;
  LaneMask timed_out_ = 0;
  std::uint64_t thread_instructions_ = 0;
  std::vector<std::byte> register_storage_;
  std::vector<std::byte> local_storage_;
};

}  // namespace tmaemu
