#include "emulator/check/register_checker.h"

#include <algorithm>

namespace tmaemu::check {

RegisterChecker::Register& RegisterChecker::find(std::vector<Register>& registers,
                                                 std::uint32_t place) {
  if (place >= registers.size()) registers.resize(place + 1);
  return registers[place];
}

void RegisterChecker::use(const events::RegisterUse& use) {
  Warp& own = of(use.warp);
  std::vector<Register>& registers = own.registers[use.frame];
  const ThreadId thread = thread_of(use.warp, 0);
  const auto note_use = [&](Register& used) {
    if (use.only_copies) return;
    used.used_at = use.site;
    used.used_after = own.fences;
    used.was_used = true;
  };
  for (const std::uint32_t place : use.read) {
    Register& read = find(registers, place);
    if (read.result_of > own.done && !use.only_copies) {
      report_in_flight(own, use.site, thread, read, read.result_of,
                       Sentence::accumulator_read_in_flight,
                       Sentence::accumulator_read_behind_short_wait);
    }
    note_use(read);
  }
  for (const std::uint32_t place : use.written) {
    Register& written = find(registers, place);
    const std::uint32_t product = std::max(written.result_of, written.factor_of);
    if (product > own.done) {
      report_in_flight(own, use.site, thread, written, product,
                       Sentence::register_written_in_flight,
                       Sentence::register_written_behind_short_wait);
    }
    note_use(written);
  }
}

// Where the warp has waited, and the product was in no group, that is the cause; where it was in
// one that the wait left pending, the wait's number is.
void RegisterChecker::report_in_flight(const Warp& own, std::uint32_t site, ThreadId thread,
                                       const Register& found, std::uint32_t product,
                                       Sentence sentence, Sentence behind_wait) {
  const Note issue = state_.note(NoteSentence::product_issued_here, found.issued_at, thread);
  if (!own.last_wait || own.last_wait->issued < product) {
    return state_.report(state_.finding(sentence, site, thread), issue);
  }
  const Wait& wait = *own.last_wait;
  if (product > own.committed()) {
    return state_.report(state_.finding(Sentence::products_not_committed, wait.site, thread),
                         issue);
  }
  const auto group = std::ranges::lower_bound(own.groups, product) - own.groups.begin();
  if (static_cast<std::size_t>(group) >= wait.groups) {  // committed behind the wait
    return state_.report(state_.finding(sentence, site, thread), issue);
  }
  const std::size_t right = wait.groups - 1 - static_cast<std::size_t>(group);
  if (state_.reporter.is_known(behind_wait, site, found.issued_at)) return;
  Finding finding = state_.finding(behind_wait, site, thread, {wait.pending, right});
  finding.notes = {issue, state_.note(NoteSentence::waits_here, wait.site, thread)};
  state_.reporter.report(std::move(finding));
}

// A result may be A of the next product when it is there.
void RegisterChecker::check_factor(const Warp& own, const events::WarpgroupProduct& product,
                                   const Register& factor) {
  if (factor.result_of <= own.done) return;
  report_in_flight(own, product.site, thread_of(product.warp, 0), factor, factor.result_of,
                   Sentence::factor_is_result_in_flight,
                   Sentence::accumulator_read_behind_short_wait);
}

void RegisterChecker::issue(const events::WarpgroupProduct& product) {
  Warp& own = of(product.warp);
  const ThreadId thread = thread_of(product.warp, 0);
  own.issued = product.number;
  if (!own.has_fenced) {
    own.has_fenced = true;  // said once
    ++own.fences;
    state_.report(state_.finding(Sentence::first_product_unfenced, product.site, thread));
  }
  std::vector<Register>& registers = own.registers[product.frame];
  const auto report = [&](const Note& note) {
    state_.report(state_.finding(Sentence::registers_unfenced, product.site, thread), note);
  };
  const auto take = [&](Register& used) {
    if (used.was_used && used.used_after == own.fences) {
      report(state_.note(NoteSentence::register_used_here, used.used_at, thread));
    }
    used.was_used = false;
    used.issued_at = product.site;
    used.issued_after = own.fences;
  };
  for (const std::uint32_t place : product.factors) {
    check_factor(own, product, find(registers, place));
  }
  // Products that add to accumulators of one shape do so one after another.
  for (const std::uint32_t place : product.results) {
    Register& result = find(registers, place);
    if (result.result_of > own.done && result.issued_after == own.fences &&
        !state_.launch.facts->accumulate_alike(result.issued_at, product.site)) {
      report(state_.note(NoteSentence::product_issued_here, result.issued_at, thread));
    }
    take(result);
    result.result_of = product.number;
  }
  for (const std::uint32_t place : product.factors) {
    Register& factor = find(registers, place);
    take(factor);
    factor.factor_of = product.number;
  }
}

void RegisterChecker::await(const events::ProductsAwaited& wait) {
  Warp& own = of(wait.warp);
  own.done = std::max(own.done, wait.done);
  while (!own.groups.empty() && own.groups.front() <= own.done) own.groups.pop_front();
  own.last_wait = {wait.site, wait.pending, own.issued, own.groups.size()};
}

}  // namespace tmaemu::check
