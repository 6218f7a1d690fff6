// Loading device code on request: cuModuleLoad*, cuLibraryLoad*, cudaLibraryLoad*.
#pragma once

#include <span>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/module.h"

namespace tmaemu::runtime {

// From memory that the caller may free: a fat binary or zero-terminated PTX.
Error load_module(const void* image, Module*& module);
// Whether such memory can be loaded: what load_module returns for it, and nothing is kept.
Error check_module(const void* image);
Error load_module_file(const char* path, Module*& module);

// symbol_not_found where the module has no such kernel.
Error find_kernel(Module& module, const char* name, Function*& function);

// The options of cuModuleLoadDataEx, cuLibraryLoad* and cudaLibraryLoad*:
// `options` have the numbers of CUjit_option and cudaJitOption, which agree. Most tune machine code
// that is never made here; those that change what a program may see are refused. Answers the ones
// that ask: the logs of the compilation are empty texts.
Error apply_jit_options(std::span<const int> options, void** values);

// `options` have the numbers of CUlibraryOption and cudaLibraryOption.
Error check_library_options(std::span<const int> options);

}  // namespace tmaemu::runtime
