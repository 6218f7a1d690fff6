#include "emulator/check/product_checker.h"

#include <algorithm>
#include <bit>

#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

constexpr std::uint32_t unit_bytes = 16;
constexpr std::uint32_t word_bits = 64;
constexpr std::size_t most_issues = 256;

WarpId first_of(WarpId warp, unsigned warps_before) {
  return {warp.rank, static_cast<std::uint16_t>(warp.index - warps_before)};
}

// Calls visit(first unit, units) for each run of bits.
template <class Visit>
void for_each_run(const std::vector<std::uint64_t>& units, Visit visit) {
  const std::size_t end = units.size() * word_bits;
  const auto is_set = [&](std::size_t i) {
    return (units[i / word_bits] >> i % word_bits & 1) != 0;
  };
  for (std::size_t i = 0; i < end;) {
    if (!is_set(i)) {
      const std::uint64_t rest = units[i / word_bits] >> i % word_bits;
      i = rest == 0 ? (i / word_bits + 1) * word_bits : i + std::countr_zero(rest);
      continue;
    }
    const std::size_t begin = i;
    while (i < end && is_set(i)) {
      const std::uint64_t rest = units[i / word_bits] >> i % word_bits;
      i += static_cast<std::size_t>(std::countr_one(rest));
    }
    visit(static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(i - begin));
  }
}

}  // namespace

void ProductChecker::start() {
  gathered_.clear();
  warpgroups_.clear();
}

Actor ProductChecker::products_of(WarpId warp, unsigned warps_before) const {
  return state_.order.actor(thread_of(first_of(warp, warps_before), 0), Actor::Track::products);
}

// All lanes issue it together: what any of them did before comes before it.
void ProductChecker::issue(const events::WarpgroupProduct& product) {
  const std::vector<ThreadId> lanes = threads_of(product.warp, all_lanes);
  const bool know_the_same = std::ranges::all_of(lanes, [&](ThreadId lane) {
    return state_.order.known(lane) == state_.order.known(lanes.front());
  });
  if (!know_the_same) state_.order.synchronize(lanes, lanes);
  Warpgroup& group = warpgroups_[number_of(first_of(product.warp, product.warps_before))];
  if (Issue* const issue = issue_of(group, product.number)) {
    issue->known[product.warps_before] = state_.order.known(lanes.front());
    issue->time[product.warps_before] = state_.order.now(lanes.front());
  }
  gather(gathered_[number_of(product.warp)], product);
}

void ProductChecker::gather(Gathered& gathered, const events::WarpgroupProduct& product) {
  const ThreadId thread = thread_of(product.warp, 0);
  const Known& known = state_.order.known(thread);
  const Time time = state_.order.now(thread);
  const bool is_alike = gathered.last != 0 && gathered.known == known && gathered.time == time &&
                        state_.launch.facts->are_of_one_line(gathered.site, product.site);
  if (!is_alike) {
    look_at(gathered);
    gathered.warp = product.warp;
    gathered.site = product.site;
    gathered.known = known;
    gathered.time = time;
    gathered.warps_before = product.warps_before;
    gathered.units.resize(state_.launch.shared_bytes() / unit_bytes / word_bits + 1);
  }
  gathered.last = product.number;
  for (const std::uint32_t address : product.units) {
    const std::uint32_t unit = shared_offset(address) / unit_bytes;
    gathered.units[unit / word_bits] |= std::uint64_t{1} << unit % word_bits;
  }
}

void ProductChecker::look_at(Gathered& gathered) {
  if (gathered.last == 0) return;
  const ThreadId thread = thread_of(gathered.warp, 0);
  PastAccess access = accesses_.begin_access(thread, gathered.site);
  access.kind = AccessKind::product;
  access.time = gathered.time;
  access.how = DeferredAccess{{products_of(gathered.warp, gathered.warps_before), gathered.last}};
  std::uint64_t unwritten = 0;
  for_each_run(gathered.units, [&](std::uint32_t first, std::uint32_t units) {
    const std::uint32_t address = std::uint32_t{thread.rank} << cta_rank_shift | first * unit_bytes;
    unwritten += accesses_.check(access, false, address, units * unit_bytes, false).in_shared;
  });
  std::ranges::fill(gathered.units, 0);
  gathered.last = 0;
  if (unwritten == 0) return;
  state_.suspect(
      state_.finding(Sentence::product_reads_unwritten, gathered.site, thread, {unwritten}));
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
  look_at(gathered_[number_of(wait.warp)]);
  if (wait.done == 0) return;
  Warpgroup& group = warpgroups_[number_of(first_of(wait.warp, wait.warps_before))];
  const Known& known = known_of(group, wait);
  for (const ThreadId lane : threads_of(wait.warp, all_lanes)) state_.order.learn(lane, known);
}

const Known& ProductChecker::known_of(Warpgroup& group, const events::ProductsAwaited& wait) {
  if (group.told_of == wait.done) return group.done.all();
  group.told_of = wait.done;
  group.done.clear();
  group.done.add(products_of(wait.warp, wait.warps_before), wait.done);
  const WarpId first = first_of(wait.warp, wait.warps_before);
  const Issue* const issue = issue_of(group, wait.done);
  for (unsigned i = 0; i < warps && issue != nullptr; ++i) {
    const WarpId warp{first.rank, static_cast<std::uint16_t>(first.index + i)};
    if (issue->known[i] != nullptr) group.done.mention(issue->known[i]);
    for (const ThreadId lane : threads_of(warp, all_lanes)) {
      group.done.mention(state_.order.actor(lane), issue->time[i]);
    }
  }
  return group.done.all();
}

void ProductChecker::end_cta(std::uint16_t rank) {
  for (auto& [warp, gathered] : gathered_) {
    if (gathered.warp.rank == rank) look_at(gathered);
  }
}

}  // namespace tmaemu::check
