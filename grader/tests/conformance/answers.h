// The recorded answers: lines of text, an empty line, a line a name, a bit a tensor map, eight
// bytes a case.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/conformance/machine.h"

namespace conformance {

struct Answers {
  std::string title;
  Machine machine;
  std::vector<std::string> names;
  std::size_t maps = 0;
  std::vector<std::uint8_t> accepted;  // a bit each
  std::vector<std::uint64_t> cases;

  bool accepts(std::size_t map) const { return (accepted[map / 8] >> map % 8 & 1) != 0; }
  std::string header() const;
};

// Replaces the file in one step, so that an interrupted run leaves a whole one.
bool write(const std::string& path, const Answers& answers);
bool read(const std::string& path, Answers& answers);

}  // namespace conformance
