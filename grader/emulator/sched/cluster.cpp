#include <algorithm>

#include "emulator/memory/address_space.h"
#include "emulator/sched/cta.h"

namespace tmaemu {
namespace {

// Rounds in which warps did nothing but ask mbarriers in vain, before the engine moves: a program
// that polls must get its data, too, if later than one that waits.
constexpr unsigned patience = 4;
// Rounds before the engine delivers what nobody has asked for: some programs wait by the clock.
constexpr unsigned longest_delay = 256;

}  // namespace

Cluster::Cluster(const Launch& launch_of, stats::Counters* counters_of)
    : launch(launch_of),
      counters(counters_of),
      causality(static_cast<unsigned>(launch.request->cluster.count()),
                static_cast<unsigned>(launch.request->block.count())),
      engine(*this, launch.policy, counters),
      copies(*this, launch.policy) {
  for (unsigned rank = 0; rank < launch.request->cluster.count(); ++rank) {
    ctas.push_back(std::make_unique<Cta>(*this, rank));
  }
}

void Cluster::start(const Dimensions& first) {
  const Dimensions& shape = launch.request->cluster;
  const Dimensions& grid = launch.request->grid;
  const std::uint64_t index =
      first.x + std::uint64_t{grid.x} * (first.y + std::uint64_t{grid.y} * first.z);
  engine.reset(index);
  copies.reset(index);
  mbarrier_knowledge_.clear();
  initializations_.clear();
  flag_knowledge_.clear();
  cluster_arrived_ = 0;
  polling_rounds_ = 0;
  if (launch.program->uses_async_proxy) causality.reset();
  for (const auto& cta : ctas) {
    const unsigned rank = cta->rank;
    cta->start({first.x + rank % shape.x, first.y + rank / shape.x % shape.y,
                first.z + rank / shape.x / shape.y});
  }
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
    bool only_polled = true;
    for (const auto& cta : ctas) {
      if (cta->finished() || !cta->run()) continue;
      ran = true;
      only_polled = only_polled && cta->only_polled;
      if (cta->finished()) engine.on_cta_exit(static_cast<std::uint16_t>(cta->rank));
    }
    if (finished()) return Progress::finished;
    engine.tick();
    if (!ran) {
      if (!deliver_for_waiters()) return Progress::blocked;
      continue;
    }
    polling_rounds_ = only_polled ? polling_rounds_ + 1 : 0;
    const bool engine_moves =
        polling_rounds_ >= patience || round % longest_delay == longest_delay - 1;
    const bool delivered = engine_moves && (engine.deliver_oldest() || copies.deliver_oldest());
    if (polling_rounds_ >= patience && !delivered) return Progress::polling;
  }
  return Progress::ran;
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
        const auto is_released = [&] { return load_mbarrier(address).phase_is_over(parity); };
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

void Cluster::store_mbarrier(std::uint32_t address, const Mbarrier& barrier) {
  const std::uint64_t bits = barrier.pack();
  std::memcpy(ctas[shared_rank(address)]->shared.generic() + shared_offset(address), &bits,
              sizeof bits);
}

void Cluster::init_mbarrier(std::uint32_t address, std::int64_t count, ThreadId by) {
  store_mbarrier(address, Mbarrier::initialise(count));
  mbarrier_knowledge_.erase(address);
  if (ctas.size() > 1 && launch.program->uses_async_proxy) {
    initializations_[address] = {by, causality.now()};
  }
}

bool Cluster::sees_initialization(std::uint32_t address, ThreadId thread) const {
  if (!launch.program->uses_async_proxy) return true;  // nobody keeps track
  const auto found = initializations_.find(address);
  return found != initializations_.end() &&
         causality.knows(thread, found->second.by, found->second.stamp);
}

std::optional<MbarrierMisuse> Cluster::arrive_mbarrier(std::uint32_t address, std::int64_t count,
                                                       std::int64_t tx_bytes, const ThreadId* by) {
  using Kind = MbarrierMisuse::Kind;
  Mbarrier barrier = load_mbarrier(address);
  if (!barrier.initialized) return MbarrierMisuse{Kind::uninitialized, barrier, count};
  if (count > barrier.pending) return MbarrierMisuse{Kind::too_many_arrivals, barrier, count};
  barrier.pending -= count;
  barrier.tx_count += tx_bytes;
  if (barrier.tx_count > Mbarrier::max_tx_count || barrier.tx_count < -Mbarrier::max_tx_count) {
    return MbarrierMisuse{Kind::tx_count_out_of_range, barrier, count};
  }
  const bool tracked = launch.program->uses_async_proxy;
  if (tracked && by != nullptr && count > 0) {
    causality.release(*by, mbarrier_knowledge_[address].arriving);
  }
  if (barrier.complete_phase() && tracked) {
    PhaseKnowledge& knowledge = mbarrier_knowledge_[address];
    knowledge.completed.join(knowledge.arriving);
    knowledge.arriving.clear();
  }
  store_mbarrier(address, barrier);
  return std::nullopt;
}

void Cluster::observe_mbarrier(std::uint32_t address, ThreadId by) {
  const auto found = mbarrier_knowledge_.find(address);
  if (found != mbarrier_knowledge_.end()) causality.acquire(by, found->second.completed);
}

void Cluster::publish_flag(Cta& owner, std::uint32_t offset, ThreadId by) {
  if (!launch.program->uses_async_proxy) return;
  causality.release(by, flag_knowledge_[owner.rank << cta_rank_shift | offset]);
}

void Cluster::observe_flag(Cta& owner, std::uint32_t offset, ThreadId by) {
  const auto found = flag_knowledge_.find(owner.rank << cta_rank_shift | offset);
  if (found != flag_knowledge_.end()) causality.acquire(by, found->second);
}

void Cluster::arrive_cluster_barrier(unsigned threads) {
  cluster_arrived_ += threads;
  on_exit();
}

// barrier.cluster waits for all threads of the cluster that have not ended.
void Cluster::on_exit() {
  unsigned live = 0;
  for (const auto& cta : ctas) live += cta->live_threads;
  if (cluster_arrived_ == 0 || cluster_arrived_ < live) return;
  cluster_arrived_ = 0;
  ++cluster_generation;
  if (launch.program->uses_async_proxy) causality.synchronise_cluster();
}

}  // namespace tmaemu
