// A warp: 32 lanes that execute one program, together where their pcs agree.
//
// Lanes diverge and reconverge as on Volta and later: each lane has its own pc. Lanes with one pc
// form a LaneGroup; the group with the lowest pc runs, of those that are deepest in calls, so that
// groups meet again where control flow joins and where functions return. A group that is blocked
// sleeps; one that runs for long lets the others have a turn, so that lanes of one warp may wait
// for each other.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "emulator/memory/global_memory.h"
#include "emulator/model/events.h"
#include "emulator/model/finding.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"
#include "emulator/sched/frame.h"

namespace tmaemu {

struct Cta;
struct CallSite;

// About what an H200's SMs run at.
inline constexpr std::uint64_t clocks_per_nanosecond = 2;

// What a group waits for.
struct Wait {
  enum class Kind : std::uint8_t {
    none,
    cta_barrier,      // bar.sync: `index` names the barrier, `value` its generation
    cluster_barrier,  // barrier.cluster.wait: `value` is the generation to be over
    mbarrier,         // `address` (shared::cluster), `value` the parity of the phase
    warp,             // the lanes of `value` are to arrive at an `instruction`
    whole_warp,       // the same, where no mask names them: all
    warp_at_barrier,  // so, or to sleep at a barrier of the CTA: barrier.red takes them one by one
    warpgroup,        // its warps are to have issued `value` products, or one of them to end
    registers,        // the CTA's pool is to have so many that the warp gets `value`
  };
  Kind kind = Kind::none;
  std::uint32_t index = 0;
  std::uint32_t address = 0;
  std::uint64_t value = 0;
  // Executes the .sync instruction; so it tells one with these qualifiers from all others. Where it
  // has to be the same instruction, `index` is its site; of a barrier of the CTA, its number.
  Handler instruction = nullptr;
  // The instruction that waits; block() notes it.
  const Operation* at = nullptr;
};

// Lanes with one pc in one frame.
struct LaneGroup {
  const Operation* next = nullptr;
  LaneMask lanes = 0;
  Wait wait;
  std::uint64_t last_turn = 0;  // when it ran last, for fairness
  Frame* frame = nullptr;       // the function that the lanes are in
  Wait poll = {};               // what it last asked for in vain; of kind none where it was a flag
};

// Lanes that have arrived at a .sync instruction together: at one instruction, in one frame.
struct Arrival {
  Frame* frame;
  const Operation* op;
  LaneMask lanes;
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
  const Operation* branch(const Operation& op, LaneMask lanes, const Operation* target) {
    if (lanes != active_) return part(op, lanes, target);
    if (target <= &op) set_limit(target);
    return target;
  }
  // `lanes` sleep until what `wait` says, then execute `resume`.
  const Operation* block(const Operation& op, LaneMask lanes, const Wait& wait,
                         const Operation* resume);
  // Who exchanges when `lanes` come to the .sync instruction `op`, where they would else `wait` for
  // others: these lanes, and those that wait for them at such an instruction. Empty while some are
  // missing, or may yet join the lanes.
  std::vector<Arrival> converge(const Operation& op, LaneMask lanes, const Wait& wait) const;
  // They have exchanged: those that waited go on, too, or wait `until` something else.
  void resume(std::span<const Arrival> arrivals, const Wait& until = {});
  Frame& frame() { return *groups_[current_].frame; }
  // `lanes` call a function; `op` is the call, whose detail is `site`. The values fit().
  const Operation* call(const Operation& op, LaneMask lanes, const CallSite& site,
                        const DecodedFunction& callee);
  // `lanes` return to their callers.
  const Operation* return_from(const Operation& op, LaneMask lanes);
  // `lanes` have ended.
  const Operation* exit(const Operation& op, LaneMask lanes);
  // The lanes still running in this warp.
  LaneMask live() const;
  // What the lanes of the mask did so far is known to all of them: memory ordering of bar.warp.
  void synchronize(LaneMask members);
  // barrier.cluster: the generation that was current when the lanes arrived.
  void set_cluster_generation(LaneMask lanes, std::uint64_t generation);
  std::uint64_t cluster_generation(LaneMask lanes) const;
  // The lanes wait at the barrier, whether they will have to sleep or not.
  void tell_wait(const Operation& op, const BarrierId& barrier, LaneMask lanes) {
    if (observer_ != nullptr) observer_->waits({barrier, id(), lanes, op.site});
  }
  // Ends this turn after the operation: others may change what it polls for.
  void yield() { yielded_ = idled_ = true; }
  // An mbarrier was asked in vain: that ends this turn.
  void asked_in_vain(const Operation& op, std::uint32_t mbarrier, bool parity);
  // Flags that lanes loaded: digests of their addresses, and of what is there.
  struct Flags {
    const Operation* op = nullptr;
    LaneMask lanes = 0;
    std::uint64_t first = 0;  // address
    std::uint64_t addresses = 0;
    std::uint64_t values = 0;
    Flags() = default;
    explicit Flags(const Operation& loads)
        : op(&loads), addresses(std::uint64_t{loads.site} * 0xD6E8FEB86659FD93u) {}
    void add(unsigned lane, std::uint64_t address, std::uint64_t value) {
      constexpr std::uint64_t odd = 0x9E3779B97F4A7C15u;
      if (lanes == 0) first = address;
      lanes |= LaneMask{1} << lane;
      addresses = std::rotl((addresses ^ address) * odd, 32);
      values = (values ^ value) * odd;
    }
  };
  // Where the same lanes find the same values again, only others can change them: that ends this
  // turn, too. So it is with an mbarrier whose phase is over, as before.
  void loaded_flags(const Flags& flags);
  // Lanes that arrived at a barrier.red and have not taken its result yet.
  LaneMask& reducing() { return reducing_; }
  // A wait of this group was given up by the scheduler (the time limit of try_wait). Once.
  bool take_timeout(LaneMask lanes);

