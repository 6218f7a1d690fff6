#include <algorithm>
#include <bit>
#include <utility>

#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

// Operations a warp may execute before the next one has its turn.
constexpr std::uint64_t warp_turn = 4096;

LaneMask lanes_of(unsigned warp, unsigned threads) {
  const unsigned first = warp * warp_size;
  const unsigned count = std::min(threads - first, warp_size);
  return count == warp_size ? all_lanes : (LaneMask{1} << count) - 1;
}

}  // namespace

Cta::Cta(Cluster& cluster_of, unsigned rank_in_cluster)
    : cluster(cluster_of),
      rank(rank_in_cluster),
      shared(cluster.launch.shared_bytes, cluster.launch.program->uses_async_proxy),
      thread_count(static_cast<unsigned>(cluster.launch.request->block.count())),
      turns(cluster.launch.schedule) {
  const unsigned warp_count = (thread_count + warp_size - 1) / warp_size;
  for (unsigned i = 0; i < warp_count; ++i) {
    warps.push_back(std::make_unique<Warp>(*this, i, lanes_of(i, thread_count)));
  }
  for (std::size_t first = 0; first < warps.size(); first += warps_of_warpgroup) {
    std::vector<Warp*> members;
    for (std::size_t i = first; i < std::min(first + warps_of_warpgroup, warps.size()); ++i) {
      members.push_back(warps[i].get());
    }
    warpgroups.emplace_back(std::move(members));
  }
}

void Cta::start(const Dimensions& cta_id) {
  id = cta_id;
  shared.reset();
  for (std::uint32_t used = std::exchange(used_barriers_, 0); used != 0; used &= used - 1) {
    barriers[std::countr_zero(used)] = {};
  }
  if (cluster.launch.program->uses_group_scratch) {
    std::fill_n(shared.generic() + h200::cooperative_groups_offset, h200::cooperative_groups_bytes,
                std::byte{0});
  }
  live_threads = thread_count;
  registers.start(cluster.launch.registers, warps.size());
  turns.start(number(), warps.size());
  for (const auto& warp : warps) warp->start();
  const TimingPolicy policy = cluster.launch.program->waits_for_each_product()
                                  ? TimingPolicy{TimingPolicy::Kind::early}
                                  : cluster.launch.policy;
  for (std::size_t i = 0; i < warpgroups.size(); ++i) {
    warpgroups[i].start(policy, number() * warpgroups.size() + i);
  }
}

std::uint64_t Cta::number() const {
  const Dimensions& grid = cluster.launch.request->grid;
  return id.x + std::uint64_t{grid.x} * (id.y + std::uint64_t{grid.y} * id.z);
}

bool Cta::finished() const {
  return live_threads == 0;
}

bool Cta::run() {
  bool ran = false;
  only_idled = true;
  for (const std::size_t index : turns.next()) {
    const auto& warp = warps[index];
    if (warp->finished() || !warp->run(turns.turn(warp_turn))) continue;
    ran = true;
    only_idled = only_idled && warp->idled();
  }
  return ran;
}

void Cta::arrive(unsigned barrier_index, unsigned expected, const Warp& warp, LaneMask lanes,
                 LaneMask holding) {
  CtaBarrier& barrier = barriers[barrier_index];
  used_barriers_ |= std::uint32_t{1} << barrier_index;
  barrier.expected = expected;
  // A warp some of whose lanes have ended counts as a whole. PTX ISA, "bar": the count is
  // incremented by the warp size.
  const bool is_whole = expected != 0 && lanes == warp.live();
  barrier.arrived += is_whole ? warp_size : static_cast<unsigned>(std::popcount(lanes));
  barrier.holding += static_cast<unsigned>(std::popcount(holding));
  if (shared.two_views() && expected != 0) {
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      barrier.participants.push_back(warp.thread(static_cast<unsigned>(std::countr_zero(rest))));
    }
  }
  complete_if_due(barrier);
}

void Cta::complete_if_due(CtaBarrier& barrier) {
  const unsigned expected = barrier.expected != 0 ? barrier.expected : live_threads;
  if (barrier.arrived == 0 || barrier.arrived < expected) return;
  if (shared.two_views()) {
    if (barrier.expected == 0) {
      cluster.causality().synchronize_cta(static_cast<std::uint16_t>(rank));
    } else {
      cluster.causality().synchronize(barrier.participants);
    }
  }
  barrier.last_arrived = std::exchange(barrier.arrived, 0);
  barrier.last_holding = std::exchange(barrier.holding, 0);
  barrier.participants.clear();
  ++barrier.generation;
  if (Observer* const observer = cluster.observer(); observer != nullptr) {
    const auto number = static_cast<std::uint32_t>(&barrier - barriers.data());
    observer->completes_barrier({BarrierId::Kind::cta, number}, static_cast<std::uint16_t>(rank));
  }
}

void Cta::on_exit(unsigned threads) {
  live_threads -= threads;
  for (std::uint32_t used = used_barriers_; used != 0; used &= used - 1) {
    CtaBarrier& barrier = barriers[std::countr_zero(used)];
    if (barrier.arrived != 0 && barrier.expected == 0) complete_if_due(barrier);
  }
  cluster.on_exit();
}

}  // namespace tmaemu
