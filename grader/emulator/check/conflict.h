// The rules of the checker: two accesses to the same bytes, what orders them, and what that is
// called. Nothing here depends on what happened to happen first.
#pragma once

#include <optional>

#include "contract/findings/finding_codes.h"
#include "emulator/check/past_access.h"

namespace tmaemu::check {

// Two accesses, at least one of which writes.
struct Conflict {
  const PastAccess& earlier;  // as it came in this run
  bool earlier_writes = false;
  const PastAccess& now;
  bool now_writes = false;
  bool is_global = false;
  // What the thread knows that makes the later access, or has it made:
  bool is_ordered = false;        // the earlier access is done
  bool is_issue_ordered = false;  // the earlier access was issued
  bool is_fenced = false;         // a proxy fence covers the earlier access
  // The reading thread knew who had written what it read, or meant to read.
  bool read_was_served = false;
  // It has waited for that since it issued what overwrites it.
  bool reader_waited_behind = false;
  // The write and the store are those of two laps of a loop.
  bool is_next_lap = false;
  bool is_of_one_thread = false;
  // The one that reads asks for what the other one says, at whatever time.
  bool is_poll = false;

  bool is_of_one_warp() const {
    return earlier.cta == now.cta && earlier.first / warp_size == now.first / warp_size;
  }
};

struct Verdict {
  Sentence sentence;
  // Whether the finding is about the later access, and the note about the earlier one.
  bool accuses_later = true;
  NoteSentence note;
};

// Nothing where the two do no harm to each other.
std::optional<Verdict> judge(const Conflict& conflict);

}  // namespace tmaemu::check
