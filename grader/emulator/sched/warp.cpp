#include "emulator/sched/warp.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "emulator/memory/address_space.h"
#include "emulator/sched/cluster.h"
#include "emulator/sched/special_registers.h"

namespace tmaemu {

Warp::Warp(Cta& cta, unsigned index, LaneMask lanes)
    : cta_(cta),
      observer_(cta.cluster.observer()),
      tells_instructions_(observer_ != nullptr && observer_->wants_instructions()),
      index_(index),
      existing_(lanes),
      program_(cta.cluster.launch.program) {
  local_stride_ = program_->local_bytes;
  local_storage_.resize(local_stride_ * warp_size);
}

void Warp::start() {
  ++run_;
  stack_pointer_.fill(static_cast<std::uint32_t>(program_->local_bytes));
  Frame& frame = frame_for(0, program_->functions.front());
  groups_.assign(1, LaneGroup{program_->code.data(), existing_, {}, 0, &frame});
  timed_out_ = 0;
  reducing_ = 0;
  // Which CTAs a warp has run before depends on the number of host threads; the clock must not.
  turn_ = 0;
  started_at_ = thread_instructions_;
  issued_ = slept_ = 0;
  circle_ = {};
  flags_.fill({});
  given_up_.clear();
}

WarpId Warp::id() const {
  return {static_cast<std::uint16_t>(cta_.rank), static_cast<std::uint16_t>(index_)};
}

ThreadId Warp::thread(unsigned lane) const {
  return {static_cast<std::uint16_t>(cta_.rank),
          static_cast<std::uint16_t>(index_ * warp_size + lane)};
}

const Region* Warp::find_global(std::uint64_t address) {
  const Region* region = cta_.cluster.launch.memory->find(address);
  if (region == nullptr) return nullptr;
  Region& recent = recent_regions_[next_recent_region_++ % recent_regions_.size()];
  recent = *region;
  return &recent;
}

void Warp::forget_freed_regions() {
  const std::uint64_t frees = cta_.cluster.launch.memory->frees();
  if (std::exchange(known_frees_, frees) != frees) recent_regions_ = {};
}

LaneMask Warp::live() const {
  LaneMask lanes = 0;
  for (const LaneGroup& group : groups_) lanes |= group.lanes;
  return lanes;
}

void Warp::fault(const Operation& op, unsigned lane, Sentence sentence, Values values) const {
  throw KernelFault{{sentence, std::move(values), op.site, cta_.id, thread(lane)}};
}

bool Warp::is_ready(const LaneGroup& group) const {
  const Wait& wait = group.wait;
  switch (wait.kind) {
    case Wait::Kind::none:
      return true;
    case Wait::Kind::cta_barrier:
      return cta_.barriers[wait.index].generation != wait.value;
    case Wait::Kind::cluster_barrier:
      return cta_.cluster.cluster_generation > wait.value;
    case Wait::Kind::mbarrier: {
      const Mbarrier barrier = cta_.cluster.mbarriers().load(wait.address);
      return barrier.initialized && barrier.phase_is_over(wait.value != 0);
    }
    case Wait::Kind::warp:
    case Wait::Kind::whole_warp:
    case Wait::Kind::warp_at_barrier:
      return (static_cast<LaneMask>(wait.value) & live() & ~waiting_with(wait)) == 0;
    case Wait::Kind::warpgroup: {
      const Warpgroup& group = cta_.warpgroup(*this);
      return group.have_all_issued(wait.value) || group.ended_before(wait.value) != nullptr;
    }
    case Wait::Kind::registers:
      return cta_.registers.can_give(index(), static_cast<unsigned>(wait.value));
  }
  return false;
}

namespace {

// The deepest in calls first, then the lowest pc; but a group whose last turn did not end by itself
// lets the others go first.
bool comes_before(const LaneGroup& a, const LaneGroup& b) {
  if (a.last_turn != b.last_turn) return a.last_turn < b.last_turn;
  if (a.frame->depth != b.frame->depth) return a.frame->depth > b.frame->depth;
  return a.next < b.next;
}

}  // namespace

std::size_t Warp::choose() const {
  if (groups_.size() == 1) return is_ready(groups_[0]) ? 0 : none;
  std::size_t best = none;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (!is_ready(groups_[i])) continue;
    if (best == none || comes_before(groups_[i], groups_[best])) best = i;
  }
  return best;
}

