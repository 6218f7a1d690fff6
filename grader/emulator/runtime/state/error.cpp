#include "emulator/runtime/state/error.h"

#include <cstdio>
#include <mutex>
#include <string_view>

#include "common/demangled.h"
#include "emulator/isa/unmodeled.h"

namespace tmaemu::runtime {
namespace {

// What to do instead of a call, where there is something; calls are known by a part of their name.
std::string instead_of(std::string_view call) {
  for (const std::string_view part :
       {"Texture", "Surface", "TexRef", "SurfRef", "TexObject", "SurfObject", "Array", "Mipmap"}) {
    if (call.find(part) != std::string_view::npos) return ": " + std::string(instead_of_textures);
  }
  struct Instead {
    std::string_view start;  // of the call
    const char* what;
  };
  constexpr Instead instead[] = {
      {"cuLink",
       "device code that needs linking is not modeled; compile the kernels and the device "
       "functions "
       "that they call as one file, without -rdc=true"},
      {"a graph that the device launches", "launch it from the host"},
      {"a device-updatable graph node",
       "change what it does from the host (cudaGraphExecKernelNodeSetParams)"},
      {"a memory pool that is not the device's own",
       "make it of the device's pinned memory without handles; what processes share comes from "
       "cudaMalloc (cudaIpcGetMemHandle) or cuMemCreate (cuMemExportToShareableHandle)"},
  };
  for (const auto& [start, what] : instead) {
    if (call.starts_with(start)) return std::string(": ") + what;
  }
  return {};
}

}  // namespace

Error& last_error() {
  thread_local Error error = Error::success;
  return error;
}

void explain(const std::string& message) {
  static std::mutex mutex;
  static auto* previous = new std::string;  // outlives every other static object
  const std::lock_guard lock(mutex);
  last_explanation() = message;
  if (message == *previous) return;
  *previous = message;
  std::fprintf(stderr, "tmaemu: %s\n", message.c_str());
}

std::string& last_explanation() {
  thread_local std::string text;
  return text;
}

std::string readable(const std::string& mangled) {
  return common::demangled(mangled);
}

Error not_modeled(const std::string& call) {
  explain(call + " is not modeled" + instead_of(call));
  return Error::not_supported;
}

}  // namespace tmaemu::runtime

extern "C" int tmaemu_driver_not_modeled(const char* call) {
  using namespace tmaemu::runtime;
  return static_cast<int>(not_modeled(call));
}

extern "C" int tmaemu_runtime_not_modeled(const char* call) {
  using namespace tmaemu::runtime;
  last_error() = not_modeled(call);
  return static_cast<int>(last_error());
}
