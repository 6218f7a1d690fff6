// Memory through which threads tell each other that something is done: what was released at each
// address. PTX ISA, "Release and Acquire patterns": a release is a .release operation, or a fence
// and a strong write behind it; an acquire is an .acquire operation, or a strong read and a fence
// behind it. Read-modify-write operations carry on what was released before them.
#pragma once

#include <cstdint>
#include <mutex>
#include <unordered_map>

#include "emulator/check/order.h"
#include "emulator/model/memory_order.h"

namespace tmaemu::check {

// Something released, and how far.
struct Release {
  Known knowledge;
  Scope scope = Scope::cta;
  std::uint32_t cta = 0;
  std::uint32_t cluster = 0;

  // Whether a thread there, which acquires at `acquired`, synchronizes with it.
  bool reaches(std::uint32_t to_cta, std::uint32_t to_cluster, Scope acquired) const {
    if (cta == to_cta) return true;
    const Scope needed = cluster == to_cluster ? Scope::cluster : Scope::gpu;
    return scope >= needed && acquired >= needed;
  }
};

// Of one state space. Several host threads may use it.
class Flags {
 public:
  // A strong write. `release` holds no knowledge where the write releases nothing.
  void write(std::uint64_t address, const Release& release, bool reads_too) {
    const std::lock_guard lock(mutex_);
    const auto found = flags_.find(address);
    if (!reads_too || found == flags_.end()) {
      if (release.knowledge != nullptr) {
        flags_[address] = release;
      } else if (found != flags_.end() && !reads_too) {
        flags_.erase(found);
      }
    } else if (release.knowledge != nullptr) {
      Released both;
      both.join(found->second.knowledge);
      both.join(release.knowledge);
      const Scope scope = std::min(found->second.scope, release.scope);
      found->second = {both.all(), scope, release.cta, release.cluster};
    }
  }
  // What a strong read finds; no knowledge where nothing was released there.
  Release read(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    const auto found = flags_.find(address);
    return found == flags_.end() ? Release{} : found->second;
  }
  void clear() { flags_.clear(); }

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Release> flags_;
};

}  // namespace tmaemu::check
