// What the checker of one cluster has found, until it is reported, which is when the cluster ends,
// in whatever way: each pair of instructions once, and causes rather than consequences, or at least
// before them.
#pragma once

#include <cstdint>
#include <functional>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "emulator/check/consequences.h"
#include "emulator/model/finding.h"
#include "emulator/model/finding_sink.h"

namespace tmaemu::check {

// How far from each other the two threads of a finding are.
enum class Apart : std::uint8_t { in_warp, in_cta, in_cluster };
Apart apart(const Finding& finding);  // from that of its first note

class Reporter {
 public:
  explicit Reporter(FindingSink& sink) : sink_(sink) {}

  void start() {
    known_.clear();
    found_ = {};
  }
  // Whether this pair was found before: then the finding need not even be made.
  bool is_known(Sentence sentence, std::uint32_t site, std::uint32_t other) {
    return !known_.emplace(sentence, site, other, Apart::in_warp).second;
  }
  // The same of a finding with a note. Where its help depends on how far its two threads are apart,
  // a pair is found once for each distance.
  bool is_known(const Finding& finding);
  // It is a mistake, whatever else there is.
  void report(const Finding& finding) {
    sink_.suspect(finding);
    found_.reported.push_back(finding);
  }
  // It is one unless it follows from something else; that is decided when the cluster ends.
  void suspect(Finding finding, About about = {}) {
    sink_.suspect(finding);
    found_.suspicions.push_back({std::move(finding), about});
  }
  // The first such suspicion so far, of which that holds; null where there is none.
  const Finding* find_suspicion(Sentence sentence,
                                const std::function<bool(const Finding&)>& holds) const {
    for (const Suspicion& suspicion : found_.suspicions) {
      if (suspicion.finding.sentence == sentence && holds(suspicion.finding)) {
        return &suspicion.finding;
      }
    }
    return nullptr;
  }
  // Calls change(finding) for those of that sentence so far: they may turn out to be something
  // else.
  void change_suspicions(Sentence sentence, const std::function<void(Finding&)>& change) {
    for (Suspicion& suspicion : found_.suspicions) {
      if (suspicion.finding.sentence == sentence) change(suspicion.finding);
    }
  }
  // `key`: what the fact is about.
  void note(Fact fact, std::uint64_t key) { found_.facts.emplace(fact, key); }
  bool is_noted(Fact fact, std::uint64_t key) const { return found_.facts.contains({fact, key}); }

  // `merge`: leaves one of the findings that are one mistake.
  void finish(const SameSource& source,
              const std::function<void(std::vector<Finding>&)>& merge = {});

 private:
  FindingSink& sink_;
  std::set<std::tuple<Sentence, std::uint32_t, std::uint32_t, Apart>> known_;
  FoundInCluster found_;
};

}  // namespace tmaemu::check
