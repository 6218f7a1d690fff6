// The options of cuModuleLoadDataEx, cuLibraryLoad* and cudaLibraryLoad*.
#pragma once

#include <span>

#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

// `options` have the numbers of CUjit_option and cudaJitOption, which agree. Most tune machine code
// that is never made here; those that change what a program may see are refused. Answers the ones
// that ask: the logs of the compilation are empty.
Error apply_jit_options(std::span<const int> options, void** values);

// `options` have the numbers of CUlibraryOption and cudaLibraryOption.
Error check_library_options(std::span<const int> options);

}  // namespace tmaemu::runtime