  // Ends the kernel: what the lane does at the operation cannot be done.
  [[noreturn]] void fault(const Operation& op, unsigned lane, Sentence sentence,
                          Values values = {}) const;

  Observer* observer() const { return observer_; }
  Cta& cta() { return cta_; }
  const Cta& cta() const { return cta_; }
  const Program& program() const { return *program_; }
  unsigned index() const { return index_; }
  WarpId id() const;
  ThreadId thread(unsigned lane) const;
  // Each lane's own bytes: the local state space.
  std::byte* local(unsigned lane) { return local_storage_.data() + lane * local_stride_; }
  // How many of them the lane uses: the end of its stack.
  std::size_t local_bytes(unsigned lane) const { return stack_pointer_[lane]; }
  void set_local_bytes(const Operation& op, unsigned lane, std::size_t bytes) {
    reserve_local(op, lane, bytes);
    stack_pointer_[lane] = static_cast<std::uint32_t>(bytes);
  }
  // What a lane finds at an aligned local address outside of its own bytes: nothing of anybody's,
  // but what it wrote there it reads again. Addresses 4 KiB apart are one.
  std::byte* beyond_local(unsigned lane, std::uint64_t address);
  // The host's view of global memory; null where [address, address + bytes) leaves an allocation.
  std::byte* global(std::uint64_t address, std::size_t bytes) {
    const Region* region = global_region(address);
    if (region == nullptr) return nullptr;
    const std::uint64_t offset = address - region->address;
    return bytes <= region->size - offset ? region->host + offset : nullptr;
  }
  // The allocation that holds the address; null where none does.
  const Region* global_region(std::uint64_t address) {
    for (const Region& region : recent_regions_) {
      if (address - region.address < region.size) return &region;
    }
    return find_global(address);
  }
  // Where memory was freed, nothing is known any more.
  void forget_freed_regions();
  LaneMask active() const { return active_; }
  // What %clock reads: instructions that this warp has issued in this CTA, its turns, and its
  // sleep. Up to date where the instruction that asks may go on; else it is to be executed again.
  std::uint64_t clock() const { return turn_ + issued_ + slept_; }
  bool is_clock_up_to_date(const Operation& op, LaneMask lanes);
  // nanosleep: the others go on, and time passes for this warp.
  void sleep(std::uint64_t clocks) {
    slept_ += clocks;
    yield();
  }

  // --- For the scheduler ---

