// What the checker of one cluster has found, until it is told, which is when the cluster ends, in
// whatever way: each pair of instructions once, and causes rather than consequences, or at least
// before them.
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
    held_.clear();
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
    sink_.suspect(finding);
    blamed_.insert(finding.site);
    reported_.emplace(finding.sentence, finding.site);
    for (const Note& note : finding.notes) blamed_.insert(note.site);
    const bool is_early_read = finding.sentence == Sentence::read_before_load_done ||
                               finding.sentence == Sentence::read_before_copy_done;
    if (is_early_read && !finding.notes.empty()) {
      read_too_soon_.emplace_back(finding.site, finding.notes.front().site);
    }
    if (follows_missing_wait(finding.sentence)) {
      late_.push_back(finding);
    } else {
      held_.push_back(finding);
    }
  }
  // Reported when the cluster ends, unless it is a consequence of something else by then.
  void defer(Finding finding, std::function<bool()> is_consequence) {
    sink_.suspect(finding);
    deferred_.push_back({std::move(finding), std::move(is_consequence)});
  }
  // Reported when the cluster ends, if nothing else was reported by then.
  void defer_unless_others(Finding finding) {
    if (is_known(finding.sentence, finding.site, finding.site)) return;
    sink_.suspect(finding);
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
    std::ranges::stable_sort(deferred_, {}, [](const Deferred& deferred) {
      return causality_of(deferred.finding.sentence);
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
      if (!is_of_early_read(finding, is_one_line)) held_.push_back(finding);
    }
    late_.clear();
    const std::vector<Finding> all = held_;
    std::erase_if(held_, [&](const Finding& finding) {
      return is_of_write_during_load(finding) || is_of_early_copy_read(finding, all);
    });
    std::ranges::stable_sort(held_, {}, [&](const Finding& finding) { return rank_of(finding); });
    for (const Finding& finding : held_) sink_.report(finding);
    held_.clear();
  }

 private:
  static int causality_of(Sentence sentence) {
    switch (sentence) {
      case Sentence::load_over_unread_data:
      case Sentence::wait_returned_for_past_phase:
      case Sentence::no_bytes_announced:
      case Sentence::fewer_bytes_announced:
        return 0;
      case Sentence::read_before_load_done:
        return 1;
      case Sentence::overlapping_loads:
        return 2;
      default:
        return 3;
    }
  }
  // Where all threads come to what one is to do, they initialize the mbarrier and issue the
  // operation: that is told together, and what follows from it behind.
  unsigned rank_of(const Finding& finding) const {
    const bool is_of_all = finding.sentence == Sentence::issued_twice &&
                           has_any(Sentence::mbarrier_initialized_by_all);
    return report_rank_of(is_of_all ? FindingCode::barrier_reinit : finding.code().code);
  }
  // A write into a tile that a load is under way to meets whoever reads the tile, too.
  bool is_of_write_during_load(const Finding& finding) const {
    switch (finding.sentence) {
      case Sentence::race_of_read:
      case Sentence::race_of_read_by_ctas:
      case Sentence::race_of_writes:
      case Sentence::race_of_writes_by_ctas:
        break;
      default:
        return false;
    }
    return has(Sentence::write_during_load, finding.site) ||
           (!finding.notes.empty() && has(Sentence::write_during_load, finding.notes.front().site));
  }
  // Whether the other, which is of this sentence, accuses the read of what the finding, which has a
  // note, accuses the load of.
  static bool is_of_the_same_pair(const Finding& finding, const Finding& other, Sentence sentence) {
    return other.sentence == sentence && !other.notes.empty() &&
           other.site == finding.notes.front().site && other.notes.front().site == finding.site;
  }
  // The same of cp.async as is_read_too_soon() says of loads.
  static bool is_of_early_copy_read(const Finding& finding, const std::vector<Finding>& all) {
    if (finding.sentence != Sentence::load_over_unread_data || finding.notes.empty()) return false;
    return std::ranges::any_of(all, [&](const Finding& other) {
      return is_of_the_same_pair(finding, other, Sentence::read_before_copy_done);
    });
  }
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
      return is_of_the_same_pair(finding, other.finding, Sentence::read_before_load_done);
    });
  }

  FindingSink& sink_;
  std::set<std::tuple<Sentence, std::uint32_t, std::uint32_t>> told_;
  std::vector<Deferred> deferred_;
  std::vector<Finding> last_resorts_;
  std::vector<Finding> held_;       // to be told
  std::set<std::uint32_t> blamed_;  // instructions
  std::set<std::pair<Sentence, std::uint32_t>> reported_;
  std::vector<Finding> late_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> read_too_soon_;  // the read, the load
};

}  // namespace tmaemu::check
