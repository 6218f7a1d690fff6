// Which of the emulator's libraries stands in the place of one of CUDA's.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tmaemu::loader {

// "libcudart.so.13" for each name or path by which a program may ask for that library:
// /usr/local/cuda/lib64/libcudart.so.13.0.96, or libcudart-1a2b3c.so.13 as wheels rename it.
// Nothing for a library that stays what it is, and where a name does not say which version is
// meant.
std::optional<std::string> replacement(std::string_view asked);

// Whether it is a path to one of those that does not say which one:
// /usr/local/cuda/lib64/libcudart.so.
bool names_no_version(std::string_view asked);

}  // namespace tmaemu::loader
