// Loops use a tile again and again: which lap's bytes a thread meant to read or to write. Of two
// accesses that nothing orders, that says which one came too early.
#pragma once

#include "emulator/check/access_context.h"
#include "emulator/check/shadow.h"

namespace tmaemu::check {

class LapRules {
 public:
  // `is_global`: where the accesses are; there nothing is said of laps but was_served().
  LapRules(const AccessContext& context, bool is_global)
      : context_(context),
        order_(context.order()),
        history_(context.history(is_global)),
        is_global_(is_global) {}

  // Whether the thread of an earlier read knew who had written what it read, which `now` writes
  // over.
  bool was_served(const Earlier& read, const PastAccess& now) const;
  // Whether a thread, which reads what an operation may have overwritten, knew what was there
  // before it.
  bool knew_before(const PastAccess& write, ThreadId thread) const;
  // Whether a thread has waited, since it issued the load, for the phase before that of the load.
  bool waits_behind(const PastAccess& load, ThreadId thread) const;
  // Whether a thread writes again, at the same instruction, what it had written before for an
  // operation: whether that was issued in between or not, the thread was to wait for it.
  bool is_next_lap(const Earlier& earlier, const PastAccess& now, ThreadId thread) const;

 private:
  bool has_waited_for_load_before(const PastAccess& load, ThreadId thread) const;
  bool is_what_was_waited_for(const PastAccess& replaced, ThreadId thread) const;
  bool is_reloaded_unasked(const PastAccess& replaced, const PastAccess& load,
                           ThreadId thread) const;

  const AccessContext& context_;
  AccessOrder order_;
  const AccessHistory& history_;
  bool is_global_;
};

}  // namespace tmaemu::check
