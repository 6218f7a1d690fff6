// What two kernels have in common that differ in their names alone.
#pragma once

#include <cstdint>
#include <string_view>

namespace tmaemu::runtime {

// Of the kernel's text in the module's PTX, without the names that come from its own and without
// source lines. 0 where the module has no such kernel. `kernel`: its mangled name.
std::uint64_t digest_of_kernel(std::string_view ptx, std::string_view kernel);

}  // namespace tmaemu::runtime
