// Operations whose tile lies outside of its tensor altogether. One of a loop that runs past the end
// is common, and right, and so is a neighbor's of a matrix that is one tile wide: what is told of
// is a tensor that each load of the launch misses, or each store.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "emulator/model/finding_sink.h"

namespace tmaemu::check {

class TensorMisses {
 public:
  struct Use {
    std::uint64_t tensor = 0;  // its address
    bool is_store = false;
    auto operator<=>(const Use&) const = default;
  };
  // An operation meets its tensor; several host threads may say so at once.
  void hit(const Use& use) {
    const std::lock_guard lock(mutex_);
    met_.insert(use);
  }
  void miss(const Use& use, Finding finding) {
    const std::lock_guard lock(mutex_);
    missed_.try_emplace({use, finding.site}, std::move(finding));
  }
  // When the launch has ended.
  void report(FindingSink& sink) const {
    for (const auto& [what, finding] : missed_) {
      if (!met_.contains(what.first)) sink.report(finding);
    }
  }

 private:
  std::mutex mutex_;
  std::set<Use> met_;
  std::map<std::pair<Use, std::uint32_t>, Finding> missed_;  // by site, too
};

}  // namespace tmaemu::check
