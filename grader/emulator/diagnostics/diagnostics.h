// The findings of one launch: which of them are reported, in which order, and how often they were.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "emulator/diagnostics/known_findings.h"
#include "emulator/diagnostics/output.h"
#include "emulator/diagnostics/places.h"
#include "emulator/model/finding_sink.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"

namespace tmaemu {

class Diagnostics : public FindingSink {
 public:
  Diagnostics(const Program& program, const LaunchRequest& request,
              FindingOutput& output = finding_output())
      : program_(program), request_(request), places_(program, request), output_(output) {}

  // Findings' notes may speak of that launch, which is to outlive this one.
  void add(std::uint64_t launch, const Places& places) { places_.add(launch, places); }

  // Reports the finding, once for each sentence and pair of lines of the source, with the calls of
  // functions that lead to them. Which cluster
  // comes first is decided by the grid's order, not by which host thread was faster: what a cluster
  // finds is held until all before it have ended.
  void report(const Finding& finding) override;
  // The cluster of this number has ended without a fault. What those behind a fault found is never
  // reported: they might as well not have run.
  void cluster_ended(std::uint64_t cluster) override;
  // All of them have: what is held is reported.
  void all_clusters_ended();
  // The fault that the launch ends with.
  void fault(const Finding& finding) override;
  // Says how often findings were repeated.
  void finish();

  const Places& places() const { return places_; }

 private:
  // Findings with one key are one.
  struct Key {
    Sentence sentence;
    std::vector<Places::Line> lines;
    std::vector<Places::Line> other;  // of the first note
    auto operator<=>(const Key&) const = default;
  };
  // A finding of a cluster, and how often it was.
  struct Repeated {
    Finding finding;
    std::uint64_t count = 0;
  };
  struct Reported {
    KnownFindings::Key in_process;
    Diagnostic diagnostic;
    std::optional<std::uint64_t> number;  // the output's; nothing where it took no more
    std::uint64_t count = 0;
  };
  Key key_of(const Finding& finding) const;
  static std::vector<Finding> explained_by(const Finding& finding);
  KnownFindings::Key key_in_process(const Finding& finding) const;
  void add(std::vector<Repeated>& list, const Finding& finding) const;
  std::uint64_t cluster_of(const Dimensions& cta) const;
  void send(const Repeated& repeated);
  // That of the finding, or of one that tells of what it explains; null where there is none yet.
  Reported* find_reported(const Finding& finding);

  const Program& program_;
  const LaunchRequest& request_;
  Places places_;
  FindingOutput& output_;
  std::size_t program_hash_ = 0;  // when it is first needed
  std::mutex mutex_;
  std::uint64_t first_running_ = 0;                      // all clusters before this one have ended
  std::set<std::uint64_t> ended_;                        // those behind it that have
  std::map<std::uint64_t, std::vector<Repeated>> held_;  // by cluster
  std::map<Key, Reported> reported_;
  std::map<Key, Key> told_with_;  // what another finding explains, and that one
};

}  // namespace tmaemu
