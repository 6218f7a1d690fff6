// What the command lines of the suites have in common.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <string_view>
#include <vector>

namespace conformance {

// "--workers 4": a number behind the name.
struct Option {
  std::string_view name;
  std::uint64_t* value;
};

// Sets the options that are there. Gives the other words; nothing where an option has no number.
inline std::optional<std::vector<const char*>> take_options(int argc, char** argv,
                                                            std::initializer_list<Option> options) {
  std::vector<const char*> words;
  for (int i = 1; i < argc; ++i) {
    const auto* const option = std::find_if(options.begin(), options.end(),
                                            [&](const Option& one) { return one.name == argv[i]; });
    if (option == options.end()) {
      words.push_back(argv[i]);
    } else if (++i == argc) {
      return std::nullopt;
    } else {
      *option->value = std::strtoull(argv[i], nullptr, 10);
    }
  }
  return words;
}

}  // namespace conformance
