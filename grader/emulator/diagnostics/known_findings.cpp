#include "emulator/diagnostics/known_findings.h"

#include <cstdlib>

namespace tmaemu {

bool KnownFindings::counts(const Key& key, std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  const auto known = known_.find(key);
  if (known == known_.end()) return false;
  known->second.count += count;
  return true;
}

void KnownFindings::add(const Key& key, std::uint64_t number, const Diagnostic& diagnostic,
                        std::uint64_t count) {
  const std::lock_guard lock(mutex_);
  known_.try_emplace(key, Known{number, diagnostic, count, count});
}

void KnownFindings::tell(FindingOutput& output) {
  const std::lock_guard lock(mutex_);
  for (auto& [key, known] : known_) {
    if (known.count == known.told) continue;
    output.count(known.number, known.diagnostic, known.count);
    known.told = known.count;
  }
}

KnownFindings& known_findings() {
  // Never destroyed: programs may launch kernels from the destructors of their own globals.
  static auto* known = [] {
    std::atexit([] { known_findings().tell(finding_output()); });
    return new KnownFindings;
  }();
  return *known;
}

}  // namespace tmaemu
