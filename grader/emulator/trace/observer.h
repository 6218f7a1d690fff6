// Writes down what a launch does and when, from its events.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <vector>

#include "emulator/model/events.h"
#include "emulator/model/launch.h"
#include "emulator/trace/cluster_trace.h"

namespace tmaemu::trace {

// One cluster after the other.
class ClusterTracer final : public Observer {
 public:
  // Clusters whose first CTA has this number in the grid, or a larger one, are left out.
  ClusterTracer(const Dimensions& grid, std::uint64_t end) : grid_(grid), end_(end) {}

  // When the launch has ended.
  std::vector<ClusterTrace> take();

  void cluster_starts(const Dimensions& first) override;
  void executes(const events::Instruction& instruction) override;
  void puts_off(const events::Instruction& instruction) override;
  void initializes(std::uint32_t mbarrier, std::int64_t count, ThreadId thread,
                   std::uint32_t site) override;
  void arrives(const events::Arrival& arrival) override;
  void waits(const events::Wait& wait) override;
  void sleeps(const events::Wait& wait) override;
  void sees_phase(const events::PhaseSeen& seen) override;
  void completes_barrier(BarrierId barrier, std::uint16_t rank) override;
  void awaits_bulk(const events::Groups& groups) override;
  void issues(const events::Bulk& bulk) override;
  void releases_source(const events::Bulk& bulk) override;
  void issues_product(const events::WarpgroupProduct& product) override;
  void commits_products(WarpId warp, std::uint32_t site) override;
  void awaits_products(const events::ProductsAwaited& wait) override;
  void finishes(const events::Bulk& bulk) override;

 private:
  // The phase of an mbarrier that goes on, and what landed for it or for one before.
  struct Phases {
    PhaseSpan current;
    struct Landed {
      std::size_t bulk;
      std::uint64_t phase;
    };
    std::vector<Landed> landed;  // and nobody has seen it
  };
  // What the TMA engine has just brought to an mbarrier.
  struct Landing {
    std::uint32_t mbarrier;
    std::uint64_t phase;
  };
  // A group of a warpgroup's wgmmas that no wait has covered.
  struct OpenGroup {
    std::size_t place = 0;      // in now_.products
    std::uint32_t last = 0;     // the number of its last one
    WarpId leader = {};         // the warp that issued it before the others
    bool is_committed = false;  // by that one
  };
  struct Bytes {
    std::uint64_t in = 0;
    std::uint64_t out = 0;
  };

  void end_cluster();
  BarrierWait* sleeping(WarpId warp, BarrierId barrier, LaneMask lanes);
  bool sleeps_somewhere(WarpId warp) const;
  void sleep(const events::Wait& wait);
  void wake(std::size_t place, Tick at);
  WarpMoment moment_of(WarpId warp, BarrierId barrier);
  WarpMoment end_of_run(WarpId warp);
  void note_in_flight(std::uint32_t rank);

  Dimensions grid_;
  std::uint64_t end_;
  bool is_left_out_ = false;
  std::deque<ClusterTrace> done_;
  ClusterTrace now_;
  Tick clock_ = 0;           // the next tick
  Tick at_ = 0;              // that of the instruction or action at work
  Tick instruction_at_ = 0;  // that of the instruction, although the engine has acted since
  bool run_goes_on_ = false;
  std::vector<std::size_t> sleeping_;  // in now_.waits
  std::map<std::uint32_t, Phases> phases_;
  std::map<std::uint64_t, std::size_t> bulks_;  // unfinished or not awaited, by id
  std::vector<Landing> landings_;
  std::map<std::uint32_t, std::deque<OpenGroup>> groups_;  // by the warpgroup's first warp
  std::vector<std::size_t> stores_;                        // not awaited, in now_.bulks
  std::vector<Bytes> bytes_;                               // in flight, by the CTA's rank
};

class LaunchTracer final : public LaunchObserver {
 public:
  explicit LaunchTracer(const LaunchRequest& request) : grid_(request.grid) {}
  Observer& observe_cluster() override;

  // When the launch has ended: in the grid's order.
  std::vector<ClusterTrace> take();

 private:
  Dimensions grid_;
  std::mutex mutex_;
  std::deque<ClusterTracer> clusters_;
};

// Of a launch, CTAs from this one on are in no trace: nobody would look at so many.
inline constexpr std::uint64_t most_ctas = 1024;

}  // namespace tmaemu::trace
