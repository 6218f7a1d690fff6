#include "emulator/check/heard_flags.h"

#include <algorithm>
#include <utility>

#include "contract/findings/sentences.h"

namespace tmaemu::check {

void HeardFlags::start() {
  if (is_empty_) return;
  std::ranges::fill(heard_, std::vector<Heard>{});
  is_empty_ = true;
}

void HeardFlags::hear(ThreadId thread, FoundMessage found, std::uint32_t site, MemoryOrder order) {
  constexpr std::size_t most = 4;
  std::vector<Heard>& own = heard_[state_.slot(thread)];
  std::erase_if(own, [&](const Heard& other) {
    return other.site == site && other.found.message.site == found.message.site &&
           other.found.message.who == found.message.who;
  });
  if (own.size() == most) own.erase(own.begin());
  own.push_back({std::move(found), thread, site, state_.order.now(thread),
                 order.acquires() ? std::optional(order.scope) : std::nullopt});
  is_empty_ = false;
}

void HeardFlags::fence(ThreadId thread, Scope scope) {
  for (Heard& each : heard_[state_.slot(thread)]) {
    each.acquired = std::max(each.acquired.value_or(scope), scope);
  }
}

std::optional<Note> HeardFlags::short_edge(const Actor& actor, Time since, ThreadId reader) const {
  if (is_empty_) return std::nullopt;
  const auto knows_of = [&](const Heard& heard) {
    return heard.thread == reader ||
           state_.order.knows(reader, state_.order.actor(heard.thread), heard.time);
  };
  for (const std::vector<Heard>& own : heard_) {
    for (const Heard& heard : own) {
      if (!knows_of(heard)) continue;
      const FoundMessage& found = heard.found;
      const auto message =
          found.message.comes_behind(actor, since)
              ? std::optional(found.message)
              : found.flags->message_behind(found.address, found.message, actor, since);
      if (!message) continue;
      if (auto note = why_short(heard, *message, actor, since)) return note;
    }
  }
  return std::nullopt;
}

std::optional<Note> HeardFlags::missing_meeting(const Actor& actor, Time since,
                                                ThreadId reader) const {
  if (is_empty_) return std::nullopt;
  const std::uint32_t cta = state_.order.cta(reader.rank);
  for (const std::vector<Heard>& own : heard_) {
    for (const Heard& heard : own) {
      const FlagMessage& message = heard.found.message;
      const bool is_edge = message.release.holds() && !message.changes_nothing && heard.acquired &&
                           message.release.reaches(cta, state_.number, *heard.acquired);
      if (!is_edge || heard.thread.rank != reader.rank || message.who.cta == cta) continue;
      if (message.releases(actor, since)) {
        return state_.note(NoteSentence::flag_is_read_by_one, heard.site, heard.thread);
      }
      if (message.who.cta != actor.cta || message.who == actor) continue;
      return Note{NoteSentence::flag_does_not_know,
                  message.site,
                  state_.launch.cta(message.who.cta),
                  message.thread,
                  {}};
    }
  }
  return std::nullopt;
}

std::optional<Note> HeardFlags::why_short(const Heard& heard, const FlagMessage& message,
                                          const Actor& actor, Time since) const {
  const auto at_write = [&](NoteSentence said) {
    return Note{said, message.site, state_.launch.cta(message.who.cta), message.thread, {}};
  };
  const auto at_read = [&](NoteSentence said) {
    return state_.note(said, heard.site, heard.thread);
  };
  if (!message.releases(actor, since)) return at_write(NoteSentence::flag_releases_nothing);
  if (!heard.acquired) return at_read(NoteSentence::flag_is_not_acquired);
  const std::uint32_t cta = state_.order.cta(heard.thread.rank);
  if (message.release.reaches(cta, state_.number, *heard.acquired)) {
    if (!message.changes_nothing) return std::nullopt;
    return at_write(NoteSentence::flag_had_this_value);
  }
  if (message.release.reaches(cta, state_.number, Scope::sys)) {
    return at_read(NoteSentence::flag_is_acquired_nearby);
  }
  return at_write(NoteSentence::flag_reaches_nearby);
}

}  // namespace tmaemu::check
