#include "emulator/runtime/state/context.h"

#include <algorithm>
#include <cstdio>
#include <string>

#include "emulator/device/device.h"
#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/device_attributes.h"
#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/graph.h"
#include "emulator/runtime/state/memory_pool.h"
#include "emulator/runtime/state/module.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

FaultState& FaultState::instance() {
  static auto* state = new FaultState;  // programs call the API from their exit handlers too
  return *state;
}

void FaultState::fault(Error error) {
  if (pending_ == Error::success) pending_ = error;
}

Error FaultState::synchronize() {
  Streams::instance().host_waits_for_all();
  return report();
}

Error FaultState::report() {
  const std::string output = Device::instance().take_output();
  if (!output.empty()) {
    std::fwrite(output.data(), 1, output.size(), stdout);
    std::fflush(stdout);
  }
  sticky_ = pending_;
  return sticky_;
}

void FaultState::clear() {
  pending_ = Error::success;
  sticky_ = Error::success;
}

Contexts& Contexts::instance() {
  static auto* contexts = new Contexts;
  return *contexts;
}

ContextHandle* Contexts::create(unsigned flags) {
  created_.push_back(new ContextHandle{next_id_++, flags});
  return created_.back();
}

bool Contexts::destroy(const void* handle) {
  const auto found = std::find(created_.begin(), created_.end(), handle);
  if (found == created_.end()) return false;
  std::erase(stack(), *found);
  delete *found;
  created_.erase(found);
  return true;
}

ContextHandle* Contexts::find(const void* handle) {
  if (handle == &primary_) return &primary_;
  const auto found = std::find(created_.begin(), created_.end(), handle);
  return found == created_.end() ? nullptr : *found;
}

std::vector<ContextHandle*>& Contexts::stack() {
  thread_local std::vector<ContextHandle*> contexts;
  return contexts;
}

ContextHandle* Contexts::current() {
  return stack().empty() ? nullptr : stack().back();
}

void Contexts::set_current(ContextHandle* context) {
  if (!stack().empty()) stack().pop_back();
  if (context != nullptr) stack().push_back(context);
}

void Contexts::ensure_current() {
  driver_initialized = true;  // for all threads of the process, as the runtime does by cuInit
  if (current() != nullptr) return;
  stack().push_back(&primary_);
  runtime_uses_primary = true;
}

Error reset_device(const char* call) {
  // All contexts share one store, so the primary one cannot end alone.
  if (Contexts::instance().has_created()) {
    return not_modeled(std::string(call) + " beside contexts of cuCtxCreate");
  }
  CallLog::instance().settle();
  CallLog::instance().unsupported(call);
  FaultState::instance().synchronize();
  Streams::instance().reset();
  Events::instance().events.clear();
  Graphs::instance().executables.clear();
  Graphs::instance().graphs.clear();
  MemoryPools::instance().reset();
  release_all_memory();
  reset_device_limits();
  Contexts::instance().runtime_uses_primary = false;
  FaultState::instance().clear();
  return Registry::instance().reset();
}

}  // namespace tmaemu::runtime
