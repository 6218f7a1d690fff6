// One test of a launcher as data: what it is called with, and what every buffer must hold
// afterwards.
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "judge/tensor.h"

namespace judge {

// A part of a lab, as lab.toml names it, and the launcher that the student writes for it.
struct Part {
  const char* id;
  const char* launcher;  // its declaration
};

struct BufferArgument {
  std::string name;
  Tensor before;
  Tensor after;                  // what a right launcher leaves
  bool is_input = false;         // must not change: a difference is reported in those words
  std::size_t misalignment = 0;  // bytes past an address that cudaMalloc could return
};

using CallArgument = std::variant<std::int64_t, BufferArgument>;

inline CallArgument integer(std::int64_t value) {
  return value;
}
inline CallArgument input(std::string name, Tensor contents) {
  return BufferArgument{std::move(name), contents, contents, true};
}
inline CallArgument output(std::string name, Tensor expected) {
  Tensor before = poison(expected.type, expected.shape);
  return BufferArgument{std::move(name), std::move(before), std::move(expected)};
}
inline CallArgument in_place(std::string name, Tensor before, Tensor after,
                             std::size_t misalignment = 0) {
  return BufferArgument{std::move(name), std::move(before), std::move(after), false, misalignment};
}

struct CallCase {
  Part part;
  std::string name;  // "1024 ints"
  std::vector<CallArgument> arguments;
};

}  // namespace judge
