// Operations whose tile lies outside of its tensor altogether. One of a loop that runs past the end
// is common, and right: what is told of is an instruction of which each operation of the launch
// misses its tensor.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

#include "emulator/model/finding_sink.h"

namespace tmaemu::check {

class TensorMisses {
 public:
  // An operation at that instruction meets its tensor; several host threads may say so at once.
  void hit(std::uint32_t site) {
    const std::lock_guard lock(mutex_);
    missed_[site] = std::nullopt;
  }
  void miss(Finding finding) {
    const std::lock_guard lock(mutex_);
    missed_.try_emplace(finding.site, std::move(finding));
  }
  // When the launch has ended.
  void report(FindingSink& sink) const {
    for (const auto& [site, finding] : missed_) {
      if (finding) sink.report(*finding);
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::uint32_t, std::optional<Finding>> missed_;  // by site; nothing: one met its tensor
};

}  // namespace tmaemu::check
