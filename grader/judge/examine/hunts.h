// Whose kernel a hunt launches. What is mended counts for one hunt: a launcher that launches
// another hunt's kernel mends nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "contract/protocol/launched.h"
#include "judge/cases/call_case.h"

namespace judge {

class Hunts {
 public:
  // To be called after every case of a hunt that was right. What is said of a launcher that has
  // launched anything but the kernel of the hunt's own name, or one whose code is that of a hunt
  // before: nothing, where it is as it should be.
  std::optional<std::string> objection(const Part& hunt, const tmaemu::LaunchedSet& launched);

 private:
  std::map<std::uint64_t, std::string> owners_;  // the hunt of each kernel's code
};

}  // namespace judge
