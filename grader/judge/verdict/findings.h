// What the emulator found in a submission's kernels, as a replay sends it: a line of JSON each
// (contract/rendering/json_line.h), without words but for names and values. The process that writes
// the lines holds kernels that a student wrote, so each is checked against the registry, field by
// field, before it is believed; the text that people read is made of it here, in the judge.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "contract/rendering/diagnostic.h"

namespace judge {

struct Finding {
  tmaemu::Diagnostic diagnostic;
  std::uint64_t count = 1;  // how often it was found

  const tmaemu::CodeEntry& entry() const { return tmaemu::entry_of(diagnostic.code); }
};

// The findings of a call, each once. `announced`: how many there were, where a process has lived to
// say so. Those that are not among the lines, or cannot be read, come last, as one that says their
// number: none is lost.
std::vector<Finding> read_findings(std::string_view lines, std::uint64_t announced);

// Adds findings of the same case.
void add_findings(std::vector<Finding>& to, const std::vector<Finding>& more);

// "lab3.cu:41:5: wgmma is not modeled [not-modeled]", for a log.
std::string brief(const Finding& finding);

}  // namespace judge
