#include "emulator/runtime/state/error.h"

#include <cxxabi.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>

namespace tmaemu::runtime {

Error& last_error() {
  thread_local Error error = Error::success;
  return error;
}

void explain(const std::string& message) {
  static std::mutex mutex;
  static auto* previous = new std::string;  // outlives every other static object
  const std::lock_guard lock(mutex);
  if (message == *previous) return;
  *previous = message;
  std::fprintf(stderr, "tmaemu: %s\n", message.c_str());
}

std::string readable(const std::string& mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(
      abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? name.get() : mangled;
}

Error not_modeled(const std::string& call) {
  explain(call + " is not modeled");
  return Error::not_supported;
}

}  // namespace tmaemu::runtime

extern "C" int tmaemu_not_modeled(const char* call) {
  using namespace tmaemu::runtime;
  last_error() = not_modeled(call);
  return static_cast<int>(last_error());
}
