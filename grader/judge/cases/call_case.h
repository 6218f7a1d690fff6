// One test of a launcher as data: what it is called with, and what every buffer must hold
// afterward.
#pragma once

#include <cuda_runtime_api.h>

#include <bit>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/text.h"
#include "contract/protocol/protocol.h"
#include "contract/protocol/turned_signs.h"
#include "judge/arrays/tensor.h"
#include "judge/cases/tolerance.h"

namespace judge {

// A part of a lab, as lab.toml names it, and the launcher that the student writes for it.
struct Part {
  const char* id;
  const char* launcher;  // its declaration
  int sm = 90;           // the compute capability that its kernels need
  // Whether the replay follows where each value comes from, which costs it time: what lab.toml asks
  // of `split_phases`, `handed_over`, `handed_to_stores`, `by_wgmma`, `wgmma_chains`,
  // `grown_warpgroups` and `distributed_shared_memory` is 0 where it does not.
  bool follows_values = false;
  // A hunt's launcher launches the kernel of the part's name, and no other hunt's.
  bool is_hunt = false;
};

// What comes of a mistake that many make, so that it is known by what it leaves.
struct KnownMistake {
  std::string words;
  std::function<Tensor()> after;  // asked for where something is wrong
};

struct BufferArgument {
  std::string name;
  Tensor before;
  Tensor after;                        // what a right launcher leaves
  bool is_input = false;               // must not change: a difference is reported in those words
  std::size_t misalignment = 0;        // bytes past an address that cudaMalloc could return
  Tolerance tolerance;                 // how far from `after` a right launcher may be
  bool is_output = false;              // there is nothing in it before
  std::optional<Tensor> or_else = {};  // of each element this value is right, too
  Nans nans = Nans::equal;
  std::vector<KnownMistake> mistakes = {};
  // What the student's text calls each element, where it has a name there.
  std::vector<std::string> element_names = {};
};

using CallArgument = std::variant<std::int64_t, BufferArgument>;

inline CallArgument integer(std::int64_t value) {
  return value;
}
// A floating-point argument; SubmissionArguments::real() reads it.
inline CallArgument real(double value) {
  return std::bit_cast<std::int64_t>(value);
}
inline CallArgument input(std::string name, Tensor contents) {
  return BufferArgument{std::move(name), contents, contents, true, 0, {}};
}
inline CallArgument output(std::string name, Tensor expected) {
  Tensor before = poison(expected.type, expected.shape);
  return BufferArgument{
      std::move(name), std::move(before), std::move(expected), false, 0, {}, true};
}
// An output that is what an input is, but perhaps in other places.
inline CallArgument copied(std::string name, Tensor expected) {
  CallArgument made = output(std::move(name), std::move(expected));
  std::get<BufferArgument>(made).nans = Nans::bit_for_bit;
  return made;
}
// An output of arithmetic that may round in more ways than one.
inline CallArgument output_within(Tolerance tolerance, std::string name, Tensor expected) {
  Tensor before = poison(expected.type, expected.shape);
  return BufferArgument{
      std::move(name), std::move(before), std::move(expected), false, 0, tolerance, true};
}
// An output of arithmetic whose exact result may lie near the middle of two numbers: of each
// element either is right.
inline CallArgument output_either(std::string name, Tensor expected, Tensor other) {
  CallArgument made = output(std::move(name), std::move(expected));
  std::get<BufferArgument>(made).or_else = std::move(other);
  return made;
}
inline CallArgument in_place(std::string name, Tensor before, Tensor after,
                             std::size_t misalignment = 0) {
  return BufferArgument{std::move(name), std::move(before), std::move(after),
                        false,           misalignment,      {}};
}

// In the launcher's order. Braces in their place would copy every array.
template <class... Argument>
std::vector<CallArgument> arguments(Argument&&... argument) {
  std::vector<CallArgument> made;
  made.reserve(sizeof...(argument));
  (made.push_back(std::forward<Argument>(argument)), ...);
  return made;
}

struct CallCase {
  Part part;
  std::string name;  // "1024 ints"
  std::vector<CallArgument> arguments;
  // What a right solution moves at least through the TMA engine, between shared memory and these
  // arguments: each byte counts once as read and once as written. Counted on the emulator.
  std::uint64_t tma_bytes = 0;
  // What the device says of itself, if not what it is. Only the emulator's can: on a GPU there is
  // no such case.
  std::vector<protocol::Attribute> attributes = {};
  // The TMA bytes are counted where they go through tensor maps of at least so many dimensions.
  // Below two they are counted in whatever way they go.
  unsigned tensor_rank = 0;
  // Only the emulator's wgmma can drop them. Where it does, wrong is what was not multiplied there,
  // even if a product of zeros has been added to it, or if it was multiplied by the unit matrix
  // afterward.
  tmaemu::TurnedSigns turned_signs = {};
  // What is said of the case where its result is wrong: what one cannot know by its name.
  std::string remark = {};
};

// On a GPU of so few SMs each CTA has many tiles of a short array: the parity of a ring's stages
// flips again and again. On a whole H200 that takes long arrays, which only one run has time for.
inline const std::vector<protocol::Attribute> few_sms{{cudaDevAttrMultiProcessorCount, 2}};

// What a case's name says of such a GPU.
inline const char* on(const std::vector<protocol::Attribute>& attributes) {
  return attributes.empty() ? "" : ", on a GPU of 2 SMs";
}

// What it says of elements that are whole numbers times this.
inline std::string in_steps_of(float unit) {
  return unit == 1 ? "" : common::concat(", in steps of ", unit);
}

// What comes in and what goes out; an array that is changed in place is both.
inline std::uint64_t input_bytes(const CallCase& test) {
  std::uint64_t bytes = 0;
  for (const CallArgument& argument : test.arguments) {
    const auto* buffer = std::get_if<BufferArgument>(&argument);
    if (buffer != nullptr && !buffer->is_output) bytes += buffer->before.bytes.size();
  }
  return bytes;
}
inline std::uint64_t output_bytes(const CallCase& test) {
  std::uint64_t bytes = 0;
  for (const CallArgument& argument : test.arguments) {
    const auto* buffer = std::get_if<BufferArgument>(&argument);
    if (buffer != nullptr && !buffer->is_input) bytes += buffer->after.bytes.size();
  }
  return bytes;
}

}  // namespace judge
