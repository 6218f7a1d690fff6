#include "emulator/check/lap_rules.h"

namespace tmaemu::check {
namespace {

bool reads_what_threads_fill(const PastAccess& access) {
  const auto& source = access.entry().source;
  return source && source->is_filled_by_threads;
}

}  // namespace

bool LapRules::was_served(const Earlier& read, const PastAccess& now) const {
  if (read.written_by.access == 0) return false;
  const PastAccess& reader = history_[read.by.access];
  const PastAccess& writer = history_[read.written_by.access];
  if (!order_.is_own(reader) || writer.kind == AccessKind::mbarrier) return false;
  const ThreadId thread = reader.thread(read.by.lane);
  // Of what others send, one at a time: who has not seen the phase before it waits for this one.
  if (now.kind == AccessKind::async_store) {
    const Completion sent = now.completion();
    if (!context_.state.order.knows(thread, sent.actor, sent.time - 1)) return false;
  }
  if (order_.is_done(writer, read.written_by.lane, thread)) return true;
  // Another load was issued meanwhile; the thread meant what was there before it.
  return writer.replaces != 0 && !is_global_ &&
         order_.is_done(history_[writer.replaces], 0, thread);
}

bool LapRules::knew_before(const PastAccess& write, ThreadId thread) const {
  if (is_global_) return false;
  // Other loads may have been issued since.
  constexpr int most = 64;
  std::uint32_t number = write.replaces;
  for (int i = 0; i < most && number != 0; ++i) {
    const PastAccess& replaced = history_[number];
    if (replaced.kind == AccessKind::mbarrier) return false;
    if (order_.is_done(replaced, 0, thread)) {
      return is_what_was_waited_for(replaced, thread) ||
             is_reloaded_unasked(replaced, write, thread) ||
             has_waited_for_load_before(write, thread);
    }
    number = replaced.replaces;
  }
  return has_waited_for_load_before(write, thread);
}

// Other threads may have written in between, of whom it knows nothing; or the phase before was
// ended by other bytes than those of the load that was there before.
bool LapRules::has_waited_for_load_before(const PastAccess& load, ThreadId thread) const {
  if (load.kind != AccessKind::load) return false;
  const auto last = context_.mbarriers.last_wait_for_load(thread);
  const Completion completion = load.completion();
  return last && completion == Completion{last->phases, last->phase + 2};
}

// Who waits behind its own load, and learns that the one before has landed, means to read that: the
// new one was issued too early.
bool LapRules::waits_behind(const PastAccess& load, ThreadId thread) const {
  if (is_global_ || load.kind != AccessKind::load || load.thread(0) != thread) return false;
  if (!order_.is_own(load)) return false;
  PhaseOf phase = context_.operations.phase_of(load.completion());
  --phase.phase;
  return context_.mbarriers.has_learned_since(phase, thread, load.time);
}

bool LapRules::is_what_was_waited_for(const PastAccess& replaced, ThreadId thread) const {
  // Who has waited for another load since then means to read that one.
  const auto last = context_.mbarriers.last_wait_for_load(thread);
  return !last || replaced.kind != AccessKind::load ||
         replaced.completion() == Completion{last->phases, last->phase + 1};
}

// The loader does not even know that the thread has waited for what was there: whatever it has
// waited for since, to look ahead perhaps, it may still be reading.
bool LapRules::is_reloaded_unasked(const PastAccess& replaced, const PastAccess& load,
                                   ThreadId thread) const {
  if (replaced.kind != AccessKind::load || load.kind != AccessKind::load ||
      !order_.is_own(replaced) || !order_.is_own(load) ||
      load.completion().actor != replaced.completion().actor) {
    return false;
  }
  const PhaseOf phase = context_.operations.phase_of(replaced.completion());
  const auto wait = context_.mbarriers.wait_for(phase, thread);
  return wait && !context_.state.order.has_happened(load.thread(0),
                                                    context_.state.order.actor(thread), wait->time);
}

bool LapRules::is_next_lap(const Earlier& earlier, const PastAccess& now, ThreadId thread) const {
  if (is_global_) return false;
  const PastAccess& before = history_[earlier.by.access];
  if (before.kind == AccessKind::async_store && now.kind == before.kind) {
    return before.completion().actor == now.completion().actor &&
           context_.are_of_one_line(before, now);
  }
  if (!earlier.wrote && reads_what_threads_fill(before) && earlier.written_by.access != 0) {
    const PastAccess& written = history_[earlier.written_by.access];
    return context_.are_of_one_line(written, now) &&
           order_.is_same_thread(written, earlier.written_by.lane, thread);
  }
  if (earlier.wrote && before.kind == AccessKind::plain && reads_what_threads_fill(now) &&
      before.replaces != 0) {
    const PastAccess& written = history_[before.replaces];
    return context_.are_of_one_line(written, before) && written.first == before.first &&
           order_.is_done(written, earlier.by.lane, thread);
  }
  return false;
}

}  // namespace tmaemu::check
