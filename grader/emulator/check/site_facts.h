// What the text of a program says about its instructions, found once a program.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "emulator/program/program.h"

namespace tmaemu::check {

class SiteFacts {
 public:
  explicit SiteFacts(const Program& program);
  // Those of the program, which keeps them.
  static std::shared_ptr<const SiteFacts> of(const Program& program);

  // The shared variable that the instruction's address in shared memory is computed from; null
  // where it may be several. One with an end: dynamic shared memory has none.
  const SharedVariable* variable(std::uint32_t site) const { return variables_[site]; }
  // It asks an mbarrier, or a flag, and nobody looks at the answer.
  bool is_vain_question(std::uint32_t site) const { return vain_questions_[site]; }

 private:
  std::vector<const SharedVariable*> variables_;  // by site
  std::vector<bool> vain_questions_;
};

}  // namespace tmaemu::check
