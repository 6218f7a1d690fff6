// Loading device code on request: cuModuleLoad*, cuLibraryLoad*, cudaLibraryLoad*.
#pragma once

#include "emulator/runtime/state/module.h"

namespace tmaemu::runtime {

// From memory that the caller may free: a fat binary or zero-terminated PTX.
Error load_module(const void* image, Module*& module);
Error load_module_file(const char* path, Module*& module);

// symbol_not_found where the module has no such kernel.
Error find_kernel(Module& module, const char* name, Function*& function);

}  // namespace tmaemu::runtime
