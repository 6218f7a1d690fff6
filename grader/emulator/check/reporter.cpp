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

// Whether its help says what its two threads can meet at.
bool names_meeting(const Finding& finding) {
  return entry_of(finding.sentence).help.find("{barrier}") != std::string_view::npos;
}

// What is found of lanes of one warp and, of the same lines, of threads further apart, is told of
// these: what they can meet at, lanes can, too.
void put_widest_first(std::vector<Finding>& findings, const SameSource& source) {
  std::vector<Finding> kept;
  for (Finding& finding : findings) {
    if (finding.notes.empty() || !names_meeting(finding)) {
      kept.push_back(std::move(finding));
      continue;
    }
    const auto is_same = [&](const Finding& other) {
      return other.sentence == finding.sentence && !other.notes.empty() &&
             source.is_one_line(other.site, finding.site) &&
             source.is_one_line(other.notes.front().site, finding.notes.front().site);
    };
    const auto first = std::ranges::find_if(kept, is_same);
    if (first != kept.end() && apart(*first) < apart(finding)) std::swap(*first, finding);
    const auto is_pair = [&](const Finding& other) {
      return is_same(other) && other.site == finding.site &&
             other.notes.front().site == finding.notes.front().site;
    };
    if (std::ranges::none_of(kept, is_pair)) kept.push_back(std::move(finding));
  }
  findings = std::move(kept);
}

}  // namespace

Apart apart(const Finding& finding) {
  const Note& other = finding.notes.front();
  if (other.cta != finding.cta) return Apart::in_cluster;
  return warp_of(other.thread) == warp_of(finding.thread) ? Apart::in_warp : Apart::in_cta;
}

bool Reporter::is_known(const Finding& finding) {
  return !known_
              .emplace(finding.sentence, finding.site, finding.notes.front().site,
                       names_meeting(finding) ? apart(finding) : Apart::in_warp)
              .second;
}

void Reporter::finish(const SameSource& source,
                      const std::function<void(std::vector<Finding>&)>& merge) {
  found_.source = source;
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
  put_widest_first(reported, source);
  if (merge) merge(reported);
  for (const Finding& finding : reported) sink_.report(finding);
  found_ = {};
}

}  // namespace tmaemu::check
