// Writes down the steps of a launch's first cluster, from its events.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/diagnostics/places.h"
#include "emulator/model/events.h"
#include "emulator/model/finding_sink.h"
#include "emulator/model/launch.h"
#include "emulator/record/step.h"

namespace tmaemu::record {

// A warp that waits asks an mbarrier again and again. Where the last step is that, and nothing has
// changed since the same warp asked before, the two become one.
void fold_poll(std::vector<Step>& steps);

class ClusterRecorder final : public Observer {
 public:
  ClusterRecorder(const LaunchRequest& request, const Places& places)
      : ctas_(static_cast<unsigned>(request.cluster.count())), places_(places) {}

  void may_look_at(SharedViews& views) override { views_ = &views; }
  void cluster_starts(const Dimensions& first) override;
  void cluster_ends(events::End end) override;
  void executes(const events::Instruction& instruction) override;
  void puts_off(const events::Instruction& instruction) override;
  void sleeps(const events::Wait& wait) override;
  void initializes(std::uint32_t mbarrier, std::int64_t count, ThreadId thread,
                   std::uint32_t site) override;
  void issues(const events::Bulk& bulk) override;
  void awaits_bulk(const events::Groups& groups) override;
  void releases_source(const events::Bulk& bulk) override;
  void finishes(const events::Bulk& bulk) override;
  void issues_product(const events::WarpgroupProduct& product) override;
  void multiplies(WarpId warp, std::uint32_t number) override;
  void commits_products(WarpId warp, std::uint32_t site) override;
  void awaits_products(const events::ProductsAwaited& wait) override;

  // Seen while the step at work was.
  void suspect(const Finding& finding);
  // Reported: of the step at which it was seen.
  void note(const Finding& finding);
  const ClusterSteps& steps() const { return done_; }
  bool has_first() const { return has_first_; }

 private:
  void begin(Step step);
  void end_last();
  // What the memory has become since the last time belongs to this step.
  void take_changes(Step& step);
  void engine_acts(BulkMoment::Kind kind, const events::Bulk& bulk);
  void product_moves(const ProductMoment& moment);

  unsigned ctas_;
  const Places& places_;
  const SharedViews* views_ = nullptr;
  bool is_first_ = false;                     // the cluster at work is the grid's first
  bool has_first_ = false;                    // or was
  std::vector<std::vector<std::byte>> seen_;  // by rank and view
  std::int64_t file_ = -1;                    // the kernel's, as Places::Line has it
  // By rank and index of a warp: the last instruction that has a line in that file.
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t> last_sites_;
  // By rank and index of a warp: how many products it has issued, and how many have happened.
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::uint32_t> issued_, multiplied_;
  ClusterSteps done_;
};

// Also hands on what is found, so that a step holds it.
class LaunchRecorder final : public LaunchObserver, public FindingSink {
 public:
  LaunchRecorder(const LaunchRequest& request, const Places& places, FindingSink& next)
      : request_(request), places_(places), next_(next) {}

  Observer& observe_cluster() override;
  void suspect(const Finding& finding) override;
  void notice(const Finding& finding) override { next_.notice(finding); }
  void report(const Finding& finding) override;
  void fault(const Finding& finding) override;
  void cluster_ended(std::uint64_t cluster) override { next_.cluster_ended(cluster); }

  // The finding that the launch ends with.
  void note(const Finding& finding);
  // When the launch has ended.
  ClusterSteps take() const;

 private:
  // Gives the finding to who records the grid's first cluster, if it is of that.
  void of_first(const Finding& finding, void (ClusterRecorder::*takes)(const Finding&));

  const LaunchRequest& request_;
  const Places& places_;
  FindingSink& next_;
  std::mutex mutex_;
  std::deque<ClusterRecorder> clusters_;
};

}  // namespace tmaemu::record
