// Modules of PTX with shared variables of every kind: what nvcc writes, and what it never does.
#pragma once

#include <string>
#include <vector>

namespace conformance {

struct SharedModule {
  std::string text;
  // Each takes the address of `words` words, and stores there the shared addresses that it, or a
  // function that it calls, knows: a word a variable.
  std::vector<std::string> kernels;
  unsigned words = 0;
};

inline constexpr unsigned shared_module_count = 600;

SharedModule shared_module(unsigned number);

}  // namespace conformance
