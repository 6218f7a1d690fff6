// What a recording is made of. A program that the grader does not trust asks for work on the
// device; the emulator in its process writes down what was asked (call_log.h), and the emulator in
// another process, which never runs that program, does the work (replayer.h).
//
// A recording is a row of events, each a header and its bytes. Zeros follow the last one.
#pragma once

#include <cstddef>
#include <cstdint>

#include "emulator/device/device.h"
#include "emulator/runtime/state/copy.h"

namespace tmaemu::runtime::call_log {

enum class Kind : std::uint32_t {
  none = 0,     // behind the last event
  begin,        // of a call: Begin
  end,          // of a call
  load,         // a module, numbered from 0: its PTX
  unload,       // Unload
  allocate,     // Allocate
  free,         // Free
  write,        // host memory to the device: Copy, then the rows without gaps
  copy,         // from the device to the device: Copy
  fill,         // Fill
  launch,       // Launch, then the kernel's name, then its parameters
  heap_limit,   // of malloc in kernels: HeapLimit
  host_memory,  // the program has host memory that kernels could reach
  stale,        // the program reads what nobody has had computed: see CallLog
  unsupported,  // the name of what cannot be repeated
};

struct Header {
  Kind kind = Kind::none;
  std::uint32_t reserved = 0;
  std::uint64_t bytes = 0;  // that follow
};

struct Begin {
  std::uint64_t layout;  // GlobalMemory::layout()
};

struct Unload {
  std::uint64_t module;
};

struct Allocate {
  std::uint64_t size;
  std::uint64_t address;
};

struct Free {
  std::uint64_t address;
};

struct Place {
  std::uint64_t address;
  std::uint64_t pitch;
  std::uint64_t slice_pitch;
};

struct Copy {
  Place destination;
  Place source;  // of no meaning in a write
  std::uint64_t width;
  std::uint64_t height;
  std::uint64_t depth;
};

struct Fill {
  Place destination;
  std::uint64_t width;  // in elements
  std::uint64_t height;
  std::uint64_t depth;
  std::uint32_t value;
  std::uint32_t element_size;
};

struct Launch {
  std::uint32_t module;
  std::uint32_t name_bytes;
  Dimensions grid;
  Dimensions block;
  Dimensions cluster;
  std::uint32_t explicit_cluster;
  std::uint32_t cooperative;
  std::uint32_t starts_early;  // programmatic dependent launch
  std::uint32_t sms;           // that the device says it has
  std::uint64_t dynamic_shared_bytes;
};

struct HeapLimit {
  std::uint64_t bytes;
};

}  // namespace tmaemu::runtime::call_log
