// Memory through which threads tell each other that something is done: what was released at each
// address. PTX ISA, "Release and Acquire patterns": a release is a .release operation, or a fence
// and a strong write behind it; an acquire is an .acquire operation, or a strong read and a fence
// behind it. Read-modify-write operations carry on what was released before them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "emulator/check/order.h"
#include "emulator/model/memory_order.h"

namespace tmaemu::check {

// Something released, and how far.
struct Release {
  SharedClocks clocks;
  Scope scope = Scope::cta;
  std::uint32_t cta = 0;
  std::uint32_t cluster = 0;
  SharedClocks near = nullptr;    // what reaches only threads of the same CTA,
  SharedClocks nearby = nullptr;  // and of the same cluster

  bool holds() const { return clocks != nullptr || near != nullptr || nearby != nullptr; }
  // Whether a thread there, which acquires at `acquired`, synchronizes with it.
  bool reaches(std::uint32_t to_cta, std::uint32_t to_cluster, Scope acquired) const {
    if (cta == to_cta) return true;
    const Scope needed = cluster == to_cluster ? Scope::cluster : Scope::gpu;
    return scope >= needed && acquired >= needed;
  }
};

// The last strong write to an address: who made it, and what it told. Of it findings say why it
// ordered nothing.
struct FlagMessage {
  Actor who;
  ThreadId thread;
  std::uint32_t site = 0;
  Time time = 0;
  SharedClocks known;  // what the thread knew then, released or not
  Release release;
  bool changes_nothing = false;  // the value was there before

  // Whether that was over before, for who wrote it.
  bool comes_behind(const Actor& actor, Time then) const {
    return who == actor ? then <= time : (*known)[View::done].knows(actor, then);
  }
  bool releases(const Actor& actor, Time then) const {
    const auto holds = [&](const SharedClocks& clocks) {
      return clocks != nullptr && (*clocks)[View::done].knows(actor, then);
    };
    return holds(release.clocks) || holds(release.near) || holds(release.nearby);
  }
};

// Of one state space. Several host threads may use it.
class Flags {
 public:
  // A strong write. `release` holds no clocks where the write releases nothing.
  void write(std::uint64_t address, const Release& release, bool reads_too) {
    const std::lock_guard lock(mutex_);
    const auto found = flags_.find(address);
    if (!reads_too || found == flags_.end()) {
      if (release.holds()) {
        flags_[address] = release;
      } else if (found != flags_.end() && !reads_too) {
        flags_.erase(found);
      }
    } else if (release.holds()) {
      Release& before = found->second;
      const bool is_near = before.cta == release.cta;
      const bool is_nearby = before.cluster == release.cluster;
      before = {joined(before.clocks, release.clocks),
                std::min(before.scope, release.scope),
                release.cta,
                release.cluster,
                joined(is_near ? before.near : nullptr, release.near),
                joined(is_nearby ? before.nearby : nullptr, release.nearby)};
    }
  }
  // Whether the release is ordered behind what was released there, if anything was.
  bool comes_behind(std::uint64_t address, const Release& release) const {
    const Release before = read(address);
    const auto covers = [](const SharedClocks& later, const SharedClocks& earlier) {
      return earlier == nullptr || (later != nullptr && later->covers(*earlier));
    };
    return covers(release.clocks, before.clocks) && covers(release.near, before.near) &&
           covers(release.nearby, before.nearby);
  }
  // What a strong read finds; no clocks where nothing was released there.
  Release read(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    const auto found = flags_.find(address);
    return found == flags_.end() ? Release{} : found->second;
  }
  // Remembers it for findings, as long as there is room: flags are few. Who reads and writes adds
  // its message to those that stand there.
  void leave(std::uint64_t address, FlagMessage message, bool reads_too) {
    constexpr std::size_t most = 1024;
    const std::lock_guard lock(mutex_);
    auto found = messages_.find(address);
    if (found == messages_.end()) {
      if (message_count_ >= most) return;
      found = messages_.try_emplace(address).first;
    }
    std::vector<FlagMessage>& messages = found->second;
    if (!reads_too) {
      message_count_ -= messages.size();
      messages.clear();
    } else if (message_count_ >= most && !messages.empty()) {
      --message_count_;
      messages.pop_back();
    }
    messages.push_back(std::move(message));
    ++message_count_;
  }
  std::optional<FlagMessage> last_message(std::uint64_t address) const {
    const std::lock_guard lock(mutex_);
    const auto found = messages_.find(address);
    return found == messages_.end() ? std::nullopt : std::optional(found->second.back());
  }
  // Of those to which `last` was added, the first one that is over behind that moment of the actor.
  std::optional<FlagMessage> message_behind(std::uint64_t address, const FlagMessage& last,
                                            const Actor& actor, Time then) const {
    const std::lock_guard lock(mutex_);
    const auto found = messages_.find(address);
    if (found == messages_.end()) return std::nullopt;
    const auto end = std::ranges::find_if(found->second, [&](const FlagMessage& each) {
      return each.who == last.who && each.time == last.time;
    });
    if (end == found->second.end()) return std::nullopt;
    const auto behind = std::find_if(found->second.begin(), end, [&](const FlagMessage& each) {
      return each.comes_behind(actor, then);
    });
    return behind == end ? std::nullopt : std::optional(*behind);
  }
  void clear() {
    flags_.clear();
    messages_.clear();
    message_count_ = 0;
  }

 private:
  static SharedClocks joined(const SharedClocks& one, const SharedClocks& other) {
    // Who reads and writes has nearly always acquired what was there before.
    if (one != nullptr && other != nullptr && other->covers(*one)) return other;
    Released both;
    both.join(one);
    both.join(other);
    return both.all();
  }

  mutable std::mutex mutex_;
  std::unordered_map<std::uint64_t, Release> flags_;
  std::unordered_map<std::uint64_t, std::vector<FlagMessage>> messages_;
  std::size_t message_count_ = 0;
};

}  // namespace tmaemu::check
