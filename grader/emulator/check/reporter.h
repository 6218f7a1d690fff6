// What the checker of one cluster has found, until it is told: each pair of instructions once, and
// causes rather than consequences.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "emulator/model/finding.h"
#include "emulator/model/finding_sink.h"

namespace tmaemu::check {

class Reporter {
 public:
  explicit Reporter(FindingSink& sink) : sink_(sink) {}

  void start() {
    told_.clear();
    deferred_.clear();
    last_resorts_.clear();
    blamed_.clear();
    reported_.clear();
    late_.clear();
    read_too_soon_.clear();
  }
  // Whether this pair was reported before: then the finding need not even be made.
  bool is_known(Sentence sentence, std::uint32_t site, std::uint32_t other) {
    return !told_.emplace(sentence, site, other).second;
  }
  void report(const Finding& finding) {
    blamed_.insert(finding.site);
    reported_.emplace(finding.sentence, finding.site);
    for (const Note& note : finding.notes) blamed_.insert(note.site);
    if (finding.sentence == Sentence::read_before_load_done && !finding.notes.empty()) {
      read_too_soon_.emplace_back(finding.site, finding.notes.front().site);
    }
    if (follows_missing_wait(finding.sentence)) {
      late_.push_back(finding);
    } else {
      sink_.report(finding);
    }
  }
  // Reported when the cluster ends, unless it is a consequence of something else by then.
  void defer(Finding finding, std::function<bool()> is_consequence) {
    deferred_.push_back({std::move(finding), std::move(is_consequence)});
  }
  // Reported when the cluster ends, if nothing else was reported by then.
  void defer_unless_others(Finding finding) {
    if (is_known(finding.sentence, finding.site, finding.site)) return;
    last_resorts_.push_back(std::move(finding));
  }
  // Whether this was reported of the instruction.
  bool has(Sentence sentence, std::uint32_t site) const {
    return reported_.contains({sentence, site});
  }
  bool has_any(Sentence sentence) const {
    return std::ranges::any_of(reported_, [&](const auto& each) { return each.first == sentence; });
  }
  // Whether a finding was about this instruction.
  bool is_blamed(std::uint32_t site) const { return blamed_.contains(site); }

  // `is_one_line`: whether two instructions are of one line of the source.
  void finish(const std::function<bool(std::uint32_t, std::uint32_t)>& is_one_line) {
    // Those that come first may be the causes of those behind them.
    std::ranges::stable_partition(deferred_, [](const Deferred& deferred) {
      return deferred.finding.sentence == Sentence::load_over_unread_data ||
             deferred.finding.sentence == Sentence::wait_returned_for_past_phase ||
             deferred.finding.sentence == Sentence::overlapping_loads ||
             deferred.finding.sentence == Sentence::read_before_load_done;
    });
    for (const Deferred& deferred : deferred_) {
      if (!deferred.is_consequence() && !is_read_too_soon(deferred.finding)) {
        report(deferred.finding);
      }
    }
    deferred_.clear();
    if (blamed_.empty()) {
      for (const Finding& finding : last_resorts_) report(finding);
    }
    last_resorts_.clear();
    for (const Finding& finding : late_) {
      if (!is_of_early_read(finding, is_one_line)) sink_.report(finding);
    }
    late_.clear();
  }

 private:
  // What happens to a load that nobody has waited for is told behind the wait that is missing.
  static bool follows_missing_wait(Sentence sentence) {
    return sentence == Sentence::write_during_load || sentence == Sentence::write_to_load_source ||
           sentence == Sentence::store_reads_loading_tile ||
           sentence == Sentence::shared_never_written;
  }
  // `tile[i] += 1` without a wait: that it reads too soon says all.
  bool is_of_early_read(
      const Finding& finding,
      const std::function<bool(std::uint32_t, std::uint32_t)>& is_one_line) const {
    return std::ranges::any_of(read_too_soon_, [&](const auto& read) {
      if (!is_one_line(read.first, finding.site)) return false;
      return finding.sentence == Sentence::shared_never_written ||
             (finding.sentence == Sentence::write_during_load &&
              is_one_line(read.second, finding.notes.front().site));
    });
  }
  struct Deferred {
    Finding finding;
    std::function<bool()> is_consequence;
  };
  // A load over data that is still being read, by a thread that elsewhere reads it before the load
  // is complete: it does not wait for this load at all.
  bool is_read_too_soon(const Finding& finding) const {
    if (finding.sentence != Sentence::load_over_unread_data || finding.notes.empty()) return false;
    return std::ranges::any_of(deferred_, [&](const Deferred& other) {
      return other.finding.sentence == Sentence::read_before_load_done &&
             other.finding.site == finding.notes.front().site && !other.finding.notes.empty() &&
             other.finding.notes.front().site == finding.site;
    });
  }

  FindingSink& sink_;
  std::set<std::tuple<Sentence, std::uint32_t, std::uint32_t>> told_;
  std::vector<Deferred> deferred_;
  std::vector<Finding> last_resorts_;
  std::set<std::uint32_t> blamed_;  // instructions
  std::set<std::pair<Sentence, std::uint32_t>> reported_;
  std::vector<Finding> late_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> read_too_soon_;  // the read, the load
};

}  // namespace tmaemu::check
