// Names as the source has them, from those that the compiler gave symbols.
#pragma once

#include <cxxabi.h>

#include <cstdlib>
#include <memory>
#include <string>

namespace common {

// "void copy<4>(float*)" for "_Z4copyILi4EEvPf"; the symbol itself where it is no such name, as of
// extern "C".
inline std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 && name != nullptr ? name.get() : symbol;
}

}  // namespace common
