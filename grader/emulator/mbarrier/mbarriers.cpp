#include "emulator/mbarrier/mbarriers.h"

#include <bit>

namespace tmaemu {

void Mbarriers::reset() {
  clocks_.clear();
  recent_clocks_ = nullptr;
  initializations_.clear();
}

void Mbarriers::initialize(std::uint32_t address, std::int64_t count, ThreadId by) {
  store(address, Mbarrier::initialize(count));
  forget_clocks(address);
  if (is_tracked_ && shared_.size() > 1) initializations_[address] = {by, causality_.now()};
  if (observer_ != nullptr) observer_->initializes(address, count, by);
}

void Mbarriers::invalidate(std::uint32_t address) {
  store(address, Mbarrier{});
  forget_clocks(address);
  initializations_.erase(address);
}

bool Mbarriers::sees_initialization(std::uint32_t address, ThreadId thread) const {
  if (!is_tracked_) return true;  // nobody keeps track
  const auto found = initializations_.find(address);
  return found != initializations_.end() &&
         causality_.knows(thread, found->second.by, found->second.epoch);
}

std::optional<MbarrierMisuse> Mbarriers::arrive(std::uint32_t address, std::int64_t count,
                                                std::int64_t tx_bytes, const ThreadId* by) {
  using Kind = MbarrierMisuse::Kind;
  Mbarrier barrier = load(address);
  if (!barrier.initialized) return MbarrierMisuse{Kind::uninitialized, barrier, count};
  if (count > barrier.pending) return MbarrierMisuse{Kind::too_many_arrivals, barrier, count};
  barrier.pending -= count;
  barrier.tx_count += tx_bytes;
  if (barrier.tx_count > Mbarrier::max_tx_count || barrier.tx_count < -Mbarrier::max_tx_count) {
    return MbarrierMisuse{Kind::tx_count_out_of_range, barrier, count};
  }
  if (is_tracked_ && by != nullptr && count > 0) {
    causality_.release(*by, clocks_of(address).arriving);
  }
  const bool is_over = barrier.complete_phase();
  if (is_over && is_tracked_) {
    PhaseClocks& clocks = clocks_of(address);
    clocks.completed.join(clocks.arriving);
    clocks.arriving.clear();
  }
  store(address, barrier);
  if (observer_ != nullptr) observer_->arrives({address, count, tx_bytes, by, is_over});
  return std::nullopt;
}

void Mbarriers::observe(std::uint32_t address, ThreadId first, LaneMask lanes) {
  const PhaseClocks* const clocks = find_clocks(address);
  if (clocks == nullptr && observer_ == nullptr) return;
  for (; lanes != 0; lanes &= lanes - 1) {
    const ThreadId by{first.rank,
                      static_cast<std::uint16_t>(first.index + std::countr_zero(lanes))};
    if (clocks != nullptr) causality_.acquire(by, clocks->completed);
    if (observer_ != nullptr) observer_->sees_phase(address, by);
  }
}

}  // namespace tmaemu
