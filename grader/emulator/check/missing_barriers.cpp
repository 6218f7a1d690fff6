#include "emulator/check/missing_barriers.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/reporter.h"
#include "emulator/program/flow.h"

namespace tmaemu::check {
namespace {

enum class Remedy : std::uint8_t { none, barrier, wait_for_copies };

Remedy remedy_of(Sentence sentence) {
  switch (sentence) {
    case Sentence::race_of_read:
    case Sentence::race_of_writes:
    case Sentence::race_of_relaxed_read:
    case Sentence::store_reads_unsynchronized:
    case Sentence::product_reads_unsynchronized:
      return Remedy::barrier;
    case Sentence::read_before_copy_done:
    case Sentence::store_reads_copy_in_flight:
    case Sentence::product_reads_copy_in_flight:
      return Remedy::wait_for_copies;
    default:
      return Remedy::none;
  }
}

}  // namespace

// Findings that one remedy would mend.
struct MissingBarriers::Group {
  std::vector<std::size_t> members;
  Sites remedies;
};

// Every way from one access to the other leads through these.
MissingBarriers::Sites MissingBarriers::find_remedies(std::uint32_t site, std::uint32_t other,
                                                      bool is_copy) const {
  const DecodedFunction* const decoded = function_of(program_, site);
  if (decoded == nullptr || decoded != function_of(program_, other)) return {};
  const std::size_t here = site - decoded->first_site;
  const std::size_t there = other - decoded->first_site;
  const std::span<const Effects> effects = program_.effects_of(*decoded);
  const Flow flow(*decoded->function, effects);
  std::vector<bool> barriers(effects.size() + 1);
  for (std::size_t i = 0; i < effects.size() && !is_copy; ++i) barriers[i] = effects[i].awaits_cta;
  std::vector<std::size_t> places = flow.always_between(there, here, barriers);
  // Where no barrier lies on the way there or on the way back, two are missing.
  if (!is_copy && here != there) {
    std::vector<std::size_t> back = flow.always_between(here, there, barriers);
    if (!places.empty() && !back.empty()) return {};
    if (places.empty()) places = std::move(back);
  }
  Sites sites;
  for (const std::size_t place : places) {
    sites.push_back(static_cast<std::uint32_t>(decoded->first_site + place));
  }
  std::ranges::sort(sites);
  return sites;
}

const MissingBarriers::Sites& MissingBarriers::remedies(const Finding& finding) {
  const std::uint32_t other = finding.notes.front().site;
  const bool is_copy = remedy_of(finding.sentence) == Remedy::wait_for_copies;
  const auto [found, is_new] = found_.try_emplace({finding.site, other, is_copy});
  if (is_new) found->second = find_remedies(finding.site, other, is_copy);
  return found->second;
}

// Which of a group is told: what all of the threads can meet at, lanes can, too.
bool MissingBarriers::comes_first(const Finding& finding, const Finding& other) const {
  if (apart(finding) != apart(other)) return apart(finding) > apart(other);
  return std::pair(places_.lines(finding.site), places_.lines(finding.notes.front().site)) <
         std::pair(places_.lines(other.site), places_.lines(other.notes.front().site));
}

// A place of one of the others, which the reader does not know yet.
Note MissingBarriers::example_of(const std::vector<const Finding*>& others,
                                 const Finding& told) const {
  const auto has_other_line = [&](std::uint32_t site, std::uint32_t known) {
    return places_.line(site) != places_.line(known);
  };
  Note example;
  const auto first = std::ranges::find_if(
      others, [&](const Finding* each) { return has_other_line(each->site, told.site); });
  const auto second = std::ranges::find_if(others, [&](const Finding* each) {
    return has_other_line(each->notes.front().site, told.notes.front().site);
  });
  if (first == others.end() && second != others.end()) {
    example = (*second)->notes.front();
    example.bytes = {};
  } else {
    const Finding& shown = first != others.end() ? **first : *others.front();
    example.site = shown.site;
    example.cta = shown.cta;
    example.thread = shown.thread;
  }
  example.sentence = remedy_of(told.sentence) == Remedy::barrier ? NoteSentence::lacks_same_barrier
                                                                 : NoteSentence::lacks_same_wait;
  example.pairs = others.size();
  return example;
}

void MissingBarriers::explain(const Group& group, std::vector<Finding>& findings) const {
  const auto pair_of = [&](const Finding& finding) {
    return std::pair(places_.lines(finding.site), places_.lines(finding.notes.front().site));
  };
  Finding& told = findings[group.members.front()];
  std::set pairs{pair_of(told)};
  std::vector<const Finding*> others;
  for (const std::size_t member : group.members) {
    const Finding& finding = findings[member];
    if (!pairs.insert(pair_of(finding)).second) continue;
    others.push_back(&finding);
    told.explains.push_back({finding.sentence, finding.site, finding.notes.front().site});
  }
  if (!others.empty()) told.notes.push_back(example_of(others, told));
}

void MissingBarriers::merge(std::vector<Finding>& findings) {
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& finding = findings[i];
    if (remedy_of(finding.sentence) == Remedy::none || finding.notes.empty()) continue;
    const Note& other = finding.notes.front();
    if (other.launch == 0 && other.cta == finding.cta) order.push_back(i);
  }
  if (order.size() < 2) return;
  std::ranges::stable_sort(order, [&](std::size_t one, std::size_t two) {
    return comes_first(findings[one], findings[two]);
  });
  std::vector<Group> groups;
  for (const std::size_t each : order) {
    const Sites& remedies = this->remedies(findings[each]);
    if (remedies.empty()) continue;
    const FindingCode code = findings[each].code().code;
    Sites common;
    const auto group = std::ranges::find_if(groups, [&](const Group& group) {
      common.clear();
      std::ranges::set_intersection(group.remedies, remedies, std::back_inserter(common));
      return findings[group.members.front()].code().code == code && !common.empty();
    });
    if (group == groups.end()) {
      groups.push_back({{each}, remedies});
    } else {
      group->members.push_back(each);
      group->remedies = std::move(common);
    }
  }
  std::vector<bool> is_left_out(findings.size());
  for (const Group& group : groups) {
    explain(group, findings);
    const Finding& told = findings[group.members.front()];
    if (told.explains.empty()) continue;  // they are one pair of lines
    // In the place of the one that was found first.
    const auto first = std::ranges::min(group.members);
    for (const std::size_t member : group.members) is_left_out[member] = member != first;
    if (first != group.members.front()) std::swap(findings[first], findings[group.members.front()]);
  }
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    if (!is_left_out[i]) kept.push_back(std::move(findings[i]));
  }
  findings = std::move(kept);
}

}  // namespace tmaemu::check
