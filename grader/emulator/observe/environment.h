// What the environment sets.
#pragma once

#include <cstdlib>
#include <string>

namespace tmaemu {

// Empty where the environment does not have it.
inline std::string from_environment(const char* name) {
  const char* const text = std::getenv(name);
  return text == nullptr ? "" : text;
}

}  // namespace tmaemu
