// What execution finds by itself, on its way to who tells it.
#pragma once

#include "contract/findings/sentences.h"
#include "emulator/check/site_facts.h"
#include "emulator/model/finding.h"
#include "emulator/model/finding_sink.h"

namespace tmaemu::check {

// Whether the checker tells this itself, and knows more: by whom the bytes were no mbarrier any
// more, what a surplus arrival follows from, which of the fences of a tensor map is missing. It
// hears of each by an event.
constexpr bool is_told_by_checker(Sentence sentence) {
  switch (sentence) {
    case Sentence::mbarrier_uninitialized:          // Observer::misses_mbarrier
    case Sentence::copy_on_uninitialized_mbarrier:  //
    case Sentence::load_on_uninitialized_mbarrier:  //
    case Sentence::mbarrier_arrivals:               // Observer::overflows_mbarrier
    case Sentence::mbarrier_tx_count:               //
    case Sentence::tensor_map_not_acquired:         // Observer::uses_tensor_map
      return true;
    default:
      return false;
  }
}

// Stands between execution and the sink while the checker looks on: leaves out what the checker
// tells. Execution does the same with and without it.
class ExecutionFindings final : public FindingSink {
 public:
  // `facts`: of the program.
  ExecutionFindings(FindingSink& next, const SiteFacts& facts) : next_(next), facts_(facts) {}

  void suspect(const Finding& finding) override { next_.suspect(finding); }
  void report(const Finding& finding) override {
    if (!is_told_by_checker(finding.sentence)) next_.report(finding);
  }
  // Beyond a variable that the address is computed from: the checker names the variable.
  void notice(const Finding& finding) override {
    const bool is_of_shared = finding.sentence == Sentence::shared_access_unreported ||
                              finding.sentence == Sentence::shared_operand_unreported ||
                              finding.sentence == Sentence::shared_box_unreported;
    if (is_of_shared && facts_.variable(finding.site) != nullptr) return;
    next_.report(finding);
  }
  void fault(const Finding& finding) override { next_.fault(finding); }
  void cluster_ended(std::uint64_t cluster) override { next_.cluster_ended(cluster); }

 private:
  FindingSink& next_;
  const SiteFacts& facts_;
};

}  // namespace tmaemu::check
