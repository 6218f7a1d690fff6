#include "emulator/sched/cluster.h"

#include <algorithm>

#include "emulator/model/cta_numbers.h"

namespace tmaemu {
namespace {

// Rounds in which warps did nothing but ask mbarriers or read flags in vain, before the engine
// moves: a program that polls must get its data, too, if later than one that waits.
constexpr unsigned patience = 4;
// Rounds before the engine delivers what nobody has asked for: some programs wait by the clock.
constexpr unsigned longest_delay = 256;

}  // namespace

Cluster::Cluster(const Launch& launch_of)
    : launch(launch_of),
      observer_(launch.observer == nullptr ? nullptr : &launch.observer->observe_cluster()),
      causality_(static_cast<unsigned>(launch.request->cluster.count()),
                 static_cast<unsigned>(launch.request->block.count())),
      mbarriers_(shared_, causality_, launch.program->uses_async_proxy, observer_),
      engine(*this, launch.policy),
      copies(*this, launch.policy),
      turns_(launch.schedule) {
  for (unsigned rank = 0; rank < launch.request->cluster.count(); ++rank) {
    ctas.push_back(std::make_unique<Cta>(*this, rank));
    shared_.push_back(&ctas.back()->shared);
  }
  if (observer_ != nullptr) observer_->may_look_at(*this);
}

void Cluster::start(const Dimensions& first) {
  const Dimensions& shape = launch.request->cluster;
  const Dimensions& grid = launch.request->grid;
  const std::uint64_t index =
      first.x + std::uint64_t{grid.x} * (first.y + std::uint64_t{grid.y} * first.z);
  engine.reset(index);
  copies.reset(index);
  turns_.start(index, ctas.size());
  mbarriers_.reset();
  flags_.clear();
  gave_up_at_.clear();
  cluster_arrived_ = 0;
  rounds_ = idle_rounds_ = 0;
  if (launch.program->uses_async_proxy) causality_.reset();
  if (observer_ != nullptr) observer_->cluster_starts(first);
  for (const auto& cta : ctas) {
    cta->start(cta_of_rank(first, shape, cta->rank));
  }
}

bool Cluster::gives_up(std::uint32_t site) {
  if (std::ranges::find(gave_up_at_, site) == gave_up_at_.end()) {
    gave_up_at_.push_back(site);
    return true;
  }
  return turns_.gives_up();
}

bool Cluster::finished() const {
  return std::ranges::all_of(ctas, [](const auto& cta) { return cta->finished(); });
}

std::uint64_t Cluster::thread_instructions() const {
  std::uint64_t sum = 0;
  for (const auto& cta : ctas) {
    for (const auto& warp : cta->warps) sum += warp->thread_instructions();
  }
  return sum;
}

Cluster::Progress Cluster::run(unsigned rounds) {
  for (unsigned round = 0; round < rounds; ++round) {
    bool ran = false;
    bool only_idled = true;
    for (const std::size_t next : turns_.next()) {
      const auto& cta = ctas[next];
      if (cta->finished() || !cta->run()) continue;
      ran = true;
      only_idled = only_idled && cta->only_idled;
      if (cta->finished()) {
        engine.on_cta_exit(static_cast<std::uint16_t>(cta->rank));
        if (observer_ != nullptr) observer_->cta_ends(static_cast<std::uint16_t>(cta->rank));
      }
    }
    if (finished()) {
      end_observation(events::End::finished);
      return Progress::finished;
    }
    engine.tick();
    if (!ran) {
      if (!deliver_for_waiters()) return Progress::blocked;
      continue;
    }
    if (!move_engine(only_idled) && only_idled && idle_rounds_ >= patience) {
      return Progress::polling;
    }
  }
  return Progress::ran;
}

// After a round in which something ran. True where the engine delivered anything.
bool Cluster::move_engine(bool only_idled) {
  idle_rounds_ = only_idled ? idle_rounds_ + 1 : 0;
  if (idle_rounds_ < patience && ++rounds_ < longest_delay) return false;
  rounds_ = 0;
  return engine.deliver_oldest() || copies.deliver_oldest();
}

// The moment of the `late` engine: nobody can run, so what somebody waits for is delivered now.
bool Cluster::deliver_for_waiters() {
  bool delivered = false;
  for (const auto& cta : ctas) {
    for (const auto& warp : cta->warps) {
      for (const LaneGroup& group : warp->groups()) {
        if (group.wait.kind != Wait::Kind::mbarrier) continue;
        const std::uint32_t address = group.wait.address;
        const bool parity = group.wait.value != 0;
        const auto is_released = [&] { return mbarriers_.load(address).phase_is_over(parity); };
        delivered |= engine.deliver_for(address, is_released);
        while (!is_released() && copies.deliver_for(address)) delivered = true;
      }
    }
  }
  return delivered || engine.deliver_oldest() || copies.deliver_oldest();
}

bool Cluster::time_out_waits() {
  bool any = false;
  for (const auto& cta : ctas) {
    for (const auto& warp : cta->warps) any |= warp->time_out_waits();
  }
  return any;
}

void Cluster::let_time_pass(std::uint64_t clocks) {
  for (const auto& cta : ctas) {
    for (const auto& warp : cta->warps) warp->let_time_pass(clocks);
  }
}

void Cluster::publish_flag(Cta& owner, std::uint32_t offset, ThreadId by) {
  if (!launch.program->uses_async_proxy) return;
  causality_.release(by, flags_[owner.rank << cta_rank_shift | offset]);
}

void Cluster::observe_flag(Cta& owner, std::uint32_t offset, ThreadId by) {
  const auto found = flags_.find(owner.rank << cta_rank_shift | offset);
  if (found != flags_.end()) causality_.acquire(by, found->second);
}

void Cluster::arrive_cluster_barrier(unsigned threads) {
  cluster_arrived_ += threads;
  on_exit();
}

// barrier.cluster waits for all threads of the cluster that have not ended.
void Cluster::on_exit() {
  if (cluster_arrived_ == 0) return;
  unsigned live = 0;
  for (const auto& cta : ctas) live += cta->live_threads;
  if (cluster_arrived_ < live) return;
  cluster_arrived_ = 0;
  ++cluster_generation;
  if (launch.program->uses_async_proxy) causality_.synchronize_cluster();
  if (observer_ != nullptr) observer_->completes_barrier({BarrierId::Kind::cluster, 0}, 0);
}

}  // namespace tmaemu
