// What this process has told of, over all of its launches: a finding of a kernel that is launched
// again and again is one.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

#include "contract/rendering/diagnostic.h"
#include "emulator/diagnostics/output.h"

namespace tmaemu {

class KnownFindings {
 public:
  // Those of one sentence at one pair of lines are one, if they are of one program.
  struct Key {
    std::size_t program = 0;  // a hash of its text
    Sentence sentence;
    std::string place;
    std::string other;  // of the first note; empty where there is none
    auto operator<=>(const Key&) const = default;
  };

  // Where a launch before this one had the finding: counts it, and it is not told again.
  bool counts(const Key& key, std::uint64_t count);
  // The launch is over that had it first, so often. `number`: the output's.
  void add(const Key& key, std::uint64_t number, const Diagnostic& diagnostic, std::uint64_t count);
  // Tells the output how often each was found that was found again since.
  void tell(FindingOutput& output);

 private:
  struct Known {
    std::uint64_t number = 0;
    Diagnostic diagnostic;
    std::uint64_t count = 0;
    std::uint64_t told = 0;
  };
  std::mutex mutex_;
  std::map<Key, Known> known_;
};

// Those of this process; when it ends, it tells how often they were found.
KnownFindings& known_findings();

}  // namespace tmaemu
