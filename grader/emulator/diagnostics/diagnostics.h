// Findings and faults, said in the student's terms: where, what, why, and what to write instead.
// The form is clang's, so that editors and people know how to read it.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "emulator/model/finding_sink.h"
#include "emulator/model/launch.h"
#include "emulator/program/program.h"

namespace tmaemu {

class Diagnostics : public FindingSink {
 public:
  Diagnostics(const Program& program, const LaunchRequest& request)
      : program_(program), request_(request) {}

  // Prints the finding to stderr, once for each code and place; says at the end how often it was.
  // Which cluster comes first is decided by the grid's order, not by which host thread was faster:
  // what a cluster finds is held until all before it have ended.
  void report(const Finding& finding) override;
  // The cluster of this number has ended without a fault. What those behind a fault found is never
  // told: they might as well not have run.
  void cluster_ended(std::uint64_t cluster) override;
  void fault(const Finding& finding) override;
  // Prints how often findings were repeated.
  void finish();

  // "lab3.cu:41:5" of an instruction, or where there is no line information, its PTX line.
  std::string place(std::uint32_t site) const;
  std::string thread_name(Dimensions cta, ThreadId thread) const;
  // "tile[bytes 0 to 4095]": bytes of a shared variable, or of shared memory where none is known.
  std::string shared_range(std::uint32_t offset, std::uint32_t bytes) const;
  // "full + 8 bytes": the place of an object in shared memory.
  std::string shared_place(std::uint32_t offset) const;

 private:
  // A finding, by code and place, and how often it was.
  struct Repeated {
    Finding finding;
    std::uint64_t count = 0;
  };
  static void add(std::vector<Repeated>& list, const Finding& finding);
  std::uint64_t cluster_of(const Dimensions& cta) const;
  void tell(const Repeated& repeated);
  void print(const Finding& finding) const;
  std::string message(const Finding& finding) const;
  std::string remark(const Finding& finding) const;
  std::string note(const Note& note) const;
  std::string waiters(const Waiters& waiters) const;
  std::string words(const MbarrierWait& wait) const;
  std::string words(const CtaBarrierWait& wait) const;
  std::string words(const ClusterBarrierWait& wait) const;
  std::string words(const WarpWait& wait) const;
  std::string words(const PollWait& wait) const;

  // The location in the student's own source; null where the instruction has none.
  const ptx::SourceLocation* students_place(std::uint32_t site) const;
  // The variable that holds the byte at `offset`; null where none is known.
  const SharedVariable* shared_variable(std::uint32_t offset) const;
  std::string place_text(const ptx::SourceLocation& place) const;
  std::string excerpt(std::uint32_t site, const std::string& remark) const;
  std::string inlining(std::uint32_t site) const;

  const Program& program_;
  const LaunchRequest& request_;
  std::mutex mutex_;
  std::uint64_t first_running_ = 0;                      // all clusters before this one have ended
  std::set<std::uint64_t> ended_;                        // those behind it that have
  std::map<std::uint64_t, std::vector<Repeated>> held_;  // by cluster
  std::map<std::pair<FindingCode, std::uint32_t>, std::uint64_t> reported_;
};

}  // namespace tmaemu
