#include "emulator/check/barrier_checker.h"

#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/check/site_facts.h"
#include "emulator/program/flow.h"

namespace tmaemu::check {

void BarrierChecker::start() {
  ctas_.clear();
  ctas_.resize(state_.ctas);
  arriving_.clear();
  completed_ = nullptr;
  generation_ = 0;
  arrived_in_.assign(state_.thread_count(), 0);
  waiting_.clear();
  fenced_.assign(state_.thread_count(), 0);
}

void BarrierChecker::arrive(const events::BarrierArrival& arrival) {
  if (arrival.barrier.kind == BarrierId::Kind::cluster) {
    arrive_at_cluster(arrival);
  } else if (arrival.barrier.number < barriers_per_cta) {
    arrive_at_cta(ctas_[arrival.warp.rank][arrival.barrier.number], arrival);
  }
}

void BarrierChecker::arrive_at_cta(CtaBarrier& barrier, const events::BarrierArrival& arrival) {
  const auto first = static_cast<unsigned>(std::countr_zero(arrival.lanes));
  const ThreadId thread = thread_of(arrival.warp, first);
  const Action action{thread, arrival.site, state_.order.now(thread)};
  if (!barrier.arrived.empty() && barrier.expected != arrival.expected) {
    report_counts(barrier.arrived.front().first(), barrier.expected, action, arrival.expected);
  }
  barrier.expected = arrival.expected;
  barrier.counts = arrival.expected != 0;
  if (barrier.counts) {
    check_groups(barrier, action);
    check_own_arrival(barrier, action);
  }
  barrier.arrived.push_back({arrival.warp, arrival.lanes, arrival.site, action.time,
                             arrival.also_waits, arrival.is_aligned});
  if (arrival.also_waits) return;
  for_each_thread(arrival.warp, arrival.lanes,
                  [&](ThreadId thread) { state_.order.release(thread, barrier.released); });
}

// Whoever came first, it is the one further down in the source that is told.
void BarrierChecker::report_counts(Action first, std::uint32_t count, Action second,
                                   std::uint32_t other) {
  const auto& places = state_.launch.places;
  if (places.line(second.site) < places.line(first.site)) {
    std::swap(first, second);
    std::swap(count, other);
  }
  state_.report(
      state_.finding(Sentence::barrier_of_two_counts, second.site, second.thread, {other, count}),
      state_.note(NoteSentence::also_arrived_here, first.site, first.thread));
}

bool BarrierChecker::knows_any_of(ThreadId thread, const Arrived& arrived) const {
  bool knows = false;
  for_each_thread(arrived.warp, arrived.lanes, [&](ThreadId other) {
    knows = knows || state_.order.knows(thread, state_.order.actor(other), arrived.time);
  });
  return knows;
}

// A named barrier whose last generation was of others, and nothing tells the thread that they are
// done with it: two groups of threads use one barrier at a time.
void BarrierChecker::check_groups(const CtaBarrier& barrier, const Action& action) {
  const auto concerns = [&](const Arrived& arrived) {
    return arrived.has(action.thread) || knows_any_of(action.thread, arrived);
  };
  if (barrier.previous.empty() || std::ranges::any_of(barrier.previous, concerns)) return;
  const Action other = barrier.previous.front().first();
  state_.report(state_.finding(Sentence::barrier_of_two_groups, action.site, action.thread),
                state_.note(NoteSentence::also_arrived_here, other.site, other.thread));
}

// A thread that did not wait arrives again, and does not know that those who waited in the phase
// of its last arrival have gone on: were it faster, the barrier would count it twice in one phase.
void BarrierChecker::check_own_arrival(const CtaBarrier& barrier, const Action& action) {
  const auto is_own = [&](const Arrived& arrived) { return arrived.has(action.thread); };
  const auto last = std::ranges::find_if(barrier.previous, is_own);
  if (last == barrier.previous.end() || last->also_waits) return;
  const auto is_known = [&](const Arrived& arrived) {
    return arrived.also_waits && knows_any_of(action.thread, arrived);
  };
  if (std::ranges::any_of(barrier.previous, is_known)) return;
  report_second_arrival(action, last->action(action.thread.index % warp_size));
}

// That has happened: the second arrival has taken the place of who was to wait.
void BarrierChecker::check_second_arrivals(const CtaBarrier& barrier) {
  if (!barrier.counts || std::ranges::any_of(barrier.arrived, &Arrived::also_waits)) return;
  const Arrived& last = barrier.arrived.back();
  const Action second = last.last();
  const auto first = std::ranges::find_if(
      barrier.arrived, [&](const Arrived& arrived) { return arrived.has(second.thread); });
  if (&*first == &last) return;
  report_second_arrival(second, first->action(second.thread.index % warp_size));
}

void BarrierChecker::report_second_arrival(const Action& second, const Action& first) {
  state_.report(state_.finding(Sentence::barrier_arrived_at_twice, second.site, second.thread),
                state_.note(NoteSentence::also_arrived_here, first.site, first.thread));
}

void BarrierChecker::complete(BarrierId barrier, std::uint16_t rank) {
  if (barrier.kind == BarrierId::Kind::cta) {
    return complete_cta(ctas_[rank][barrier.number], barrier.number == 0);
  }
  ++generation_;
  completed_ = arriving_.all();
  arriving_.clear();
  for (const ThreadId thread : waiting_) state_.order.acquire(thread, completed_);
  waiting_.clear();
}

void BarrierChecker::complete_cta(CtaBarrier& barrier, bool is_syncthreads) {
  check_lanes(barrier, is_syncthreads);
  check_second_arrivals(barrier);
  std::vector<const Arrived*> warps;
  for (const Arrived& arrived : barrier.arrived) {
    if (arrived.also_waits) warps.push_back(&arrived);
  }
  std::ranges::sort(warps, {}, [](const Arrived* arrived) {
    return std::tuple(arrived->warp.index, std::countr_zero(arrived->lanes));
  });
  std::vector<ThreadId> waiting(warps.size() * warp_size);
  std::size_t count = 0;
  for (const Arrived* const arrived : warps) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      waiting[count] = thread_of(arrived->warp, lane);
      count += arrived->lanes >> lane & 1;
    }
  }
  waiting.resize(count);
  const SharedClocks released = barrier.released.all();
  state_.order.synchronize(waiting, waiting);
  if (released != nullptr) {
    for (const ThreadId thread : waiting) state_.order.acquire(thread, released);
  }
  barrier.released.clear();
  std::swap(barrier.previous, barrier.arrived);
  barrier.arrived.clear();
}

