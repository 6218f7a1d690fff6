#include "emulator/check/mbarrier_ledger.h"

namespace tmaemu::check {

std::int64_t PhaseLedger::brought_by_operations() const {
  std::int64_t sum = 0;
  for (const Brought& each : operations) sum += each.bytes;
  return sum;
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
