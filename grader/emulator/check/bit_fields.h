// Loads that a compiler made of a write to a bit field: the other bits of the word are put back as
// they were, and nobody has looked at them.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "emulator/program/effects.h"
#include "emulator/ptx/module.h"

namespace tmaemu::check {

class BitFields {
 public:
  // `effects`: of the body's instructions. Both must outlive this.
  BitFields(const ptx::Function& function, std::span<const Effects> effects);

  // Whether bits of what the instruction, by its place in the body, loads are masked out, perhaps
  // others put in, and all that is done with the result is to store it where it came from.
  bool is_only_put_back(std::size_t load) const;

 private:
  const ptx::Function& function_;
  std::span<const Effects> effects_;
  std::unordered_map<std::string_view, std::vector<std::size_t>> readers_;  // of a register
};

}  // namespace tmaemu::check
