// CUDA's runtime where nvcc has linked it into a program or a library, as it does unless told
// otherwise. Each of its functions is made to jump to the emulator's of the same name.
#pragma once

#include <link.h>

#include <optional>
#include <string>

#include "emulator/loader/elf_file.h"

namespace tmaemu::loader {

struct StaticRuntime {
  std::string library;  // the emulator's that serves it
  CudaFunctions functions;
};

// The runtime in this file; nothing where it has none, or where its symbols are stripped, so that
// nobody knows where its functions are.
std::optional<StaticRuntime> runtime_in(const char* path);

// Makes an object that is mapped, and whose dependencies are not looked for yet, depend on
// `library` as well; the string has to live as long as the object. False where its dynamic section
// has no room.
bool add_dependency(const link_map& object, const char* library);

// Lets the functions of the runtime in `object` jump to those of `library`. Both are mapped, and no
// function of `object` has run. False where the system lets nobody write to code.
bool redirect(const link_map& object, const CudaFunctions& functions, const link_map& library);

}  // namespace tmaemu::loader
