#include "emulator/check/reporter.h"

#include <algorithm>
#include <vector>

#include "contract/findings/sentences.h"

namespace tmaemu::check {
namespace {

// What happens to a load that nobody has waited for is reported behind the wait that is missing.
bool follows_missing_wait(Sentence sentence) {
  switch (sentence) {
    case Sentence::write_during_load:
    case Sentence::write_during_async_store:
    case Sentence::write_to_load_source:
    case Sentence::store_reads_loading_tile:
    case Sentence::store_reads_copy_in_flight:
    case Sentence::store_reads_store_in_flight:
    case Sentence::shared_never_written:
      return true;
    default:
      return false;
  }
}

// Findings of lower ranks are reported first.
std::pair<unsigned, bool> rank_of(const Finding& finding, const FoundInCluster& found) {
  const Consequence* const beside = find_consequence(finding, {}, Then::comes_beside, found);
  const Sentence place = beside == nullptr ? finding.sentence : beside->causes.front();
  return {report_rank_of(entry_of(place).code), follows_missing_wait(finding.sentence)};
}

}  // namespace

Reporter::Apart Reporter::apart(const Finding& finding) {
  const Note& other = finding.notes.front();
  if (other.cta != finding.cta) return Apart::in_cluster;
  return warp_of(other.thread) == warp_of(finding.thread) ? Apart::in_warp : Apart::in_cta;
}

bool Reporter::is_known(const Finding& finding) {
  const Apart now = apart(finding);
  const auto [known, is_new] =
      known_.emplace(Pair{finding.sentence, finding.site, finding.notes.front().site}, now);
  if (!is_new && known->second < now) {
    known->second = now;
    replace(finding);
  }
  return !is_new;
}

void Reporter::replace(const Finding& finding) {
  // Only the help knows which threads they are.
  if (entry_of(finding.sentence).help.find("{barrier}") == std::string_view::npos) return;
  const auto is_same = [&](const Finding& other) {
    return other.sentence == finding.sentence && other.site == finding.site &&
           !other.notes.empty() && other.notes.front().site == finding.notes.front().site;
  };
  if (const auto it = std::ranges::find_if(found_.reported, is_same); it != found_.reported.end()) {
    *it = finding;
  }
  if (const auto it = std::ranges::find_if(found_.suspicions, is_same, &Suspicion::finding);
      it != found_.suspicions.end()) {
    it->finding = finding;
  }
}

void Reporter::finish(const std::function<bool(std::uint32_t, std::uint32_t)>& is_one_line) {
  found_.is_one_line = is_one_line;
  std::ranges::stable_sort(found_.suspicions, {}, [](const Suspicion& suspicion) {
    return depth_of(suspicion.finding.sentence);
  });
  for (const Suspicion& suspicion : found_.suspicions) {
    const auto is = [&](Then then) {
      return find_consequence(suspicion.finding, suspicion.about, then, found_) != nullptr;
    };
    if (!is(Then::is_withdrawn) && !is(Then::is_withdrawn_by_suspicion)) report(suspicion.finding);
  }
  std::vector<Finding> reported;
  std::ranges::copy_if(found_.reported, std::back_inserter(reported), [&](const Finding& finding) {
    return find_consequence(finding, {}, Then::is_left_out, found_) == nullptr;
  });
  std::ranges::stable_sort(reported, {},
                           [&](const Finding& finding) { return rank_of(finding, found_); });
  for (const Finding& finding : reported) sink_.report(finding);
  found_ = {};
}

}  // namespace tmaemu::check
