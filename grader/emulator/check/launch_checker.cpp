#include "emulator/check/launch_checker.h"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/text.h"
#include "contract/findings/sentences.h"
#include "emulator/check/flag_setters.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

std::uint32_t address_of(const MbarrierWait& wait) {
  return std::uint32_t{wait.rank} << cta_rank_shift | wait.offset;
}

// Whether arrivals have come in the phase that count for nothing.
bool has_lost_arrivals(const LaunchState& launch, const MbarrierWait& wait,
                       const ClusterChecker& cluster) {
  return wait.is_initialized && wait.parity == wait.current_parity && wait.arrivals_missing > 0 &&
         std::ranges::any_of(cluster.arrivals_at(address_of(wait)), [&](std::uint32_t site) {
           return launch.program.effects[site].arrives_for_nothing;
         });
}

bool has_some_arrivals(const Waiters& waiters) {
  const auto* const wait = std::get_if<MbarrierWait>(&waiters.waited_for);
  return wait != nullptr && wait->arrivals_missing > 0 &&
         wait->arrivals_missing < wait->arrivals_expected;
}

void say_what_is_missing(const LaunchState& launch, const Waiters& root,
                         const ClusterChecker& cluster, Finding& deadlock) {
  const auto say = [&](Sentence sentence, Values values) {
    deadlock.sentence = sentence;
    deadlock.values = std::move(values);
  };
  if (const auto* const wait = std::get_if<MbarrierWait>(&root.waited_for)) {
    const std::string name = launch.places.object(wait->offset);
    if (!wait->is_initialized || wait->parity != wait->current_parity) return;
    if (wait->arrivals_missing == 0) {
      if (wait->bytes_missing <= 0) return;
      return say(Sentence::phase_lacks_bytes,
                 {name, common::counted(static_cast<std::size_t>(wait->bytes_missing), "byte")});
    }
    if (has_lost_arrivals(launch, *wait, cluster)) {
      return say(Sentence::copies_arrive_for_nothing, {name});
    }
    if (cluster.has_no_arrivals(address_of(*wait))) return say(Sentence::phase_never_begun, {name});
    const std::int64_t come = wait->arrivals_expected - wait->arrivals_missing;
    if (come == 0) {
      return say(Sentence::phase_not_begun_again,
                 {name, common::counted(cluster.phases_ended(address_of(*wait)), "phase")});
    }
    return say(Sentence::phase_lacks_arrivals,
               {name, come,
                common::counted(static_cast<std::size_t>(wait->arrivals_expected), "arrival")});
  }
  if (const auto* const wait = std::get_if<CtaBarrierWait>(&root.waited_for)) {
    return say(
        Sentence::barrier_lacks_threads,
        {wait->arrived, wait->expected,
         wait->barrier == 0 ? "__syncthreads()" : "barrier " + std::to_string(wait->barrier)});
  }
  if (const auto* const wait = std::get_if<RegistersWait>(&root.waited_for)) {
    say(Sentence::pool_lacks_registers, {wait->wanted, wait->owned, wait->in_pool});
  }
}

}  // namespace

void LaunchChecker::explain(Finding& deadlock) const {
  std::vector<Waiters> waiters = deadlock.waiters;
  std::ranges::sort(waiters, {}, &Waiters::number);
  name_root(deadlock);
  for (const Waiters& each : waiters) {
    if (std::holds_alternative<PollWait>(each.waited_for)) explain_poll(each, deadlock);
    // Where a phase lacks arrivals, the count that the mbarrier was given may be wrong.
    const auto* const wait = std::get_if<MbarrierWait>(&each.waited_for);
    if (wait == nullptr || wait->arrivals_missing == 0) continue;
    if (const ClusterChecker* const cluster = cluster_of(each)) {
      cluster->explain_wait(address_of(*wait), deadlock.notes);
    }
  }
}