  // It has done nothing meanwhile.
  void let_time_pass(std::uint64_t clocks) { slept_ += clocks; }
  // Lets all that sleep in a try_wait go on as if its time limit had passed. False where none do.
  bool time_out_waits();
  // Its last turn ended at a failed test_wait, in a sleep, or at a flag that nobody had changed.
  bool idled() const { return idled_; }
  // Its last turn ended because it was long enough.
  bool was_interrupted() const { return was_interrupted_; }
  // Of pcs and registers, but for times: what the warp does next follows from them, from memory,
  // and from how late it is.
  std::uint64_t checksum() const;
  std::uint64_t thread_instructions() const { return thread_instructions_; }
  // What each of its threads has executed in this CTA, on average.
  std::uint64_t instructions_per_thread() const {
    return (thread_instructions_ - started_at_) / static_cast<unsigned>(std::popcount(existing_));
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  bool is_ready(const LaneGroup& group) const;
  static std::vector<const Frame*> frames_of(const LaneGroup& group);
  // The lanes that wait for what this group waits for.
  LaneMask waiting_with(const Wait& wait) const;
  std::size_t choose() const;
  void activate(std::size_t chosen);
  void activate_only_group();
  void note_end_of_wait(const Wait& wait);
  void set_limit(const Operation* pc) {
    limit_ = stop();
    if (groups_.size() != 1) set_limit_by_others(pc);
  }
  void set_limit_by_others(const Operation* pc);
  const Operation* part(const Operation& op, LaneMask lanes, const Operation* target);
  bool goes_in_circles();
  const Operation* enter(const Operation& op, LaneMask lanes, Frame& frame,
                         const Operation* target);
  Frame& frame_for(unsigned depth, const DecodedFunction& function);
  // Lets each lane have at least this much local memory.
  void reserve_local(const Operation& op, unsigned lane, std::size_t bytes);
  template <bool is_observed>
  void run_group(std::uint64_t& budget);
  void tell_register_use(const Operation& op) const;
  void tell_sleep(const Operation& op, LaneMask lanes, const Wait& wait, const Operation* resume);
  void count_arrival(const Arrival& arrival);
  const Region* find_global(std::uint64_t address);

  Cta& cta_;
  Observer* observer_;  // null: nobody observes
  bool tells_instructions_;
  unsigned index_;
  LaneMask existing_;
  std::byte* registers_ = nullptr;  // of the running group's frame
  const Program* program_ = nullptr;

  // The running group, while run() is on.
  LaneMask active_ = 0;
  const Operation* limit_ = nullptr;  // the pc at which another group is met
  std::size_t current_ = none;

  std::vector<LaneGroup> groups_;
  std::uint64_t turn_ = 0;
  bool yielded_ = false;
  bool idled_ = false;
  bool was_interrupted_ = false;
  std::array<Flags, 64> flags_{};  // loaded last: a loop may look at several
  std::vector<Wait> given_up_;     // waits that timed out since the last one that did not
  LaneMask timed_out_ = 0;
  LaneMask reducing_ = 0;
  std::array<std::uint64_t, warp_size> cluster_generation_{};
  std::uint64_t thread_instructions_ = 0;
  std::uint64_t issued_ = 0;             // instructions in this CTA, but those of the running group
  const Operation* clock_at_ = nullptr;  // the first of the running group, until it has asked
  std::uint64_t slept_ = 0;              // clocks
  struct Circle {
    std::uint64_t state = 0;  // at the end of an earlier turn
    unsigned turns = 0;       // that have ended in the middle since
    unsigned limit = 0;       // as many, and a later state is taken
    unsigned trusted = 0;     // turns in which it may be elsewhere on the way round
  };
  Circle circle_;
  std::uint64_t started_at_ = 0;  // thread_instructions_ when this CTA began
  // Kernels access few allocations, again and again.
  std::array<Region, 4> recent_regions_{};
  unsigned next_recent_region_ = 0;
  std::uint64_t known_frees_ = 0;  // GlobalMemory::frees() when they were accessed
  std::uint64_t run_ = 0;          // how often it started
  std::vector<std::vector<std::unique_ptr<Frame>>> frames_;  // by depth
  std::size_t local_stride_ = 0;
  std::vector<std::byte> local_storage_;
  std::vector<std::byte> beyond_local_;  // a page for each lane, once one has left its own
  std::array<std::uint32_t, warp_size> stack_pointer_{};
};

}  // namespace tmaemu
