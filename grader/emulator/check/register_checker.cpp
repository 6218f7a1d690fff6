#include "emulator/check/register_checker.h"

#include <algorithm>

#include "common/text.h"
#include "contract/findings/sentences.h"
#include "emulator/check/site_facts.h"

namespace tmaemu::check {

RegisterChecker::Register& RegisterChecker::find(std::vector<Register>& registers,
                                                 std::uint32_t place) {
  if (place >= registers.size()) registers.resize(place + 1);
  return registers[place];
}

RegisterChecker::InFlight RegisterChecker::result_in(const Warp& own, const Register& found) {
  if (found.result_of > own.done) return {found.result_of, found.issued_at};
  if (found.copy_of > own.done) return {found.copy_of, found.copy_issued_at};
  return {};
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
  InFlight copied;
  bool copies_value = use.read.empty();
  for (const std::uint32_t place : use.read) {
    Register& read = find(registers, place);
    const InFlight result = result_in(own, read);
    copies_value |= read.has_value;
    if (result.product > copied.product) copied = result;
    if (result.product != 0 && !use.only_copies) {
      report_in_flight(own, use.site, thread, result, Sentence::accumulator_read_in_flight,
                       Sentence::accumulator_read_behind_short_wait);
    }
    note_use(read);
  }
  for (const std::uint32_t place : use.written) {
    Register& written = find(registers, place);
    const std::uint32_t product = std::max(written.result_of, written.factor_of);
    if (product > own.done) {
      report_in_flight(own, use.site, thread, {product, written.issued_at},
                       Sentence::register_written_in_flight,
                       Sentence::register_written_behind_short_wait);
    }
    note_use(written);
    written.has_value |= !use.only_copies || copies_value;
    written.copy_of = use.only_copies ? copied.product : 0;
    written.copy_issued_at = copied.issued_at;
  }
}

// Where the warp has waited, and the product was in no group, that is the cause; where it was in
// one that the wait left pending, the wait's number is.
void RegisterChecker::report_in_flight(const Warp& own, std::uint32_t site, ThreadId thread,
                                       InFlight found, Sentence sentence, Sentence behind_wait) {
  const auto [product, issued_at] = found;
  const Note issue = state_.note(NoteSentence::product_issued_here, issued_at, thread);
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
  if (state_.reporter.is_known(behind_wait, site, issued_at)) return;
  Finding finding =
      state_.finding(behind_wait, site, thread, {common::counted(wait.pending, "group"), right});
  finding.notes = {issue, state_.note(NoteSentence::waits_here, wait.site, thread)};
  state_.reporter.report(std::move(finding));
}

// A result may be A of the next product when it is there.
void RegisterChecker::check_factor(const Warp& own, const events::WarpgroupProduct& product,
                                   const Register& factor) {
  const InFlight result = result_in(own, factor);
  if (result.product == 0) return;
  report_in_flight(own, product.site, thread_of(product.warp, 0), result,
                   Sentence::factor_is_result_in_flight,
                   Sentence::accumulator_read_behind_short_wait);
}

void RegisterChecker::check_values(const events::WarpgroupProduct& product,
                                   std::vector<Register>& registers) {
  const auto is_unset = [&](std::uint32_t place) { return !find(registers, place).has_value; };
  const SiteFacts& facts = *state_.launch.facts;
  const ThreadId thread = thread_of(product.warp, 0);
  if (product.accumulates && facts.has_unset_results(product.site) &&
      std::ranges::any_of(product.results, is_unset)) {
    state_.report(state_.finding(Sentence::accumulators_never_set, product.site, thread));
  }
  if (facts.has_unset_factors(product.site) && std::ranges::any_of(product.factors, is_unset)) {
    state_.report(state_.finding(Sentence::factors_never_set, product.site, thread));
  }
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
  const bool is_waited_for = state_.launch.program.waits_for_each_product();
  const auto take = [&](Register& used) {
    if (used.was_used && used.used_after == own.fences && !is_waited_for) {
      report(state_.note(NoteSentence::register_used_here, used.used_at, thread));
    }
    used.was_used = false;
    used.issued_at = product.site;
    used.issued_after = own.fences;
  };
  check_values(product, registers);
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
    result.copy_of = 0;
    result.has_value = true;
  }
  for (const std::uint32_t place : product.factors) {
    Register& factor = find(registers, place);
    take(factor);
    factor.factor_of = product.number;
  }
  if (is_waited_for) own.done = product.number;
}

void RegisterChecker::await(const events::ProductsAwaited& wait) {
  Warp& own = of(wait.warp);
  own.done = std::max(own.done, wait.done);
  while (!own.groups.empty() && own.groups.front() <= own.done) own.groups.pop_front();
  own.last_wait = {wait.site, wait.pending, own.issued, own.groups.size()};
}

}  // namespace tmaemu::check
