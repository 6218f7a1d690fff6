// What one thread has others do for it, in groups that it commits and waits for.
// PTX ISA, "Async-groups": bulk async-groups, and those of cp.async.
#pragma once

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
  // The last wait, and what had been issued by then.
  struct LastWait {
    std::uint32_t site = 0;
    Time issued = 0;
  };
  void note_wait(std::uint32_t site) { last_wait_ = LastWait{site, issued_}; }
  const std::optional<LastWait>& last_wait() const { return last_wait_; }

 private:
  Time issued_ = 0;
  std::vector<Time> commits_;
  std::optional<LastWait> last_wait_;
};

}  // namespace tmaemu::check
