// A cluster with one mbarrier, for tests of what the checker looks after of it.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/mbarrier_checker.h"
#include "tests/emulator/checked_cluster.h"

namespace tmaemu::check {

using Codes = std::vector<std::string>;

inline constexpr std::uint32_t barrier = 1024;
inline constexpr ThreadId ada{0, 0};
inline constexpr ThreadId ben{0, 1};
inline constexpr ThreadId cleo{1, 0};  // of the other CTA
inline constexpr MemoryOrder release{Semantics::release, Scope::cta};
inline constexpr MemoryOrder acquire{Semantics::acquire, Scope::cta};

struct MbarrierCluster : CheckedCluster {
  explicit MbarrierCluster(unsigned ctas) : CheckedCluster(ctas) { checker.start(); }

  void initialize(std::int64_t count, ThreadId by = ada) {
    checker.initialize(barrier, count, action(by));
  }
  void invalidate(ThreadId by) { checker.invalidate(barrier, action(by)); }
  void arrive(ThreadId by, bool completes, std::int64_t bytes = 0, MemoryOrder order = release) {
    checker.arrive({.mbarrier = barrier,
                    .count = 1,
                    .tx_bytes = bytes,
                    .thread = &by,
                    .site = ++site,
                    .order = order,
                    .completes_phase = completes});
  }
  void announce(ThreadId by, std::int64_t bytes) {
    checker.arrive({.mbarrier = barrier, .tx_bytes = bytes, .thread = &by, .site = ++site});
  }
  // The mbarrier has no arrival left, and takes neither this one nor its bytes.
  void refuse_arrival(ThreadId by, std::int64_t bytes) {
    checker.overflow(barrier, bytes,
                     {.sentence = Sentence::mbarrier_arrivals,
                      .values = {0, 1, "1 arrives"},
                      .site = ++site,
                      .thread = by});
  }
  // cp.async.mbarrier.arrive.noinc: the arrival itself comes later.
  void order_arrival(ThreadId by) { checker.order_arrival({by, ++site, barrier, true}); }
  void arrive_behind_copies(ThreadId by, bool completes) {
    checker.arrive({.mbarrier = barrier,
                    .count = 1,
                    .thread = &by,
                    .site = ++site,
                    .order = {Semantics::relaxed, Scope::cta},
                    .completes_phase = completes,
                    .follows_copies = true});
  }
  // The engine's bytes arrive.
  void complete_bytes(std::int64_t bytes) {
    checker.arrive({.mbarrier = barrier, .tx_bytes = -bytes, .completes_phase = true});
  }
  void see(ThreadId by, MemoryOrder order = acquire) {
    checker.see_phase({barrier, by, ++site, order});
  }
  // Whether the thread knows what the other one did up to now.
  bool knows(ThreadId thread, ThreadId other) const {
    return state.order.knows(thread, state.order.actor(other), 1);
  }
  PhaseOf load(std::int64_t bytes, ThreadId by = ada) {
    return checker.bring(barrier, bytes, action(by));
  }
  // The arrival of another lane on which the thread relied, and by which the other's last wait
  // ended.
  std::optional<PhaseLedger::Arriver> arrival_for(ThreadId thread, Time since,
                                                  ThreadId waiting) const {
    return checker.arrival_for(thread, since, waiting, checker.last_wait(waiting));
  }
  // __syncthreads() of the first warp.
  void synchronize() {
    std::vector<ThreadId> warp;
    for (std::uint16_t i = 0; i < warp_size; ++i) warp.push_back({0, i});
    state.order.synchronize(warp, warp);
  }
  // What is found up to the end of the cluster.
  Codes found(events::End end = events::End::finished) {
    checker.end_cluster(end);
    state.reporter.finish({});
    return log.codes();
  }
  Action action(ThreadId thread) { return {thread, ++site, state.order.now(thread)}; }

  HeardFlags flags{state};
  MbarrierChecker checker{state, flags};
  std::uint32_t site = 0;
};

class CheckMbarrier : public testing::Test {
 protected:
  MbarrierCluster cluster{1};
};

}  // namespace tmaemu::check
