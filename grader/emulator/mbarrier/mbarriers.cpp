#include "emulator/mbarrier/mbarriers.h"

#include <bit>

namespace tmaemu {

void Mbarriers::reset() {
  clocks_.clear();
  recent_clocks_ = nullptr;
}

void Mbarriers::initialize(std::uint32_t address, std::int64_t count, ThreadId by,
                           std::uint32_t site) {
  store(address, Mbarrier::initialize(count));
  forget_clocks(address);
  if (observer_ != nullptr) observer_->initializes(address, count, by, site);
}

void Mbarriers::invalidate(std::uint32_t address, ThreadId by, std::uint32_t site) {
  store(address, Mbarrier{});
  forget_clocks(address);
  if (observer_ != nullptr) observer_->invalidates(address, by, site);
}

std::optional<MbarrierMisuse> Mbarriers::arrive(std::uint32_t address, std::int64_t count,
                                                std::int64_t tx_bytes, const Arriver& by) {
  using Kind = MbarrierMisuse::Kind;
  Mbarrier barrier = load(address);
  if (!barrier.initialized) return MbarrierMisuse{Kind::uninitialized, barrier, count};
  if (count > barrier.pending) return MbarrierMisuse{Kind::too_many_arrivals, barrier, count};
  barrier.pending -= count;
  barrier.tx_count += tx_bytes;
  if (barrier.tx_count > Mbarrier::max_tx_count || barrier.tx_count < -Mbarrier::max_tx_count) {
    return MbarrierMisuse{Kind::tx_count_out_of_range, barrier, count};
  }
  if (is_tracked_ && by.thread != nullptr && count > 0) {
    causality_.release(*by.thread, clocks_of(address).arriving);
  }
  const bool is_over = barrier.complete_phase();
  if (is_over && is_tracked_) {
    PhaseClocks& clocks = clocks_of(address);
    clocks.completed.join(clocks.arriving);
    clocks.arriving.clear();
  }
  store(address, barrier);
  if (observer_ != nullptr) {
    observer_->arrives(
        {address, count, tx_bytes, by.thread, by.site, by.order, is_over, by.follows_copies});
  }
  return std::nullopt;
}

void Mbarriers::observe(events::PhaseSeen seen, LaneMask lanes) {
  const PhaseClocks* const clocks = find_clocks(seen.mbarrier);
  const ThreadId first = seen.thread;
  if (clocks == nullptr && observer_ == nullptr) return;
  for (; lanes != 0; lanes &= lanes - 1) {
    seen.thread.index = static_cast<std::uint16_t>(first.index + std::countr_zero(lanes));
    if (clocks != nullptr) causality_.acquire(seen.thread, clocks->completed);
    if (observer_ != nullptr) observer_->sees_phase(seen);
  }
}

}  // namespace tmaemu
