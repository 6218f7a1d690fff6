// What others ask of mbarriers: who has waited for which phase, and what a wait or an arrival
// leaves out.
#include <algorithm>

#include "emulator/check/mbarrier_checker.h"

namespace tmaemu::check {

std::uint32_t MbarrierChecker::turn(std::uint32_t address, ThreadId thread) const {
  const MbarrierLedger* const own = find(address);
  if (own == nullptr) return 0;
  const auto arrivals = own->arrivals.find(number_of(thread));
  return arrivals == own->arrivals.end() ? 0 : arrivals->second;
}

bool MbarrierChecker::is_known(const PhaseOf& phase, const Clock& clock) const {
  return clock.knows(actor(phase.mbarrier), phase.phase + 1);
}

std::optional<MbarrierChecker::Waited> MbarrierChecker::last_wait(ThreadId thread) const {
  const std::vector<Waited>& waits = last_waits_[state_.slot(thread)];
  return waits.empty() ? std::nullopt : std::optional(waits.back());
}

std::optional<MbarrierChecker::Waited> MbarrierChecker::wait_before(ThreadId thread,
                                                                    Time moment) const {
  const std::vector<Waited>& waits = last_waits_[state_.slot(thread)];
  const auto last = std::ranges::find_if(waits.rbegin(), waits.rend(),
                                         [&](const Waited& wait) { return wait.time <= moment; });
  return last == waits.rend() ? std::nullopt : std::optional(*last);
}

const std::vector<PhaseLedger::Arriver>* MbarrierChecker::arrivers_of(
    const std::optional<Waited>& wait) const {
  const MbarrierLedger* const own = wait ? find(wait->mbarrier) : nullptr;
  if (own == nullptr) return nullptr;
  if (own->phase == wait->phase + 1) return &own->previous.arrivers;
  return own->phase == wait->phase + 2 ? &own->earlier.arrivers : nullptr;
}

std::optional<PhaseOf> MbarrierChecker::lap_of(ThreadId thread) const {
  const auto last = last_wait(thread);
  return last ? std::optional<PhaseOf>(*last) : std::nullopt;
}

std::optional<Action> MbarrierChecker::wait_for(const PhaseOf& phase, ThreadId thread) const {
  const MbarrierLedger* const own = find(phase.mbarrier);
  if (own == nullptr) return std::nullopt;
  const auto wait = own->waits.find(number_of(thread));
  if (wait == own->waits.end() || wait->second.phase != static_cast<std::int64_t>(phase.phase)) {
    return std::nullopt;
  }
  return wait->second.action;
}

bool MbarrierChecker::has_learned_since(const PhaseOf& phase, ThreadId thread, Time since) const {
  const MbarrierLedger* const own = find(phase.mbarrier);
  if (own == nullptr) return false;
  const auto last = own->waits.find(number_of(thread));
  return last != own->waits.end() && !last->second.is_stale &&
         last->second.phase == static_cast<std::int64_t>(phase.phase) &&
         last->second.action.time > since;
}

std::optional<Action> MbarrierChecker::repeated_wait(ThreadId thread, const Actor& load) const {
  const std::uint32_t asked = last_asked_[state_.slot(thread)];
  const MbarrierLedger* const own = asked == nowhere ? nullptr : find(asked);
  if (own == nullptr || own->phases == load) return std::nullopt;
  const auto wait = own->waits.find(number_of(thread));
  if (wait == own->waits.end() || !wait->second.is_repeated) return std::nullopt;
  return wait->second.action;
}

std::vector<std::uint32_t> MbarrierChecker::arrivals_at(std::uint32_t address) const {
  std::vector<std::uint32_t> sites;
  const MbarrierLedger* const own = find(address);
  if (own == nullptr) return sites;
  for (const Action& arrival : own->current.arrivers) sites.push_back(arrival.site);
  return sites;
}

bool MbarrierChecker::has_no_arrivals(std::uint32_t address) const {
  const MbarrierLedger* const own = find(address);
  return own == nullptr || (own->arrivals.empty() && own->phase == own->first_phase);
}

std::size_t MbarrierChecker::phases_ended(std::uint32_t address) const {
  const MbarrierLedger* const own = find(address);
  return own == nullptr ? 0 : static_cast<std::size_t>(own->phase - own->first_phase);
}

bool MbarrierChecker::is_root_of_waits(std::uint32_t address) const {
  const MbarrierLedger* const own = find(address);
  if (own == nullptr) return false;
  const auto is_to_come = [&](ThreadId thread) {
    return own->arrivals.contains(number_of(thread)) && !own->current.has_arrival_of(thread);
  };
  return std::ranges::none_of(ledgers_, [&](const auto& other) {
    return other.first != address &&
           std::ranges::any_of(other.second.sleepers, [&](const auto& sleeper) {
             return is_to_come(sleeper.second.thread);
           });
  });
}

std::optional<PhaseLedger::Arriver> MbarrierChecker::arrival_for(
    ThreadId thread, Time since, ThreadId waiting, const std::optional<Waited>& wait) const {
  const auto* const arrivers = arrivers_of(wait);
  if (arrivers == nullptr) return std::nullopt;
  const auto& later = last_arrivals_[state_.slot(thread)];
  if (later && later->mbarrier == wait->mbarrier && later->time >= since) return std::nullopt;
  std::optional<PhaseLedger::Arriver> found;
  for (const PhaseLedger::Arriver& arrival : *arrivers) {
    if (arrival.thread == thread) return std::nullopt;
    if (arrival.announces || arrival.thread == waiting) continue;
    if (warp_of(arrival.thread) == warp_of(thread)) found = arrival;
  }
  return found;
}

std::optional<Action> MbarrierChecker::given_back(ThreadId reader, Time before, ThreadId loader,
                                                  const std::optional<Waited>& wait) const {
  const auto* const arrivers = arrivers_of(wait);
  if (arrivers == nullptr) return std::nullopt;
  std::optional<Action> found;
  for (const PhaseLedger::Arriver& arrival : *arrivers) {
    if (arrival.announces || arrival.thread == loader) continue;
    if (warp_of(arrival.thread) == warp_of(reader) && arrival.time < before) found = arrival;
  }
  return found;
}

std::optional<Action> MbarrierChecker::handed_back(ThreadId reader, ThreadId loader) const {
  const auto& last = last_arrivals_[state_.slot(reader)];
  const MbarrierLedger* const own = last ? find(last->mbarrier) : nullptr;
  if (own == nullptr || !own->waits.contains(number_of(loader))) return std::nullopt;
  return *last;
}

std::optional<Note> MbarrierChecker::short_edge(ThreadId thread, Time since,
                                                ThreadId waiting) const {
  const auto last = last_wait(waiting);
  const MbarrierLedger* const own = last ? find(last->mbarrier) : nullptr;
  if (own == nullptr || own->phase != last->phase + 1) return std::nullopt;
  const auto& arrivers = own->previous.arrivers;
  const auto arrival = std::ranges::find_if(arrivers, [&](const PhaseLedger::Arriver& each) {
    return each.thread == thread && each.time >= since;
  });
  if (arrival == arrivers.end()) return std::nullopt;
  const auto at_arrival = [&](NoteSentence said) {
    return state_.note(said, arrival->site, arrival->thread);
  };
  const auto at_wait = [&](NoteSentence said) { return state_.note(said, last->site, waiting); };
  if (!arrival->releases) return at_arrival(NoteSentence::arrives_relaxed);
  if (arrival->is_of_cta) return at_arrival(NoteSentence::arrives_in_cta);
  if (!last->order.acquires()) return at_wait(NoteSentence::waits_relaxed);
  if (thread.rank != waiting.rank && last->order.scope < Scope::cluster) {
    return at_wait(NoteSentence::waits_in_cta);
  }
  return std::nullopt;
}

std::optional<Action> MbarrierChecker::stale_wait(const PhaseOf& phase, ThreadId thread) const {
  const MbarrierLedger* const own = find(phase.mbarrier);
  if (own == nullptr) return std::nullopt;
  const auto is_stale = [&](const MbarrierLedger::LastWait& wait) {
    return wait.is_stale && wait.phase < static_cast<std::int64_t>(phase.phase);
  };
  if (const auto wait = own->waits.find(number_of(thread)); wait != own->waits.end()) {
    return is_stale(wait->second) ? std::optional(wait->second.action) : std::nullopt;
  }
  std::optional<Action> first;  // of the lowest thread, so that it is the same in every run
  for (const auto& [number, wait] : own->waits) {
    if (is_stale(wait) && (!first || wait.action.thread < first->thread)) first = wait.action;
  }
  return first;
}

bool MbarrierChecker::lacks_announcement(const PhaseOf& phase) const {
  const MbarrierLedger* const own = find(phase.mbarrier);
  if (own == nullptr) return false;
  if (own->phase == phase.phase) return own->current.is_starved();
  return state_.reporter.is_noted(Fact::phase_starved, key_of(phase));
}

}  // namespace tmaemu::check
