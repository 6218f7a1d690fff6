// Copies to and from module-scope variables, which calls and graph nodes name by their host
// symbols.
#pragma once

#include <driver_types.h>

#include <cstddef>

#include "emulator/runtime/state/copy.h"
#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

Error copy_to(const char* call_name, const void* symbol, const void* source, std::size_t size,
              std::size_t offset, cudaMemcpyKind kind, CopyRequest& request);
Error copy_from(const char* call_name, void* destination, const void* symbol, std::size_t size,
                std::size_t offset, cudaMemcpyKind kind, CopyRequest& request);

}  // namespace tmaemu::runtime
