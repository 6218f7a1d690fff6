// Which strong loads ask for something that another thread says at any time: what they bring
// decides where their thread goes on, or whether it keeps what it has read. The others read data,
// and what is volatile or relaxed orders nothing.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "emulator/program/effects.h"
#include "emulator/ptx/module.h"

namespace tmaemu::check {

class Polls {
 public:
  // `effects`: of the body's instructions. Both must outlive this.
  Polls(const ptx::Function& function, std::span<const Effects> effects);

  // By instructions: whether it is a strong load that polls. Where that takes too long to find out,
  // it does.
  std::vector<bool> find() const;

 private:
  using Registers = std::unordered_set<std::string_view>;
  using Definitions = std::unordered_map<std::string_view, std::vector<std::size_t>>;
  struct Branch {
    std::size_t instruction;
    std::vector<bool> loads;  // by instructions: those that it depends on
  };
  Definitions definitions() const;
  std::vector<std::size_t> add_sources(Registers& registers, const Definitions& definitions) const;
  Registers deciding(const Definitions& definitions) const;
  std::vector<Branch> branches_on_strong_loads(const Definitions& definitions) const;
  bool is_strong_load(std::size_t instruction) const;
  bool brings_to(std::size_t load, const Registers& registers) const;

  const ptx::Function& function_;
  std::span<const Effects> effects_;
};

}  // namespace tmaemu::check
