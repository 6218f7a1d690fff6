// What one thread has others do for it, in groups that it commits and waits for.
// PTX ISA, "Async-groups": bulk async-groups, and those of cp.async.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "emulator/check/clock.h"

namespace tmaemu::check {

class GroupLedger {
 public:
  // The moment of one more operation.
  Time issue() { return ++issued_; }
  void commit() { commits_.push_back(issued_); }
  // The moment up to which all is done when a wait for all but the `pending` newest groups returns.
  Time done_after(std::uint32_t pending) const {
    return commits_.size() > pending ? commits_[commits_.size() - 1 - pending] : 0;
  }
  Time issued() const { return issued_; }
  Time committed() const { return commits_.empty() ? 0 : commits_.back(); }
  // cp.async.mbarrier.arrive: an arrival there, when what is issued by now is done; then, as the
  // arrivals come, what each of them was to follow.
  void order_arrival(std::uint32_t mbarrier) { ordered_.push_back({mbarrier, issued_}); }
  Time take_ordered_arrival(std::uint32_t mbarrier) {
    const auto found = std::ranges::find(ordered_, mbarrier, &OrderedArrival::mbarrier);
    if (found == ordered_.end()) return 0;
    const Time issued = found->issued;
    ordered_.erase(found);
    return issued;
  }
  // The thread has waited for all up to `done`, at this moment of its own: who knows of the thread
  // from then on knows that they are done.
  void note_done(Time done, Time moment) {
    if (!moments_.empty() && moments_.back().done >= done) return;
    moments_.push_back({done, moment});
    constexpr std::size_t most = 4096;
    if (moments_.size() > most) moments_.erase(moments_.begin(), moments_.begin() + most / 2);
  }
  // Of the thread, when it had waited for the operation; nothing where it has not.
  std::optional<Time> moment_done(Time operation) const {
    const auto found = std::ranges::lower_bound(moments_, operation, {}, &Moment::done);
    if (found == moments_.end()) return std::nullopt;
    return found->moment;
  }
  // `moment`: of the thread, and `done`: what is done when the wait returns.
  void note_wait(std::uint32_t site, Time done, Time moment) {
    if (!waits_.empty() && waits_.back().issued == issued_ &&
        waits_.back().committed == committed()) {
      waits_.back().done = std::max(waits_.back().done, done);
      return;
    }
    waits_.push_back({site, issued_, committed(), done, moment});
    constexpr std::size_t most = 64;
    if (waits_.size() > most) waits_.erase(waits_.begin(), waits_.begin() + most / 2);
  }
  // The last wait that left the operation, which was committed by then, pending: its instruction,
  // and when it was.
  struct ShortWait {
    std::uint32_t site = 0;
    Time moment = 0;
  };
  std::optional<ShortWait> short_wait(Time operation) const {
    std::optional<ShortWait> last;
    for (const Wait& wait : waits_) {
      if (wait.committed >= operation && wait.done < operation) last = {wait.site, wait.moment};
    }
    return last;
  }
  // The number of the operation's group among those of the thread.
  std::size_t group_of(Time operation) const {
    return static_cast<std::size_t>(std::ranges::lower_bound(commits_, operation) -
                                    commits_.begin());
  }
  // The instruction of the last wait, where it left the group of that number, which was committed
  // by then, pending.
  std::optional<std::uint32_t> last_wait_without(std::size_t group) const {
    if (waits_.empty()) return std::nullopt;
    const auto groups_until = [&](Time time) {
      return static_cast<std::size_t>(std::ranges::upper_bound(commits_, time) - commits_.begin());
    };
    const Wait& last = waits_.back();
    if (groups_until(last.committed) <= group || groups_until(last.done) > group) {
      return std::nullopt;
    }
    return last.site;
  }
  bool has_waited_since(Time operation) const {
    return !waits_.empty() && waits_.back().issued >= operation;
  }
  // The instruction of the wait that was to be for the operation, and came before its commit: the
  // first one behind it. Not where it was committed since and nobody has waited again: then it is
  // another wait that is missing.
  std::optional<std::uint32_t> vain_wait(Time operation) const {
    const auto first = std::ranges::lower_bound(waits_, operation, {}, &Wait::issued);
    if (first == waits_.end() || operation <= first->committed) return std::nullopt;
    const bool is_committed = operation <= committed();
    if (is_committed && waits_.back().committed < operation) return std::nullopt;
    return first->site;
  }

 private:
  struct Wait {
    std::uint32_t site;
    Time issued;     // what had been by then
    Time committed;  // and of that
    Time done;       // and of that
    Time moment;
  };
  struct OrderedArrival {
    std::uint32_t mbarrier;
    Time issued;
  };
  struct Moment {
    Time done;
    Time moment;
  };
  Time issued_ = 0;
  std::vector<Moment> moments_;
  std::vector<OrderedArrival> ordered_;
  std::vector<Time> commits_;
  std::vector<Wait> waits_;
};

}  // namespace tmaemu::check
