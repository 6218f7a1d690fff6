// The calls that instructions were inlined through, where `.loc` leaves them open.
//
// `inlined_at` names one call. That the call was itself inlined, a .loc of the call's own place has
// said before: the compiler writes one in front of the first instruction behind each inlined call,
// outermost first, and never again. So whatever is inlined twice through one line of a helper, and
// then comes again (an unrolled loop's copies, what the optimizer has moved), may be of either
// call.
//
// What decides is the order: copies repeat that of the first one, of which all is known. Each step
// from one .loc to the next costs something where the first copies have gone on in another way, and
// more where they have always gone back into the function that makes the call. All chains are kept
// that lie on a way through the function of about the least cost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <vector>

#include "emulator/ptx/module.h"

namespace tmaemu::ptx {

// A .loc of a function. The places' own inlined_at is nothing yet.
struct LineDirective {
  SourceLocation place;
  std::optional<SourceLocation> call;  // what inlined_at names
  std::size_t function = 0;            // a number of the inlined function's name
  std::size_t first = 0;               // the instruction that it stands in front of
};

class InlineChains {
 public:
  // The index of the site at which `call` has inlined the directive's function.
  using SiteOf = std::function<std::int32_t(const SourceLocation& call, const LineDirective&)>;

  InlineChains(const std::vector<LineDirective>& directives,
               const std::vector<InlineSite>& inline_sites, const SiteOf& site_of);

  // For each directive the location of what follows it, with the calls; several where it may be of
  // one or the other, the likeliest first.
  const std::vector<std::vector<SourceLocation>>& locations() const { return candidates_; }

 private:
  using Chain = std::size_t;  // a location with all of its calls
  struct Step {
    std::size_t directive = 0;
    std::vector<Chain> chains;
    std::vector<int> costs;  // of the best way through the function that takes the chain
  };

  void find_candidates(const std::vector<LineDirective>& directives, const SiteOf& site_of);
  void find_steps();
  void learn_order();
  void weigh();
  void keep_best();

  Chain number_of(const SourceLocation& location);
  bool is_in_callers_function(const SourceLocation& inlined, const SourceLocation& other) const;
  int cost(Chain from, Chain to) const;

  const std::vector<InlineSite>& sites_;
  std::vector<std::vector<SourceLocation>> candidates_;  // by directive
  std::vector<bool> introduces_call_;                    // by directive: no instruction is its own
  std::vector<Step> steps_;
  std::map<std::tuple<std::int32_t, std::uint32_t, std::uint32_t, std::int32_t>, Chain> numbers_;
  std::vector<SourceLocation> chains_;
  std::set<std::pair<Chain, Chain>> known_steps_;
  std::vector<int> leaving_, entering_;  // by chain: the cost of a step that is none of those known
};

}  // namespace tmaemu::ptx
