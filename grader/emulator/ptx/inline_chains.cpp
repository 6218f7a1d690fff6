#include "emulator/ptx/inline_chains.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace tmaemu::ptx {
namespace {

// Of calls through one line, those that came last are looked at: in a library's deep helpers there
// are hundreds, and each step compares all of two.
constexpr std::size_t most_candidates = 32;

// One step that leaves the calling function out decides by itself; other steps do not, not even two
// of them: the optimizer mixes the copies of a loop's body.
constexpr int unknown_step = 2;
constexpr int step_out_of_function = 10;
constexpr int step_to_itself = 10;  // the compiler writes no .loc twice in a row
constexpr int about_the_least = 9;

bool are_one_place(const SourceLocation& a, const SourceLocation& b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

}  // namespace

InlineChains::InlineChains(const std::vector<LineDirective>& directives,
                           const std::vector<InlineSite>& inline_sites, const SiteOf& site_of)
    : sites_(inline_sites) {
  find_candidates(directives, site_of);
  const bool is_open =
      std::ranges::any_of(candidates_, [](const auto& several) { return several.size() > 1; });
  if (!is_open) return;
  find_steps();
  learn_order();
  weigh();
  keep_best();
}

void InlineChains::find_candidates(const std::vector<LineDirective>& directives,
                                   const SiteOf& site_of) {
  std::map<std::tuple<std::int32_t, std::uint32_t, std::uint32_t>, std::vector<SourceLocation>>
      calls_at;
  const auto calls_of = [&](const SourceLocation& place) -> std::vector<SourceLocation>& {
    return calls_at[{place.file, place.line, place.column}];
  };
  introduces_call_.resize(directives.size());
  for (std::size_t i = 0; i < directives.size(); ++i) {
    const LineDirective& directive = directives[i];
    std::vector<SourceLocation>& found = candidates_.emplace_back();
    if (!directive.call) {
      found.push_back(directive.place);
    } else {
      const bool is_introduced = i > 0 && directives[i - 1].first == directive.first &&
                                 are_one_place(directives[i - 1].place, *directive.call);
      if (is_introduced) introduces_call_[i - 1] = true;
      std::vector<SourceLocation> calls =
          is_introduced ? candidates_[i - 1] : calls_of(*directive.call);
      if (calls.empty()) calls.push_back(*directive.call);
      if (is_introduced) {
        std::vector<SourceLocation>& known = calls_of(*directive.call);
        for (const SourceLocation& call : calls) {
          if (std::ranges::find(known, call) == known.end()) known.push_back(call);
        }
        if (known.size() > most_candidates)
          known.erase(known.begin(), known.end() - most_candidates);
      }
      for (const SourceLocation& call : calls) {
        SourceLocation& location = candidates_[i].emplace_back(directive.place);
        location.inlined_at = site_of(call, directive);
      }
    }
  }
}

InlineChains::Chain InlineChains::number_of(const SourceLocation& location) {
  const auto [known, is_new] = numbers_.try_emplace(
      {location.file, location.line, location.column, location.inlined_at}, chains_.size());
  if (is_new) chains_.push_back(location);
  return known->second;
}

void InlineChains::find_steps() {
  for (std::size_t i = 0; i < candidates_.size(); ++i) {
    if (introduces_call_[i]) continue;
    Step& step = steps_.emplace_back();
    step.directive = i;
    for (const SourceLocation& location : candidates_[i])
      step.chains.push_back(number_of(location));
    step.costs.resize(step.chains.size());
  }
}

// Whether the other one is of the call that inlined the first, or of what that call inlined: a
// helper's body goes on behind what it calls. Only where the helper was inlined, too.
bool InlineChains::is_in_callers_function(const SourceLocation& inlined,
                                          const SourceLocation& other) const {
  if (inlined.inlined_at < 0) return false;
  const SourceLocation& call = sites_[static_cast<std::size_t>(inlined.inlined_at)].call;
  if (call.inlined_at < 0) return false;
  const SourceLocation* place = &other;
  while (*place != call && place->inlined_at >= 0) {
    place = &sites_[static_cast<std::size_t>(place->inlined_at)].call;
  }
  return *place == call;
}

void InlineChains::learn_order() {
  for (std::size_t i = 1; i < steps_.size(); ++i) {
    if (steps_[i - 1].chains.size() > 1 || steps_[i].chains.size() > 1) continue;
    known_steps_.emplace(steps_[i - 1].chains.front(), steps_[i].chains.front());
  }
  leaving_.resize(chains_.size());
  entering_.resize(chains_.size());
  const auto note = [&](int& of, Chain inlined, Chain other) {
    const bool is_way_back =
        of != unknown_step && is_in_callers_function(chains_[inlined], chains_[other]);
    of = is_way_back ? step_out_of_function : unknown_step;
  };
  for (const auto& [from, to] : known_steps_) {
    note(leaving_[from], from, to);
    note(entering_[to], to, from);
  }
}

int InlineChains::cost(Chain from, Chain to) const {
  if (from == to) return step_to_itself;
  return known_steps_.contains({from, to}) ? 0 : leaving_[from] + entering_[to];
}

// The cheapest way to each chain from the function's begin, and from there to its end.
void InlineChains::weigh() {
  const auto go_on = [&](const Step& before, std::vector<int>& costs_before, const Step& step,
                         bool is_backward) {
    std::vector<int> costs;
    for (const Chain chain : step.chains) {
      int least = std::numeric_limits<int>::max();
      for (std::size_t i = 0; i < before.chains.size(); ++i) {
        const Chain other = before.chains[i];
        const int more = is_backward ? cost(chain, other) : cost(other, chain);
        least = std::min(least, costs_before[i] + more);
      }
      costs.push_back(least);
    }
    // Only differences matter.
    const int common = *std::ranges::min_element(costs);
    for (int& one : costs) one -= common;
    costs_before = std::move(costs);
  };
  std::vector<int> costs(steps_.front().chains.size());
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    if (i > 0) go_on(steps_[i - 1], costs, steps_[i], false);
    steps_[i].costs = costs;
  }
  costs.assign(steps_.back().chains.size(), 0);
  for (std::size_t i = steps_.size() - 1; i-- > 0;) {
    go_on(steps_[i + 1], costs, steps_[i], true);
    for (std::size_t k = 0; k < costs.size(); ++k) steps_[i].costs[k] += costs[k];
  }
}

void InlineChains::keep_best() {
  for (const Step& step : steps_) {
    std::vector<std::size_t> order(step.chains.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return step.costs[i]; });
    std::vector<SourceLocation>& kept = candidates_[step.directive];
    kept.clear();
    for (const std::size_t i : order) {
      if (step.costs[i] <= step.costs[order.front()] + about_the_least) {
        kept.push_back(chains_[step.chains[i]]);
      }
    }
  }
}

}  // namespace tmaemu::ptx
