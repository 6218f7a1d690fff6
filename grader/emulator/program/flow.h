// Where the instructions of a function may go on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "emulator/program/effects.h"

namespace tmaemu {

// By instructions' positions in the function's body.
class Flow {
 public:
  // `effects`: of the body's instructions.
  Flow(const ptx::Function& function, std::span<const Effects> effects);

  // Whether every thread that has executed `from` executes `to`, unless it never ends.
  bool is_always_behind(std::size_t from, std::size_t to) const {
    return !is_reachable(from, end_, to);
  }
  // Whether a thread that has executed `from` may execute `to` behind it.
  bool leads(std::size_t from, std::size_t to) const { return is_reachable(from, to, nothing); }

 private:
  static constexpr std::size_t nothing = ~std::size_t{0};
  bool is_reachable(std::size_t from, std::size_t to, std::size_t avoiding) const;

  std::size_t end_;                             // stands for the function's end
  std::vector<std::vector<std::size_t>> next_;  // by instruction
};

}  // namespace tmaemu