// Lanes of one warp meet at two instructions, or threads of the CTA at two __syncthreads(): the
// barrier stands in code that only some of them take. PTX ISA, "bar": what is .aligned, all lanes
// execute together; CUDA C++ Programming Guide, "Synchronization Functions". Without .aligned lanes
// may come from where they like, and warps to a barrier of another number than that of
// __syncthreads().
void BarrierChecker::check_lanes(const CtaBarrier& barrier, bool is_syncthreads) {
  const Arrived* previous = nullptr;
  for (const Arrived& arrived : barrier.arrived) {
    if (!arrived.also_waits || !arrived.is_aligned) continue;
    const bool is_same_warp = previous != nullptr && previous->warp == arrived.warp;
    const bool is_whole_cta = previous != nullptr && is_syncthreads && !barrier.counts;
    if ((is_same_warp && previous->site != arrived.site) ||
        (is_whole_cta && are_apart(previous->site, arrived.site))) {
      const auto line = [&](const Action& action) {
        return std::tuple(state_.launch.places.line(action.site),
                          state_.launch.places.place(action.site).column, action.site);
      };
      Action first = previous->last();
      Action second = arrived.first();
      if (line(second) < line(first)) std::swap(first, second);
      const Sentence sentence =
          is_same_warp ? Sentence::barrier_in_divergent_code : Sentence::barrier_at_two_lines;
      state_.report(state_.finding(sentence, first.site, first.thread),
                    state_.note(NoteSentence::also_arrived_here, second.site, second.thread));
    }
    previous = &arrived;
  }
}

// Whether two barriers are two in the source, too. The compiler makes copies of one where it
// unrolls a loop, and never on two sides of a branch: a barrier is convergent. But all that stands
// on one line looks like one, and so do two barriers on two sides of a branch there.
bool BarrierChecker::are_apart(std::uint32_t site, std::uint32_t other) {
  if (site == other) return false;
  if (!state_.launch.places.are_copies(site, other)) return true;
  const auto [known, is_new] = are_on_two_sides_.try_emplace(std::minmax(site, other), false);
  const Program& program = state_.launch.program;
  if (is_new) {
    known->second = !may_come_to(program, site, other) && !may_come_to(program, other, site);
  }
  return known->second;
}

void BarrierChecker::arrive_at_cluster(const events::BarrierArrival& arrival) {
  for_each_thread(arrival.warp, arrival.lanes, [&](ThreadId thread) {
    if (std::exchange(arrived_in_[state_.slot(thread)], generation_ + 1) != 0) {
      state_.report(state_.finding(Sentence::cluster_arrival_without_wait, arrival.site, thread));
    }
    // Whatever it orders: who waits knows that the CTA runs, and of fence.mbarrier_init.
    const Actor initializations = state_.order.actor(thread, Actor::Track::initializations);
    arriving_.add(initializations, fenced_[state_.slot(thread)]);
    if (arrival.order.releases()) {
      state_.order.release(thread, arriving_);
    } else {
      state_.order.arrive_relaxed(thread, arriving_);
    }
  });
}

void BarrierChecker::wait_for_cluster(const events::Wait& wait) {
  for_each_thread(wait.warp, wait.lanes, [&](ThreadId thread) {
    const std::uint64_t arrived_in = std::exchange(arrived_in_[state_.slot(thread)], 0);
    if (arrived_in == 0) {
      state_.report(state_.finding(Sentence::cluster_wait_without_arrival, wait.site, thread));
    } else if (arrived_in <= generation_) {
      state_.order.acquire(thread, completed_);
    } else {
      waiting_.push_back(thread);
    }
  });
}

}  // namespace tmaemu::check
