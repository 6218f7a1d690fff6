// The tensor maps that a kernel changes in global memory, and which CTAs may use them as they are
// now. PTX ISA, "Proxies", "membar/fence": the engine reads maps through the tensormap proxy, which
// keeps copies; fence.proxy.tensormap::generic.acquire lets what follows it use the map anew.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace tmaemu {

// Of one launch. A later kernel sees what an earlier one changed without any fence. Not for several
// host threads at once: programs that change maps are ordered (Program::is_ordered).
class TensorMapChanges {
 public:
  // The instruction `site` changed the map at this address.
  void change(std::uint64_t address, std::uint32_t site) {
    Change& change = changes_[address];
    ++change.count;
    change.site = site;
  }
  // A thread of the CTA, by its number in the grid, executed the acquire fence.
  void acquire(std::uint64_t address, std::uint64_t cta) {
    const auto change = changes_.find(address);
    acquired_[{address, cta}] = change == changes_.end() ? 0 : change->second.count;
  }
  // Who changed it last, where the CTA has not acquired that.
  std::optional<std::uint32_t> missed_by(std::uint64_t cta, std::uint64_t address) const {
    if (changes_.empty()) return std::nullopt;  // nearly all kernels
    const auto change = changes_.find(address);
    if (change == changes_.end()) return std::nullopt;
    const auto acquired = acquired_.find({address, cta});
    if (acquired != acquired_.end() && acquired->second == change->second.count) {
      return std::nullopt;
    }
    return change->second.site;
  }

 private:
  struct Change {
    std::uint64_t count = 0;
    std::uint32_t site = 0;
  };
  std::unordered_map<std::uint64_t, Change> changes_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, std::uint64_t> acquired_;
};

}  // namespace tmaemu
