#include "emulator/check/mbarrier_ledger.h"

#include <algorithm>
#include <map>
#include <set>

namespace tmaemu::check {

std::int64_t PhaseLedger::brought_by_operations() const {
  std::int64_t sum = 0;
  for (const Brought& each : operations) sum += each.bytes;
  return sum;
}

bool PhaseLedger::has_arrival_of(ThreadId thread) const {
  return std::ranges::find(arrivers, thread, &Arriver::thread) != arrivers.end();
}

bool PhaseLedger::has_thread_of_two_laps() const {
  std::map<ThreadId, std::optional<PhaseOf>> laps;
  return std::ranges::any_of(arrivers, [&](const Arriver& each) {
    const auto [first, is_new] = laps.emplace(each.thread, each.lap);
    return !is_new && first->second != each.lap;
  });
}

bool PhaseLedger::is_of_one_lap(const Arriver& next) const {
  // In a cluster each waits for the mbarrier of its own CTA.
  const auto is_same_lap = [](const std::optional<PhaseOf>& one,
                              const std::optional<PhaseOf>& other) {
    if (!one || !other) return !one && !other;
    return one->phase == other->phase &&
           shared_offset(one->mbarrier) == shared_offset(other->mbarrier);
  };
  std::set<ThreadId> threads{next.thread};
  return std::ranges::all_of(arrivers, [&](const Arriver& each) {
    return is_same_lap(each.lap, next.lap) && threads.insert(each.thread).second;
  });
}

const PhaseLedger::Brought* PhaseLedger::first_unannounced(
    const std::function<bool(const Brought&)>& is_left_out) const {
  std::int64_t sum = 0;
  for (const Brought& each : operations) {
    if (is_left_out(each)) continue;
    sum += each.bytes;
    if (sum > announced + announced_in_vain) return &each;
  }
  return nullptr;
}

}  // namespace tmaemu::check
