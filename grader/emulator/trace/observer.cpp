#include "emulator/trace/observer.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

#include "emulator/memory/address_space.h"
#include "emulator/model/cta_numbers.h"
#include "emulator/model/h200.h"
#include "emulator/observe/targets.h"

namespace tmaemu::trace {
namespace {

std::uint32_t key_of(WarpId warp) {
  return std::uint32_t{warp.rank} << 16 | warp.index;
}

}  // namespace

void ClusterTracer::cluster_starts(const Dimensions& first) {
  end_cluster();
  is_left_out_ = number_in_grid(first, grid_) >= end_;
  now_ = {};
  now_.first = first;
  clock_ = at_ = instruction_at_ = 0;
  run_goes_on_ = false;
  sleeping_.clear();
  phases_.clear();
  bulks_.clear();
  landings_.clear();
  groups_.clear();
  stores_.clear();
  bytes_.clear();
}

std::vector<ClusterTrace> ClusterTracer::take() {
  end_cluster();
  return {std::make_move_iterator(done_.begin()), std::make_move_iterator(done_.end())};
}

void ClusterTracer::end_cluster() {
  if (clock_ == 0 || is_left_out_) return;
  for (const std::size_t place : sleeping_) now_.waits[place].span.end = clock_;
  for (auto& [address, phases] : phases_) {
    PhaseSpan& current = phases.current;
    current.span.end = std::max(current.span.begin, clock_);
    if (current.arrivals != 0 || current.bytes != 0) now_.phases.push_back(current);
  }
  for (const auto& [id, place] : bulks_) {
    if (!now_.bulks[place].is_finished) now_.bulks[place].span.end = clock_;
  }
  for (const auto& [warpgroup, groups] : groups_) {
    for (const OpenGroup& group : groups) now_.products[group.place].span.end = clock_;
  }
  now_.end = clock_;
  done_.push_back(std::move(now_));
  clock_ = 0;
}

void ClusterTracer::executes(const events::Instruction& instruction) {
  if (is_left_out_) return;
  at_ = instruction_at_ = clock_++;
  landings_.clear();
  // While some of its lanes sleep, a run has one instruction: a wait may end with any of them.
  const bool goes_on = run_goes_on_ && now_.runs.back().warp == instruction.warp &&
                       !sleeps_somewhere(instruction.warp);
  if (!goes_on) now_.runs.push_back({instruction.warp, {at_, at_}, instruction.site});
  run_goes_on_ = true;
  Run& run = now_.runs.back();
  run.span.end = clock_;
  run.last_site = instruction.site;
  ++run.warp_instructions;
  run.thread_instructions += static_cast<unsigned>(std::popcount(instruction.active));
}

void ClusterTracer::puts_off(const events::Instruction& instruction) {
  if (is_left_out_) return;
  Run& run = now_.runs.back();
  run.thread_instructions -= static_cast<unsigned>(std::popcount(instruction.effective));
  if (instruction.effective == instruction.active) --run.warp_instructions;
}

// Of four warps that issue it the first one is told of.
void ClusterTracer::issues_product(const events::WarpgroupProduct& product) {
  if (is_left_out_ || !product.is_first_of_warps) return;
  const WarpId first = first_of_warpgroup(product.warp);
  std::deque<OpenGroup>& groups = groups_[key_of(first)];
  if (groups.empty() || groups.back().is_committed) {
    groups.push_back({now_.products.size(), product.number, product.warp});
    now_.products.push_back({first, product.site, 0, {at_, at_ + 1}, false});
  }
  groups.back().last = product.number;
  groups.back().leader = product.warp;
  ++now_.products[groups.back().place].products;
}

void ClusterTracer::commits_products(WarpId warp, std::uint32_t /*site*/) {
  if (is_left_out_) return;
  const auto groups = groups_.find(key_of(first_of_warpgroup(warp)));
  if (groups == groups_.end() || groups->second.empty()) return;
  OpenGroup& newest = groups->second.back();
  if (newest.leader == warp) newest.is_committed = true;
}

void ClusterTracer::awaits_products(const events::ProductsAwaited& wait) {
  if (is_left_out_) return;
  std::deque<OpenGroup>& groups = groups_[key_of(first_of_warpgroup(wait.warp))];
  while (!groups.empty() && groups.front().last <= wait.done) {
    ProductSpan& product = now_.products[groups.front().place];
    product.span.end = at_ + 1;
    product.is_over = true;
    groups.pop_front();
  }
}

void ClusterTracer::initializes(std::uint32_t mbarrier, std::int64_t /*count*/, ThreadId,
                                std::uint32_t /*site*/) {
  if (is_left_out_) return;
  phases_[mbarrier] = {{mbarrier, 0, {at_, at_}}, {}};
}

void ClusterTracer::arrives(const events::Arrival& arrival) {
  if (is_left_out_) return;
  Phases& phases = phases_[arrival.mbarrier];
  PhaseSpan& current = phases.current;
  current.mbarrier = arrival.mbarrier;
  current.arrivals += arrival.count;
  if (arrival.thread == nullptr) {
    current.bytes -= arrival.tx_bytes;
    landings_.push_back({arrival.mbarrier, current.number});
  }
  if (!arrival.completes_phase) return;
  // The engine tells of its arrivals before it tells that it is done, at the next tick.
  const Tick end = arrival.thread == nullptr ? clock_ + 1 : at_ + 1;
  current.is_over = true;
  current.span.end = end;
  now_.phases.push_back(current);
  current = {arrival.mbarrier, current.number + 1, {end, end}};
}

BarrierWait* ClusterTracer::sleeping(WarpId warp, BarrierId barrier, LaneMask lanes) {
  for (const std::size_t place : sleeping_) {
    BarrierWait& wait = now_.waits[place];
    if (wait.warp == warp && wait.barrier == barrier && (wait.lanes & lanes) != 0) return &wait;
  }
  return nullptr;
}

bool ClusterTracer::sleeps_somewhere(WarpId warp) const {
  return std::ranges::any_of(sleeping_,
                             [&](std::size_t place) { return now_.waits[place].warp == warp; });
}

// Lanes that wait at an mbarrier come to their instruction again until it is over: only then
// waits() is called. At other barriers it is called before they sleep.
void ClusterTracer::waits(const events::Wait& wait) {
  if (is_left_out_) return;
  if (BarrierWait* const slept = sleeping(wait.warp, wait.barrier, wait.lanes)) {
    ++slept->passed;
    wake(static_cast<std::size_t>(slept - now_.waits.data()), instruction_at_);
    return;
  }
  const Span span{instruction_at_, instruction_at_ + 1};
  now_.waits.push_back({wait.warp, wait.barrier, span, wait.site, wait.lanes, /*passed=*/1});
}

void ClusterTracer::sleeps(const events::Wait& wait) {
  if (is_left_out_) return;
  run_goes_on_ = false;
  if (BarrierWait* const slept = sleeping(wait.warp, wait.barrier, wait.lanes)) {
    ++slept->slept;
    return;
  }
  // The first row in which no other lanes of the warp wait.
  const auto is_taken = [&](unsigned row) {
    return std::ranges::any_of(sleeping_, [&](std::size_t place) {
      return now_.waits[place].warp == wait.warp && now_.waits[place].row == row;
    });
  };
  unsigned row = 0;
  while (is_taken(row)) ++row;
  const bool is_told = wait.barrier.kind != BarrierId::Kind::mbarrier;
  if (!is_told) {
    now_.waits.push_back({wait.warp, wait.barrier, {}, wait.site, wait.lanes, /*passed=*/0});
  }
  BarrierWait& sleeper = now_.waits.back();
  sleeper.span = {clock_, clock_};
  ++sleeper.slept;
  sleeper.row = row;
  sleeping_.push_back(now_.waits.size() - 1);
}

void ClusterTracer::wake(std::size_t place, Tick at) {
  BarrierWait& wait = now_.waits[place];
  wait.span.end = std::max(wait.span.begin, at);
  std::erase(sleeping_, place);
  // The other lanes' run, which the wait is around, ends with it.
  const Run& run = now_.runs.back();
  if (run.warp == wait.warp && run.span.begin < wait.span.end) run_goes_on_ = false;
}

void ClusterTracer::completes_barrier(BarrierId barrier, std::uint16_t rank) {
  if (is_left_out_) return;
  for (std::size_t i = sleeping_.size(); i-- > 0;) {
    const BarrierWait& wait = now_.waits[sleeping_[i]];
    const bool is_here = barrier.kind == BarrierId::Kind::cluster || wait.warp.rank == rank;
    if (wait.barrier == barrier && is_here) wake(sleeping_[i], at_ + 1);
  }
}

// In the row where a wait ends now, or in the instruction that did not have to sleep.
WarpMoment ClusterTracer::moment_of(WarpId warp, BarrierId barrier) {
  // What the engine did within this instruction it did before the wait was over.
  if (at_ != instruction_at_) return end_of_run(warp);
  for (const std::size_t place : sleeping_) {
    const BarrierWait& wait = now_.waits[place];
    const bool is_it = wait.warp == warp && wait.barrier == barrier;
    if (is_it && wait.span.begin < at_) return {warp, wait.row, at_ - 1};
  }
  return {warp, 0, at_};
}

// The engine's actions within an instruction have ticks of their own: the instruction takes as
// long.
WarpMoment ClusterTracer::end_of_run(WarpId warp) {
  Run& run = now_.runs.back();
  if (run.warp == warp) run.span.end = clock_;
  return {warp, 0, clock_ - 1};
}

void ClusterTracer::sees_phase(const events::PhaseSeen& seen) {
  if (is_left_out_) return;
  Phases& phases = phases_[seen.mbarrier];
  if (phases.landed.empty()) return;
  const WarpMoment moment =
      moment_of(warp_of(seen.thread), {BarrierId::Kind::mbarrier, seen.mbarrier});
  std::erase_if(phases.landed, [&](const Phases::Landed& landed) {
    if (landed.phase >= phases.current.number) return false;
    BulkSpan& bulk = now_.bulks[landed.bulk];
    if (!bulk.awaited) bulk.awaited = moment;
    return true;
  });
}

void ClusterTracer::awaits_bulk(const events::Groups& groups) {
  if (is_left_out_) return;
  std::erase_if(stores_, [&](std::size_t place) {
    BulkSpan& bulk = now_.bulks[place];
    const bool is_there = bulk.is_finished || (groups.only_read && bulk.source_read);
    if (bulk.bulk.thread != groups.thread || !is_there) return false;
    bulk.awaited = end_of_run(warp_of(groups.thread));
    return true;
  });
}

void ClusterTracer::note_in_flight(std::uint32_t rank) {
  const Bytes& bytes = bytes_[rank];
  now_.in_flight.push_back({static_cast<std::uint16_t>(rank), at_, bytes.in, bytes.out});
}

void ClusterTracer::issues(const events::Bulk& bulk) {
  if (is_left_out_) return;
  BulkSpan span{bulk, 0, {at_, at_ + 1}, {}, false, {}};
  for (const events::GlobalRange& range : bulk.global) span.global_bytes += range.bytes;
  span.bulk.global = {};
  const std::size_t place = now_.bulks.size();
  bulks_[bulk.id] = place;
  now_.bulks.push_back(span);
  bytes_.resize(h200::largest_cluster);
  if (bulk.kind != BulkKind::global_to_shared) {
    stores_.push_back(place);
    bytes_[shared_rank(bulk.shared)].out += bulk.bytes;
    note_in_flight(shared_rank(bulk.shared));
    return;
  }
  for_each_target(bulk, [&](std::uint32_t rank) {
    bytes_[rank].in += bulk.bytes;
    note_in_flight(rank);
  });
}

void ClusterTracer::releases_source(const events::Bulk& bulk) {
  if (is_left_out_) return;
  at_ = clock_++;
  if (const auto known = bulks_.find(bulk.id); known != bulks_.end()) {
    now_.bulks[known->second].source_read = at_;
  }
  bytes_[shared_rank(bulk.shared)].out -= bulk.bytes;
  note_in_flight(shared_rank(bulk.shared));
}

void ClusterTracer::finishes(const events::Bulk& bulk) {
  if (is_left_out_) return;
  at_ = clock_++;
  if (bulk.kind == BulkKind::global_to_shared) {
    for_each_target(bulk, [&](std::uint32_t rank) {
      bytes_[rank].in -= bulk.bytes;
      note_in_flight(rank);
    });
  }
  const auto known = bulks_.find(bulk.id);
  if (known == bulks_.end()) return;
  BulkSpan& span = now_.bulks[known->second];
  span.span.end = at_ + 1;
  span.is_finished = true;
  for (const Landing& landing : landings_) {
    if (shared_offset(landing.mbarrier) != shared_offset(bulk.mbarrier)) continue;
    phases_[landing.mbarrier].landed.push_back({known->second, landing.phase});
  }
  landings_.clear();
  bulks_.erase(known);
}

Observer& LaunchTracer::observe_cluster() {
  const std::lock_guard lock(mutex_);
  return clusters_.emplace_back(grid_, most_ctas);
}

std::vector<ClusterTrace> LaunchTracer::take() {
  std::vector<ClusterTrace> all;
  for (ClusterTracer& tracer : clusters_) std::ranges::move(tracer.take(), std::back_inserter(all));
  std::ranges::sort(all, {},
                    [&](const ClusterTrace& one) { return number_in_grid(one.first, grid_); });
  return all;
}

}  // namespace tmaemu::trace
