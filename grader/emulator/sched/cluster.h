// A cluster: CTAs that see each other's shared memory, and the unit that the grid's scheduler
// places. A kernel launched without clusters has clusters of one CTA.
#pragma once

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "emulator/mbarrier/mbarriers.h"
#include "emulator/memory/address_space.h"
#include "emulator/model/events.h"
#include "emulator/model/h200.h"
#include "emulator/order/causality.h"
#include "emulator/sched/async_copies.h"
#include "emulator/sched/cta.h"
#include "emulator/sched/launch.h"
#include "emulator/tma/cluster_port.h"
#include "emulator/tma/engine.h"
#include "emulator/tma/map_cache.h"

namespace tmaemu {

struct Cluster final : ClusterPort, SharedViews {
  explicit Cluster(const Launch& launch);
  // Begins with the CTAs of the cluster at `first` (a ctaid, the lowest of the cluster).
  void start(const Dimensions& first);

  // `blocked`: nothing can run until something outside the cluster changes. `polling`: all that
  // runs asks for what does not come.
  enum class Progress : std::uint8_t { ran, polling, blocked, finished };
  // Gives every warp at most `rounds` turns.
  Progress run(unsigned rounds);
  bool finished() const;
  // It has ended, or will go no further.
  void end_observation(events::End end) {
    if (observer_ != nullptr) observer_->cluster_ends(end);
  }
  // Executed by all its threads, since it was made.
  std::uint64_t thread_instructions() const;
  // Whether a try_wait that would sleep answers that the phase is not over, as PTX lets it do at
  // any time. The first one at each place does, so that what follows on that answer is executed,
  // too; under a random schedule some later ones do.
  bool gives_up(std::uint32_t site);
  // Something happened that ends a wait, or may: a thread saw that a phase is over or that a flag
  // has another value, or it ended. Where nothing of the kind happens, threads wait in vain,
  // whatever they execute.
  void note_progress() { ++progress_; }
  std::uint64_t progress() const { return progress_; }
  // A thread has asked whether others have done something, and goes on: it may ask again.
  void note_poll() { ++polls_; }
  std::uint64_t polls() const { return polls_; }
  // As if the time limit of every try_wait that sleeps had passed. False where none sleeps.
  bool time_out_waits();
  // As if so many clocks had passed, for each of its warps.
  void let_time_pass(std::uint64_t clocks);

  // --- Flags: shared memory through which threads synchronize (atomics, volatile, release and
  // acquire). Lenient: a fence that is missing beside such an access is not noticed.
  void publish_flag(Cta& cta, std::uint32_t offset, ThreadId by);
  void observe_flag(Cta& cta, std::uint32_t offset, ThreadId by);

  // --- For the TMA engine ---
  // It asks for these two when it is made, which is before the CTAs are.
  unsigned cta_count() const override {
    return static_cast<unsigned>(launch.request->cluster.count());
  }
  unsigned threads_per_cta() const override {
    return static_cast<unsigned>(launch.request->block.count());
  }
  Dimensions cta_id(std::uint32_t of_rank) const override { return ctas[of_rank]->id; }
  bool has_ended(std::uint32_t of_rank) const override { return ctas[of_rank]->finished(); }
  SharedMemory& shared_memory(std::uint32_t of_rank) override { return ctas[of_rank]->shared; }
  const GlobalMemory& global_memory() const override { return *launch.memory; }
  Causality& causality() override { return causality_; }
  const Causality& causality() const { return causality_; }
  Mbarriers& mbarriers() override { return mbarriers_; }
  const Mbarriers& mbarriers() const { return mbarriers_; }
  FindingSink& findings() const override { return *launch.findings; }
  Observer* observer() const override { return observer_; }

  // --- For observers ---
  void replace(std::uint32_t shared, std::span<const std::byte> bytes) override {
    cta(shared).shared.replace(shared_offset(shared), bytes);
  }
  std::span<const std::byte> generic_view(unsigned rank) const override {
    return {ctas[rank]->shared.generic(), ctas[rank]->shared.size()};
  }
  std::span<const std::byte> async_view(unsigned rank) const override {
    return {ctas[rank]->shared.async(), ctas[rank]->shared.size()};
  }

  Cta& cta(std::uint32_t shared_address) { return *ctas[shared_rank(shared_address)]; }
  // Whether these bytes are shared memory of this cluster.
  bool has(std::uint32_t shared_address, std::size_t bytes) const {
    const std::uint32_t rank = shared_rank(shared_address);
    const std::uint32_t offset = shared_offset(shared_address);
    if (rank >= ctas.size() || !ctas[rank]->shared.contains(offset, bytes)) return false;
    return offset >= h200::reserved_shared_bytes_per_cta || is_group_scratch(offset, bytes);
  }

  // The same with what a GPU gives a CTA beside that, where accesses go on: the reserved bytes in
  // front of it, and those that fill the last unit.
  bool maps(std::uint32_t shared_address, std::size_t bytes) const {
    const std::uint32_t rank = shared_rank(shared_address);
    return rank < ctas.size() && ctas[rank]->shared.maps(shared_offset(shared_address), bytes);
  }

  // barrier.cluster: completes when all living threads of the cluster have arrived.
  void arrive_cluster_barrier(unsigned threads);
  std::uint64_t cluster_generation = 0;

  const Launch& launch;

 private:
  Observer* const observer_;
  Causality causality_;
  std::vector<SharedMemory*> shared_;  // of its CTAs, by rank
  Mbarriers mbarriers_;

 public:
  std::vector<std::unique_ptr<Cta>> ctas;
  AsyncEngine engine;
  AsyncCopies copies;
  TensorMapCache tensor_maps;

 private:
  friend struct Cta;
  // Of the reserved bytes, those that cooperative groups use.
  bool is_group_scratch(std::uint32_t offset, std::size_t bytes) const {
    constexpr std::size_t end = h200::cooperative_groups_offset + h200::cooperative_groups_bytes;
    return launch.program->uses_group_scratch && offset >= h200::cooperative_groups_offset &&
           offset + bytes <= end;
  }
  bool deliver_for_waiters();
  bool move_engine(bool only_idled);
  void on_exit();

  std::unordered_map<std::uint32_t, ReleasedClock> flags_;
  TurnOrder turns_;
  std::vector<std::uint32_t> gave_up_at_;  // the places of try_waits
  unsigned cluster_arrived_ = 0;
  std::uint64_t progress_ = 0;  // how often that was noted,
  std::uint64_t polls_ = 0;     // and that
  unsigned rounds_ = 0;         // since the engine was last made to move
  unsigned idle_rounds_ = 0;    // the last of these, in which warps did nothing but poll or spin
};

}  // namespace tmaemu