void Warp::activate(std::size_t chosen) {
  if (groups_.size() == 1) return activate_only_group();
  const Operation* pc = groups_[chosen].next;
  Frame* frame = groups_[chosen].frame;
  const Wait poll = groups_[chosen].poll;
  note_end_of_wait(groups_[chosen].wait);
  // All that can go on from here go on together. Readiness is decided before anyone leaves: lanes
  // that meet count each other.
  LaneMask together = 0;
  for (const LaneGroup& group : groups_) {
    if (group.next == pc && group.frame == frame && is_ready(group)) together |= group.lanes;
  }
  std::erase_if(groups_, [&](const LaneGroup& group) { return (group.lanes & together) != 0; });
  groups_.push_back({pc, together, {}, 0, frame, poll});
  registers_ = frame->registers;
  current_ = groups_.size() - 1;
  active_ = together;
  set_limit(pc);
}

// Most warps never diverge: no group to join.
void Warp::activate_only_group() {
  LaneGroup& group = groups_[0];
  note_end_of_wait(group.wait);
  group.wait = {};
  group.last_turn = 0;
  registers_ = group.frame->registers;
  current_ = 0;
  active_ = group.lanes;
  limit_ = stop();
}

void Warp::set_limit_by_others(const Operation* pc) {
  const Frame* frame = groups_[current_].frame;
  for (std::size_t i = 0; i < groups_.size(); ++i) {
    if (i == current_ || groups_[i].next <= pc || groups_[i].next >= limit_) continue;
    if (groups_[i].frame == frame && is_ready(groups_[i])) limit_ = groups_[i].next;
  }
}

// The functions that the group's lanes are in, and those that called them.
std::vector<const Frame*> Warp::frames_of(const LaneGroup& group) {
  std::vector<const Frame*> frames;
  for (LaneMask rest = group.lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    for (const Frame* frame = group.frame; frame != nullptr; frame = frame->caller[lane]) {
      if (std::ranges::find(frames, frame) == frames.end()) frames.push_back(frame);
    }
  }
  return frames;
}

std::uint64_t Warp::checksum() const {
  std::uint64_t sum = 0;
  const auto add = [&](std::span<const std::byte> bytes) {
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    sum = std::rotl(sum, 1) ^ std::hash<std::string_view>{}(text);
  };
  for (const LaneGroup& group : groups_) {
    add(std::as_bytes(std::span(&group.next, 1)));
    add(std::as_bytes(std::span(&group.lanes, 1)));
    for (const Frame* frame : frames_of(group)) {
      std::span<const std::byte> rest = frame->all_registers();
      std::size_t begin = 0;
      for (const RegisterBytes& time : frame->function.times) {
        add(rest.subspan(begin, time.slot - begin));
        begin = time.slot + time.bytes;
      }
      add(rest.subspan(begin));
    }
  }
  return sum;
}

bool Warp::run(std::uint64_t budget) {
  forget_freed_regions();  // others may have freed; the warp itself forgets at once
  yielded_ = idled_ = false;
  ++turn_;
  bool ran = false;
  while (budget > 0 && !yielded_) {
    const std::size_t chosen = choose();
    if (chosen == none) break;
    activate(chosen);
    ran = true;
    const std::uint64_t before = budget;
    if (observer_ == nullptr) {
      run_group<false>(budget);
    } else {
      run_group<true>(budget);
    }
    issued_ += before - budget;
  }
  was_interrupted_ = budget == 0 && !yielded_;
  if (budget == 0 && program_->is_ordered && goes_in_circles()) {
    idled_ = true;
    cta_.cluster.note_poll();
  }
  return ran;
}

