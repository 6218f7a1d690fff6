// What the parts of one cluster's checker have in common.
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "emulator/check/launch_state.h"
#include "emulator/check/order.h"
#include "emulator/check/reporter.h"

namespace tmaemu::check {

struct ClusterState {
  explicit ClusterState(LaunchState& launch_of)
      : launch(launch_of),
        ctas(static_cast<unsigned>(launch.request.cluster.count())),
        threads_per_cta(static_cast<unsigned>(launch.request.block.count())),
        order(ctas, threads_per_cta),
        reporter(launch.sink),
        has_ended(ctas) {}

  LaunchState& launch;
  unsigned ctas;
  unsigned threads_per_cta;
  Order order;
  Reporter reporter;
  std::uint32_t number = 0;  // of the cluster's first CTA
  std::vector<bool> has_ended;
  // A flag was set without a release. Who polls it comes behind what was before it, which no
  // clock says.
  bool has_loose_flags = false;
  // CTAs of a cluster do tell each other so that they may go on.
  bool is_ordered_by_flags() const { return has_loose_flags && ctas > 1; }

  void start(const Dimensions& first) {
    const Dimensions& shape = launch.request.cluster;
    std::vector<std::uint32_t> numbers;
    for (unsigned rank = 0; rank < ctas; ++rank) {
      numbers.push_back(launch.number_of(cta_of_rank(first, shape, rank)));
    }
    number = numbers.front();
    order.start(numbers);
    reporter.start();
    has_ended.assign(ctas, false);
    has_loose_flags = false;
  }

  std::size_t thread_count() const { return std::size_t{ctas} * threads_per_cta; }
  std::size_t slot(ThreadId thread) const {
    return std::size_t{thread.rank} * threads_per_cta + thread.index;
  }
  Dimensions cta_of(std::uint16_t rank) const { return launch.cta(order.cta(rank)); }

  Finding finding(Sentence sentence, std::uint32_t site, ThreadId thread,
                  Values values = {}) const {
    return {sentence, std::move(values), site, cta_of(thread.rank), thread};
  }
  Note note(NoteSentence sentence, std::uint32_t site, ThreadId thread,
            SharedBytes bytes = {}) const {
    return {sentence, site, cta_of(thread.rank), thread, bytes};
  }
  // Reports a finding that has to do with another place, once a pair of places. `edge`: what was to
  // order the two, and falls short.
  void report(Finding finding, Note note, std::optional<Note> edge = {}) {
    add_notes(finding, std::move(note), std::move(edge));
    if (!reporter.is_known(finding)) reporter.report(finding);
  }
  // The same, where that takes long to find: it is asked for at the first such pair alone.
  template <std::invocable FindEdge>
  void report(Finding finding, Note note, const FindEdge& find_edge) {
    add_notes(finding, std::move(note), {});
    if (reporter.is_known(finding)) return;
    if (std::optional<Note> edge = find_edge()) finding.notes.push_back(*std::move(edge));
    reporter.report(finding);
  }
  void report(Finding finding) {
    if (!reporter.is_known(finding.sentence, finding.site, finding.site)) {
      reporter.report(std::move(finding));
    }
  }
  // The same of what may follow from something else.
  void suspect(Finding finding, std::optional<Note> note = {}, const About& about = {},
               std::optional<Note> edge = {}) {
    if (!note) {
      if (reporter.is_known(finding.sentence, finding.site, finding.site)) return;
    } else {
      add_notes(finding, *std::move(note), std::move(edge));
      if (reporter.is_known(finding)) return;
    }
    reporter.suspect(std::move(finding), about);
  }

 private:
  static void add_notes(Finding& finding, Note note, std::optional<Note> edge) {
    finding.notes.push_back(std::move(note));
    if (edge) finding.notes.push_back(*std::move(edge));
  }
};

}  // namespace tmaemu::check
