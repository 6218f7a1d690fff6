// The text of a random kernel while it grows: registers, labels, checkpoints, and the choices that
// a seed makes.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/split_mix.h"
#include "tests/conformance/random_program.h"

namespace conformance {

class KernelText {
 public:
  // CTAs of `threads` threads, each with `input_words` words.
  KernelText(std::uint64_t seed, unsigned ctas, unsigned threads, unsigned input_words);

  std::uint64_t random() { return random_.next(); }
  unsigned below(unsigned limit) { return static_cast<unsigned>((random() >> 32) % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T, std::size_t count>
  const T& one_of(const T (&choices)[count]) {
    return choices[below(count)];
  }
  template <class T>
  const T& one_of(const std::vector<T>& choices) {
    return choices[below(static_cast<unsigned>(choices.size()))];
  }

  // A line of the body, put together from its parts, of which one draws at most: each compiler
  // calls the arguments in an order of its own, and every machine has to write the same programs.
  template <class... Parts>
  void line(const Parts&... parts) {
    (append(parts), ...);
    body_ += '\n';
  }
  // A line before the kernel: a function, a variable.
  void declare(std::string_view text) { module_.append(text) += '\n'; }
  // A new register of the type ("b32", "pred").
  std::string reg(std::string_view type);
  std::string label() { return "L" + std::to_string(labels_++); }

  // The thread's input, a word or its lower part.
  void load_input(const std::string& to, std::string_view type, unsigned word);
  // The value is compared.
  void checkpoint(const std::string& value, unsigned bits);

  void add_map(const RandomMap& map) { program_.maps.push_back(map); }

  // Ends the kernel, whose threads have `memory_bytes` bytes of global memory together. `version`:
  // of PTX.
  RandomProgram finish(std::size_t memory_bytes, std::string_view attributes = "",
                       std::string_view version = "8.5");

 private:
  void append(std::string_view text) { body_ += text; }
  void append(std::integral auto number) { body_ += std::to_string(number); }

  common::SplitMix64 random_;
  RandomProgram program_;
  std::string module_, registers_, body_;
  unsigned next_register_ = 0;
  unsigned labels_ = 0;
};

}  // namespace conformance
