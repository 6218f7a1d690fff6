// Looking up driver calls by name and CUDA version (cuGetProcAddress).
#pragma once

#include <cstddef>

namespace tmaemu::runtime {

// The form that a call has from a CUDA version on.
struct EntryPoint {
  const char* name;    // as programs ask for it
  const char* symbol;  // as the library exports it
  int since;           // 12080 for CUDA 12.8
};

// Calls with one form, whose symbol is their name, are not listed.
extern const EntryPoint entry_points[];
extern const std::size_t entry_point_count;

}  // namespace tmaemu::runtime
