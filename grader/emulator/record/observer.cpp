#include "emulator/record/observer.h"

#include <algorithm>
#include <utility>

namespace tmaemu::record {
namespace {

constexpr unsigned views = 2;

// Bytes apart by no more than this are one change.
constexpr std::size_t bridged = 8;

void add_changes(View view, unsigned rank, std::vector<std::byte>& before,
                 std::span<const std::byte> now, std::vector<Change>& changes) {
  std::size_t last = 0;  // behind the last byte of the last change
  bool is_open = false;
  for (std::size_t at = 0; at < now.size(); ++at) {
    if (before[at] == now[at]) continue;
    if (!is_open || at - last > bridged) {
      changes.push_back({view, rank, static_cast<std::uint32_t>(at), {}});
      last = at;
      is_open = true;
    }
    std::vector<std::byte>& bytes = changes.back().bytes;
    bytes.insert(bytes.end(), now.begin() + static_cast<std::ptrdiff_t>(last),
                 now.begin() + static_cast<std::ptrdiff_t>(at) + 1);
    last = at + 1;
  }
  std::ranges::copy(now, before.begin());
}

bool changes_nothing(const Step& step) {
  return step.changes.empty() && step.bulks.empty() && step.products.empty() &&
         step.initialized.empty() && step.suspected.empty() && step.found.empty();
}

}  // namespace

void fold_poll(std::vector<Step>& steps) {
  if (steps.empty() || steps.back().is_engine || !changes_nothing(steps.back())) return;
  const Step& last = steps.back();
  for (auto earlier = std::next(steps.rbegin()); earlier != steps.rend(); ++earlier) {
    if (earlier->is_engine) return;
    if (earlier->warp == last.warp) {
      if (!earlier->mbarrier || earlier->line != last.line) return;
      earlier->polls += last.sleeps ? 1 : 0;
      earlier->sleeps = last.sleeps;
      earlier->lanes |= last.lanes;
      steps.pop_back();
      return;
    }
    if (!changes_nothing(*earlier)) return;
  }
}

void ClusterRecorder::cluster_starts(const Dimensions& first) {
  is_first_ = first == Dimensions{0, 0, 0};
  if (!is_first_) return;
  has_first_ = true;
  done_ = {};
  seen_.clear();
  last_sites_.clear();
  issued_.clear();
  multiplied_.clear();
  file_ = -1;
}

void ClusterRecorder::cluster_ends(events::End) {
  if (is_first_) end_last();
  is_first_ = false;
}

void ClusterRecorder::take_changes(Step& step) {
  for (unsigned rank = 0; rank < ctas_; ++rank) {
    add_changes(View::generic, rank, seen_[rank * views], views_->generic_view(rank), step.changes);
    add_changes(View::async, rank, seen_[rank * views + 1], views_->async_view(rank), step.changes);
  }
}

void ClusterRecorder::end_last() {
  if (done_.steps.empty()) return;
  take_changes(done_.steps.back());
  fold_poll(done_.steps);
}

void ClusterRecorder::begin(Step step) {
  if (seen_.empty()) {
    for (unsigned rank = 0; rank < ctas_; ++rank) {
      for (const auto view : {views_->generic_view(rank), views_->async_view(rank)}) {
        seen_.emplace_back(view.begin(), view.end());
      }
    }
  }
  end_last();
  if (done_.steps.size() == most_steps) {
    done_.is_cut = true;
    is_first_ = false;
    return;
  }
  done_.steps.push_back(std::move(step));
}

void ClusterRecorder::executes(const events::Instruction& instruction) {
  if (!is_first_) return;
  std::uint32_t site = instruction.site;
  Places::Line line = places_.line(site);
  if (file_ < 0) file_ = line.file;
  // What has no line in the kernel's file belongs to what the warp did before.
  const bool is_elsewhere = line.file < 0 || line.file != file_;
  const auto [last, is_new] =
      last_sites_.try_emplace({instruction.warp.rank, instruction.warp.index}, site);
  if (!is_elsewhere) last->second = site;
  if (is_elsewhere && !is_new) {
    site = last->second;
    line = places_.line(site);
  }
  if (!done_.steps.empty()) {
    Step& now = done_.steps.back();
    if (!now.is_engine && now.warp == instruction.warp && line == now.line) {
      now.lanes |= instruction.effective;
      now.sleeps = false;
      return;
    }
  }
  begin({.warp = instruction.warp, .site = site, .line = line, .lanes = instruction.effective});
}

void ClusterRecorder::puts_off(const events::Instruction&) {
  if (is_first_) done_.steps.back().sleeps = true;
}

void ClusterRecorder::sleeps(const events::Wait& wait) {
  if (!is_first_) return;
  Step& now = done_.steps.back();
  now.sleeps = true;
  if (wait.barrier.kind == BarrierId::Kind::mbarrier) now.mbarrier = wait.barrier.number;
}

// It is told behind what the engine did until then: the warp has waited for that.
void ClusterRecorder::awaits_bulk(const events::Groups& groups) {
  if (!is_first_ || !done_.steps.back().is_engine) return;
  const auto waiting = std::ranges::find_if(
      done_.steps.rbegin(), done_.steps.rend(),
      [&](const Step& step) { return !step.is_engine && step.warp == warp_of(groups.thread); });
  if (waiting == done_.steps.rend()) return;
  waiting->sleeps = true;
  waiting->bulk_groups = groups;
}

void ClusterRecorder::initializes(std::uint32_t mbarrier, std::int64_t, ThreadId, std::uint32_t) {
  if (is_first_) done_.steps.back().initialized.push_back(mbarrier);
}

void ClusterRecorder::issues(const events::Bulk& bulk) {
  if (is_first_) done_.steps.back().bulks.emplace_back(BulkMoment::Kind::issued, bulk);
}

void ClusterRecorder::releases_source(const events::Bulk& bulk) {
  engine_acts(BulkMoment::Kind::source_read, bulk);
}

void ClusterRecorder::finishes(const events::Bulk& bulk) {
  engine_acts(BulkMoment::Kind::finished, bulk);
}

// It is told when it has acted: what changed since the step before is the engine's work.
void ClusterRecorder::engine_acts(BulkMoment::Kind kind, const events::Bulk& bulk) {
  if (!is_first_) return;
  Step step{.is_engine = true, .site = bulk.site, .line = places_.line(bulk.site)};
  step.bulks.emplace_back(kind, bulk);
  take_changes(step);
  begin(std::move(step));
}

void ClusterRecorder::product_moves(const ProductMoment& moment) {
  if (is_first_) done_.steps.back().products.push_back(moment);
}

void ClusterRecorder::issues_product(const events::WarpgroupProduct& product) {
  issued_[{product.warp.rank, product.warp.index}] = product.number;
  if (!product.is_first_of_warps) return;
  ProductMoment moment{ProductMoment::Kind::issued, first_of_warpgroup(product.warp),
                       product.number};
  if (product.a != nullptr) moment.a = product.a->start;
  moment.b = product.b->start;
  product_moves(moment);
}

// It is told of each of the four parts, and written down with the last one.
void ClusterRecorder::multiplies(WarpId warp, std::uint32_t number) {
  multiplied_[{warp.rank, warp.index}] = number;
  const WarpId first = first_of_warpgroup(warp);
  for (unsigned i = 0; i < warps_of_warpgroup; ++i) {
    const auto index = static_cast<std::uint16_t>(first.index + i);
    if (multiplied_[{warp.rank, index}] < number) return;
  }
  product_moves({ProductMoment::Kind::multiplied, first, number});
}

// Of the first warp alone: the others commit the same ones.
void ClusterRecorder::commits_products(WarpId warp, std::uint32_t /*site*/) {
  if (place_in_warpgroup(warp) != 0) return;
  product_moves({ProductMoment::Kind::committed, warp, issued_[{warp.rank, warp.index}]});
}

void ClusterRecorder::awaits_products(const events::ProductsAwaited& wait) {
  if (place_in_warpgroup(wait.warp) != 0 || wait.done == 0) return;
  product_moves({ProductMoment::Kind::done, wait.warp, wait.done});
}

void ClusterRecorder::suspect(const Finding& finding) {
  if (done_.steps.empty()) return;
  done_.steps.back().suspected.emplace_back(finding.sentence, finding.site);
}

// It belongs to the step at which it was seen, however late it is reported.
void ClusterRecorder::note(const Finding& finding) {
  if (done_.steps.empty()) return;
  const std::pair seen{finding.sentence, finding.site};
  const auto step = std::ranges::find_if(done_.steps, [&](const Step& each) {
    return std::ranges::find(each.suspected, seen) != each.suspected.end();
  });
  Step& at = step != done_.steps.end() ? *step : done_.steps.back();
  at.found.push_back({std::string(finding.code().name), finding.site});
}

Observer& LaunchRecorder::observe_cluster() {
  const std::lock_guard lock(mutex_);
  return clusters_.emplace_back(request_, places_);
}

void LaunchRecorder::suspect(const Finding& finding) {
  of_first(finding, &ClusterRecorder::suspect);
}

void LaunchRecorder::report(const Finding& finding) {
  note(finding);
  next_.report(finding);
}

void LaunchRecorder::fault(const Finding& finding) {
  note(finding);
  next_.fault(finding);
}

void LaunchRecorder::note(const Finding& finding) {
  of_first(finding, &ClusterRecorder::note);
}

void LaunchRecorder::of_first(const Finding& finding,
                              void (ClusterRecorder::*takes)(const Finding&)) {
  const Dimensions& cluster = request_.cluster;
  const Dimensions& cta = finding.cta;
  if (cta.x >= cluster.x || cta.y >= cluster.y || cta.z >= cluster.z) return;
  const std::lock_guard lock(mutex_);
  for (ClusterRecorder& recorder : clusters_) {
    if (recorder.has_first()) (recorder.*takes)(finding);
  }
}

ClusterSteps LaunchRecorder::take() const {
  for (const ClusterRecorder& recorder : clusters_) {
    if (recorder.has_first()) return recorder.steps();
  }
  return {};
}

}  // namespace tmaemu::record
