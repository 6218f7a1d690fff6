// Where the instructions of a function may go on: what it takes to tell lanes that are past a
// place from lanes that have ended before they came to it.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "emulator/ptx/module.h"

namespace tmaemu::check {

class ControlFlow {
 public:
  explicit ControlFlow(const ptx::Function& function);

  // A store that every thread executes which has executed this instruction, unless it never ends,
  // and from which there is no way back to it: who has executed the store will not come to the
  // instruction any more. Nothing where there is none among the next few stores.
  std::optional<std::size_t> store_behind(std::size_t instruction) const;
  // Whether every thread that has executed `from` executes `to`, unless it never ends.
  bool is_always_behind(std::size_t from, std::size_t to) const {
    return !is_reachable(from, end_, to);
  }

  // Whether a thread that has executed `from` may execute `to` behind it.
  bool leads(std::size_t from, std::size_t to) const { return is_reachable(from, to, nothing); }

 private:
  static constexpr std::size_t nothing = ~std::size_t{0};
  bool is_reachable(std::size_t from, std::size_t to, std::size_t avoiding) const;

  const ptx::Function& function_;
  std::size_t end_;                             // stands for the function's end
  std::vector<std::vector<std::size_t>> next_;  // by instruction
};

}  // namespace tmaemu::check
