// Stream-ordered allocation: memory that is a program's from a point in one stream to a point in
// another. CUDA C++ Programming Guide, "Stream Ordered Memory Allocator".
#pragma once

#include <cstddef>

#include "emulator/runtime/state/error.h"
#include "emulator/runtime/state/memory_pool.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

// `call`: the name of the function that the program called.
Error allocate_in(Stream& stream, const char* call, MemoryPool& pool, std::size_t size,
                  void*& pointer);
Error free_in(Stream& stream, const char* call, void* pointer);

}  // namespace tmaemu::runtime
