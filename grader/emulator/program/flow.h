// Where the instructions of a function may go on.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "emulator/program/effects.h"
#include "emulator/program/program.h"

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
  // Whether it may execute one of `to` and none of `without` in between.
  bool leads_without(std::size_t from, const std::vector<bool>& to,
                     const std::vector<bool>& without) const;
  // What every thread executes on its way from `from` to `to`, if it executes none of `without` in
  // between: `to` comes last. Nothing where there is no such way.
  std::vector<std::size_t> always_between(std::size_t from, std::size_t to,
                                          const std::vector<bool>& without) const;
  // Whether a thread that has executed `from` may execute `to` behind it.
  bool leads(std::size_t from, std::size_t to) const { return is_reachable(from, to, nothing); }

 private:
  static constexpr std::size_t nothing = ~std::size_t{0};
  bool is_reachable(std::size_t from, std::size_t to, std::size_t avoiding) const;
  std::vector<std::size_t> find_way(std::size_t from, std::size_t to,
                                    const std::vector<bool>& without) const;

  std::size_t end_;                             // stands for the function's end
  std::vector<std::vector<std::size_t>> next_;  // by instruction
};

// The function of the program whose instruction the site is; null where it is none's.
const DecodedFunction* function_of(const Program& program, std::uint32_t site);

// Whether a thread that is at one instruction may come to the other: both are sites of the program,
// and those of different functions may always be come to.
bool may_come_to(const Program& program, std::uint32_t from, std::uint32_t to);

}  // namespace tmaemu
