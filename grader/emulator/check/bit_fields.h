// Loads that a compiler made of a write to a bit field: the other bits of the word are put back as
// they were, and nobody has looked at them.
#pragma once

#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/ptx/module.h"

namespace tmaemu::check {

class BitFields {
 public:
  explicit BitFields(const ptx::Function& function);

  // Whether bits of what this loads are masked out, perhaps others put in, and all that is done
  // with the result is to store it where it came from.
  bool is_only_put_back(const ptx::Instruction& load) const;

 private:
  std::unordered_map<std::string_view, std::vector<const ptx::Instruction*>> users_;
};

}  // namespace tmaemu::check