const ClusterChecker* LaunchChecker::cluster_of(const Waiters& waiters) const {
  const auto cluster = std::ranges::find_if(clusters_, [&](const ClusterChecker& checker) {
    return checker.has(waiters.cta, waiters.first);
  });
  return cluster == clusters_.end() ? nullptr : &*cluster;
}

// The place that the others wait for comes first, and the sentence says what is missing there.
void LaunchChecker::name_root(Finding& deadlock) const {
  std::vector<Waiters>& waiters = deadlock.waiters;
  if (waiters.empty()) return;
  const bool is_at_barrier = std::holds_alternative<CtaBarrierWait>(waiters.front().waited_for);
  const auto is_root = [&](const Waiters& each) {
    const auto* const wait = std::get_if<MbarrierWait>(&each.waited_for);
    const ClusterChecker* const cluster = wait == nullptr ? nullptr : cluster_of(each);
    // Where nobody has arrived yet, those at a barrier may be who is to.
    if (cluster == nullptr || (is_at_barrier && cluster->has_no_arrivals(address_of(*wait)))) {
      return false;
    }
    return cluster->is_root_of_waits(address_of(*wait));
  };
  const auto lost = [&](const Waiters& each) {
    const auto* const wait = std::get_if<MbarrierWait>(&each.waited_for);
    const ClusterChecker* const cluster = wait == nullptr ? nullptr : cluster_of(each);
    return cluster != nullptr && has_lost_arrivals(state_, *wait, *cluster);
  };
  if (!waiters.front().is_hopeless) {
    auto root = std::ranges::find_if(waiters, lost);
    // Some have come, and others not: that says more than that nobody has.
    const auto is_partly_there = [&](const Waiters& each) {
      return has_some_arrivals(each) && is_root(each);
    };
    if (root == waiters.end()) root = std::ranges::find_if(waiters, is_partly_there);
    if (root == waiters.end()) root = std::ranges::find_if(waiters, is_root);
    if (root != waiters.end()) std::rotate(waiters.begin(), root, root + 1);
  }
  const Waiters& root = waiters.front();
  deadlock.site = root.site;
  deadlock.cta = root.cta;
  deadlock.thread = root.first;
  const ClusterChecker* const cluster = cluster_of(root);
  if (cluster != nullptr) say_what_is_missing(state_, root, *cluster, deadlock);
}

DependentStart LaunchChecker::dependent_start() const {
  DependentStart all;
  for (const ClusterChecker& cluster : clusters_) all.join(cluster.dependent_start());
  return all;
}

// Who could set the flag that is polled there.
void LaunchChecker::explain_poll(const Waiters& waiters, Finding& deadlock) const {
  constexpr std::size_t most = 4;
  if (state_.program.effects[waiters.site].asks_phase) return;  // of an mbarrier, and it is over
  const FlagSetters setters = setters_of(state_.program, waiters.site);
  std::vector<std::uint32_t> told{waiters.site};  // the same line twice says no more
  for (const std::uint32_t site : setters.sites) {
    const bool is_told = std::ranges::any_of(
        told, [&](std::uint32_t other) { return state_.facts->are_of_one_line(site, other); });
    if (is_told || told.size() > most) continue;
    deadlock.notes.push_back({NoteSentence::would_set_flag, site, waiters.cta, waiters.first});
    told.push_back(site);
  }
  if (ran_before_ && setters.keeps_value) {
    deadlock.notes.push_back(
        {NoteSentence::flag_kept_value, waiters.site, waiters.cta, waiters.first});
  }
  if (told.size() > 1 || !setters.is_all) return;
  const auto& poll = std::get<PollWait>(waiters.waited_for);
  if (waiters.site == deadlock.site && state_.memory.find(poll.address) != nullptr) {
    deadlock.sentence = Sentence::flag_of_no_thread;
  } else {
    deadlock.notes.push_back(
        {NoteSentence::nobody_sets_flag, waiters.site, waiters.cta, waiters.first});
  }
}

}  // namespace tmaemu::check
