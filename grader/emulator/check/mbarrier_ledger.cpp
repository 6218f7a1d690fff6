#include "emulator/check/mbarrier_ledger.h"

#include <set>

namespace tmaemu::check {

std::int64_t PhaseLedger::brought_by_operations() const {
  std::int64_t sum = 0;
  for (const Brought& each : operations) sum += each.bytes;
  return sum;
}

const PhaseLedger::Brought* PhaseLedger::first_unannounced(const PhaseLedger& previous) const {
  if (!is_starved()) return nullptr;
  std::set<LoadedBytes> known;
  for (const Brought& each : previous.operations) known.insert(each.what);
  std::int64_t sum = 0;
  for (const Brought& each : operations) {
    if (each.what.source != 0 && !known.insert(each.what).second) continue;
    sum += each.bytes;
    if (sum > announced + announced_in_vain) return &each;
  }
  return nullptr;
}

}  // namespace tmaemu::check
