#include "emulator/check/register_checker.h"

#include <algorithm>

namespace tmaemu::check {

void RegisterChecker::use(const events::RegisterUse& use) {
  Warp& own = of(use.warp);
  const auto note_use = [&](Register& used) {
    if (use.only_copies) return;
    used.used_at = use.site;
    used.used_after = own.fences;
    used.was_used = true;
  };
  for (const std::uint32_t place : use.read) {
    Register& read = own.registers[{use.frame, place}];
    if (read.result_of > own.done && !use.only_copies) {
      report_in_flight(own, use, read, read.result_of, Sentence::accumulator_read_in_flight);
    }
    note_use(read);
  }
  for (const std::uint32_t place : use.written) {
    Register& written = own.registers[{use.frame, place}];
    const std::uint32_t product = std::max(written.result_of, written.factor_of);
    if (product > own.done) {
      report_in_flight(own, use, written, product, Sentence::register_written_in_flight);
    }
    note_use(written);
  }
}

// Where the warp has waited, and the product was in no group, that is the cause.
void RegisterChecker::report_in_flight(const Warp& own, const events::RegisterUse& use,
                                       const Register& found, std::uint32_t product,
                                       Sentence sentence) {
  const ThreadId thread = thread_of(use.warp, 0);
  const bool has_waited = own.last_wait && own.issued_by_wait >= product;
  if (has_waited && product > own.committed) {
    return state_.report(state_.finding(Sentence::products_not_committed, *own.last_wait, thread),
                         state_.note(NoteSentence::product_issued_here, found.issued_at, thread));
  }
  state_.report(state_.finding(sentence, use.site, thread),
                state_.note(NoteSentence::product_issued_here, found.issued_at, thread));
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
  const auto check = [&](std::uint32_t place) -> Register& {
    Register& used = own.registers[{product.frame, place}];
    if (used.was_used && used.used_after == own.fences) {
      state_.report(state_.finding(Sentence::registers_unfenced, product.site, thread),
                    state_.note(NoteSentence::register_used_here, used.used_at, thread));
    }
    used.was_used = false;
    used.issued_at = product.site;
    return used;
  };
  for (const std::uint32_t place : product.results) check(place).result_of = product.number;
  for (const std::uint32_t place : product.factors) check(place).factor_of = product.number;
}

void RegisterChecker::await(const events::ProductsAwaited& wait) {
  Warp& own = of(wait.warp);
  own.done = std::max(own.done, wait.done);
  own.last_wait = wait.site;
  own.issued_by_wait = own.issued;
}

}  // namespace tmaemu::check