// Whether the warp comes back to where it was at the end of an earlier turn: it polls by plain
// loads, which say nothing of it. After R. P. Brent, "An improved Monte Carlo factorization
// algorithm": what is compared with is a state of ever longer ago. A turn may end anywhere in the
// loop; so many turns lie between two that end at one place.
bool Warp::goes_in_circles() {
  const std::uint64_t state = checksum();
  ++circle_.turns;
  if (circle_.limit != 0 && state == circle_.state) {
    circle_.trusted = std::exchange(circle_.turns, 0);
  } else if (circle_.trusted != 0) {
    --circle_.trusted;
  } else if (circle_.turns >= circle_.limit) {
    circle_ = {state, 0, 2 * circle_.limit + 1, 0};
  }
  return circle_.trusted != 0;
}

// A wait for an mbarrier has ended because its phase is over, and for no other reason.
void Warp::note_end_of_wait(const Wait& wait) {
  if (wait.kind != Wait::Kind::mbarrier) return;
  given_up_.clear();
  cta_.cluster.note_progress();
}

void Warp::asked_in_vain(const Operation& op, std::uint32_t mbarrier, bool parity) {
  yield();
  cta_.cluster.note_poll();
  const std::uint64_t value = parity ? 1 : 0;
  groups_[current_].poll = {Wait::Kind::mbarrier, 0, mbarrier, value, nullptr, &op};
}

void Warp::loaded_flags(const Flags& flags) {
  cta_.cluster.note_poll();
  Flags& before = flags_[flags.addresses % flags_.size()];
  const bool is_again =
      before.op == flags.op && before.lanes == flags.lanes && before.addresses == flags.addresses;
  const bool is_same = before.values == flags.values;
  before = flags;
  if (!is_again) return;
  if (!is_same) return cta_.cluster.note_progress();
  yield();
  groups_[current_].poll = {Wait::Kind::none, 0, 0, flags.first, nullptr, flags.op};
}

void Warp::tell_register_use(const Operation& op) const {
  const auto index = static_cast<std::size_t>(&op - program_->code.data());
  if (index >= program_->register_uses.size() || program_->register_uses[index] == nullptr) return;
  const RegisterUse& use = *program_->register_uses[index];
  observer_->uses_registers(
      {id(), op.site, groups_[current_].frame, use.read, use.written, use.only_copies});
}

// The interpreter's loop: runs the active group until it stops, meets another, or its turn is over.
template <bool is_observed>
void Warp::run_group(std::uint64_t& budget) {
  const Operation* pc = groups_[current_].next;
  clock_at_ = pc;
  std::uint64_t executed = 0;
  for (;;) {
    const Operation& op = *pc;
    const LaneMask lanes = active_ & (predicate(op.guard) ^ op.guard_flip);
    if constexpr (is_observed) {
      if (tells_instructions_) observer_->executes({id(), op.site, active_, lanes});
      if (lanes != 0) tell_register_use(op);
    }
    const Operation* next = pc + 1;
    if (lanes != 0) next = op.execute(*this, op, lanes);
    executed += static_cast<unsigned>(std::popcount(lanes));
    --budget;
    if (next >= limit_ || budget == 0 || yielded_) {
      if (next == stop()) break;
      groups_[current_].next = next;
      if (budget == 0 || yielded_) groups_[current_].last_turn = turn_;
      break;
    }
    pc = next;
  }
  thread_instructions_ += executed;
}

const Operation* Warp::part(const Operation& op, LaneMask lanes, const Operation* target) {
  const LaneGroup& own = groups_[current_];
  groups_.push_back({target, lanes, {}, own.last_turn, own.frame, own.poll});
  active_ &= ~lanes;
  groups_[current_].lanes = active_;
  set_limit(&op);
  return &op + 1;
}

const Operation* Warp::block(const Operation& op, LaneMask lanes, const Wait& wait,
                             const Operation* resume) {
  if (observer_ != nullptr) tell_sleep(op, lanes, wait, resume);
  // To sleep again, since a time limit has passed, is to ask again in vain.
  const auto is_same = [&](const Wait& other) {
    return other.at == &op && other.address == wait.address && other.value == wait.value;
  };
  if (wait.kind == Wait::Kind::mbarrier && std::ranges::any_of(given_up_, is_same)) {
    idled_ = true;
    cta_.cluster.note_poll();
  }
  // Lanes that come to this instruction again have not executed it yet.
  if (resume == &op) thread_instructions_ -= static_cast<unsigned>(std::popcount(lanes));
  if (lanes == active_) {
    LaneGroup& group = groups_[current_];
    group.wait = wait;
    group.wait.at = &op;
    group.next = resume;
    return stop();
  }
  groups_.push_back({resume, lanes, wait, 0, groups_[current_].frame});
  groups_.back().wait.at = &op;
  active_ &= ~lanes;
  groups_[current_].lanes = active_;
  set_limit(&op);
  return &op + 1;
}

