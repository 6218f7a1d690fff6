#include "emulator/check/product_checker.h"

#include <algorithm>

#include "contract/findings/sentences.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

constexpr std::size_t most_issues = 256;

}  // namespace

void ProductChecker::start() {
  gathered_.clear();
  warpgroups_.clear();
}

Actor ProductChecker::products_of(WarpId warp) const {
  return state_.order.actor(thread_of(first_of_warpgroup(warp), 0), Actor::Track::products);
}

// All lanes issue it together: what any of them did before comes before it. That they know the same
// is not enough: they may have acquired it one by one, each from a wait of its own.
void ProductChecker::issue(const events::WarpgroupProduct& product) {
  const ThreadId first = thread_of(product.warp, 0);
  Gathered& gathered = gathered_[number_of(product.warp)];
  const auto is_told = [&](ThreadId lane) { return state_.order.known(lane) == gathered.together; };
  if (!is_told(first) || !state_.order.is_of_one_mind(first)) {
    const std::vector<ThreadId> lanes = threads_of(product.warp, all_lanes);
    if (!std::ranges::all_of(lanes, is_told)) {
      state_.order.synchronize(lanes, lanes);
      gathered.together = state_.order.known(first);
    }
  }
  Warpgroup& group = warpgroups_[number_of(first_of_warpgroup(product.warp))];
  if (Issue* const issue = issue_of(group, product.number)) {
    const unsigned place = place_in_warpgroup(product.warp);
    issue->known[place] = state_.order.known(first);
    issue->time[place] = state_.order.now(first);
    if (product.is_first_of_warps) {
      for (const std::uint32_t unit : product.common_units) issue->common.add(shared_offset(unit));
    }
  }
  gather(gathered, product);
}

void ProductChecker::gather(Gathered& gathered, const events::WarpgroupProduct& product) {
  const ThreadId thread = thread_of(product.warp, 0);
  const SharedClocks& known = state_.order.known(thread);
  const Time time = state_.order.now(thread);
  const bool is_alike = gathered.last != 0 && gathered.known == known && gathered.time == time &&
                        state_.launch.facts->are_of_one_line(gathered.site, product.site);
  if (!is_alike) {
    look_at(gathered);
    gathered.warp = product.warp;
    gathered.site = product.site;
    gathered.known = known;
    gathered.time = time;
    gathered.first = product.number;
  }
  gathered.last = product.number;
  for (const std::uint32_t unit : product.own_units) gathered.own.add(shared_offset(unit));
  Warpgroup& group = warpgroups_[number_of(first_of_warpgroup(product.warp))];
  if (const Issue* const issue = issue_of(group, product.number)) {
    gathered.common.add(issue->common);
  }
}

void ProductChecker::look_at(Gathered& gathered) {
  if (gathered.last == 0) return;
  const ThreadId thread = thread_of(gathered.warp, 0);
  PastAccess access = accesses_.begin_access(thread, gathered.site);
  access.kind = AccessKind::product;
  access.time = gathered.time;
  access.how = DeferredAccess{{products_of(gathered.warp), gathered.last}};
  if (auto reading = accesses_.begin_reading(access)) {
    look_at_common(gathered, *reading);
    reading->read(gathered.own);
    if (const std::uint64_t unwritten = reading->unwritten_bytes(); unwritten != 0) {
      state_.suspect(
          state_.finding(Sentence::product_reads_unwritten, gathered.site, thread, {unwritten}));
    }
  }
  gathered.own.clear();
  gathered.common.clear();
  gathered.last = 0;
}

// Another warp of the warpgroup may have looked at the bytes that these products read for all of
// them. It is remembered as their reader then: they are done when its products are.
void ProductChecker::look_at_common(const Gathered& gathered,
                                    AccessChecker::SharedReading& reading) {
  CommonLook& look = warpgroups_[number_of(first_of_warpgroup(gathered.warp))].look;
  const bool was_looked_at = look.first == gathered.first && look.last == gathered.last;
  if (was_looked_at && reading.comes_behind(look.writes)) return;
  reading.read(gathered.common);
  if (!was_looked_at) look = {gathered.first, gathered.last, reading.met_writes()};
}

ProductChecker::Issue* ProductChecker::issue_of(Warpgroup& group, std::uint32_t number) {
  if (number < group.first) return nullptr;
  while (number >= group.first + group.issues.size()) group.issues.emplace_back();
  while (group.issues.size() > most_issues) {
    group.issues.pop_front();
    ++group.first;
  }
  return number < group.first ? nullptr : &group.issues[number - group.first];
}

// What one warp has waited for, all four have issued, and it is done for all of them.
void ProductChecker::await(const events::ProductsAwaited& wait) {
  // Of the others, too: by this wait a stage may be handed back and loaded again, before they come
  // to theirs.
  const WarpId first = first_of_warpgroup(wait.warp);
  for (unsigned i = 0; i < warps_of_warpgroup; ++i) {
    look_at(gathered_[number_of(warp_behind(first, i))]);
  }
  // What the warp does from here on comes behind the wgmma that others know of by their wait.
  state_.order.begin_moment(thread_of(wait.warp, 0));
  if (wait.done == 0) return;
  Warpgroup& group = warpgroups_[number_of(first)];
  const SharedClocks& known = known_of(group, wait);
  for_each_thread(wait.warp, all_lanes, [&](ThreadId lane) { state_.order.acquire(lane, known); });
}

const SharedClocks& ProductChecker::known_of(Warpgroup& group,
                                             const events::ProductsAwaited& wait) {
  if (group.told_of == wait.done) return group.done.all();
  group.told_of = wait.done;
  group.done.clear();
  group.done.add(products_of(wait.warp), wait.done);
  const WarpId first = first_of_warpgroup(wait.warp);
  const Issue* const issue = issue_of(group, wait.done);
  for (unsigned i = 0; i < warps_of_warpgroup && issue != nullptr; ++i) {
    const WarpId warp = warp_behind(first, i);
    if (issue->known[i] != nullptr) group.done.add_happened(issue->known[i]);
    for_each_thread(warp, all_lanes, [&](ThreadId lane) {
      group.done.add_happened(state_.order.actor(lane), issue->time[i]);
    });
  }
  return group.done.all();
}

void ProductChecker::end_cta(std::uint16_t rank) {
  for (auto& [warp, gathered] : gathered_) {
    if (gathered.warp.rank == rank) look_at(gathered);
  }
}

}  // namespace tmaemu::check
