// Which file a piece of a program came from, for explanations.
#pragma once

#include <string>

namespace tmaemu::runtime {

// The name of the program or library that holds the address, without its folder; empty where none
// does.
std::string file_of(const void* address);

// Whether the file is one of NVIDIA's libraries, which nobody else can build anew.
bool is_nvidia_library(const std::string& file);

}  // namespace tmaemu::runtime