void Warp::tell_sleep(const Operation& op, LaneMask lanes, const Wait& wait,
                      const Operation* resume) {
  switch (wait.kind) {
    case Wait::Kind::mbarrier:
      observer_->sleeps({{BarrierId::Kind::mbarrier, wait.address}, id(), lanes, op.site});
      break;
    case Wait::Kind::cta_barrier:
      observer_->sleeps({{BarrierId::Kind::cta, wait.index}, id(), lanes, op.site});
      break;
    case Wait::Kind::cluster_barrier:
      observer_->sleeps({{BarrierId::Kind::cluster, 0}, id(), lanes, op.site});
      break;
    case Wait::Kind::none:
    case Wait::Kind::warp:
    case Wait::Kind::whole_warp:
    case Wait::Kind::warp_at_barrier:
    case Wait::Kind::warpgroup:
    case Wait::Kind::registers:
      break;
  }
  // Of a group that divides, one part executes it now.
  if (resume == &op && tells_instructions_) observer_->puts_off({id(), op.site, active_, lanes});
}

// Executed again, as the first of its group, the instruction finds the clock up to date: so the
// loop above need not count for it.
bool Warp::is_clock_up_to_date(const Operation& op, LaneMask lanes) {
  if (std::exchange(clock_at_, nullptr) == &op) return true;
  limit_ = nullptr;
  --issued_;
  thread_instructions_ -= static_cast<unsigned>(std::popcount(lanes));
  if (tells_instructions_) observer_->puts_off({id(), op.site, active_, lanes});
  return false;
}

const Operation* Warp::exit(const Operation& op, LaneMask lanes) {
  active_ &= ~lanes;
  if (active_ == 0) {
    groups_.erase(groups_.begin() + static_cast<std::ptrdiff_t>(current_));
    current_ = none;
  } else {
    groups_[current_].lanes = active_;
  }
  cta_.cluster.note_progress();
  cta_.on_exit(static_cast<unsigned>(std::popcount(lanes)));
  return active_ == 0 ? stop() : &op + 1;
}

void Warp::synchronize(LaneMask members) {
  if (observer_ != nullptr) observer_->synchronizes_warp(id(), members & live());
  if (!program_->uses_async_proxy) return;
  std::array<ThreadId, warp_size> threads;
  std::size_t count = 0;
  for (LaneMask rest = members & live(); rest != 0; rest &= rest - 1) {
    threads[count++] = thread(static_cast<unsigned>(std::countr_zero(rest)));
  }
  cta_.cluster.causality().synchronize(std::span(threads).first(count));
}

void Warp::set_cluster_generation(LaneMask lanes, std::uint64_t generation) {
  for (; lanes != 0; lanes &= lanes - 1) cluster_generation_[std::countr_zero(lanes)] = generation;
}

std::uint64_t Warp::cluster_generation(LaneMask lanes) const {
  return cluster_generation_[std::countr_zero(lanes)];
}

bool Warp::take_timeout(LaneMask lanes) {
  const bool timed_out = (timed_out_ & lanes) == lanes;
  if (timed_out) timed_out_ &= ~lanes;
  return timed_out;
}

bool Warp::time_out_waits() {
  bool any = false;
  for (LaneGroup& group : groups_) {
    if (group.wait.kind != Wait::Kind::mbarrier) continue;
    const auto is_same = [&](const Wait& other) {
      return other.at == group.wait.at && other.address == group.wait.address &&
             other.value == group.wait.value;
    };
    if (std::ranges::none_of(given_up_, is_same)) given_up_.push_back(group.wait);
    group.wait = {};
    timed_out_ |= group.lanes;
    any = true;
  }
  return any;
}

}  // namespace tmaemu
