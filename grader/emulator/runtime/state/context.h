// The state of the device as a program sees it through API calls: whether a kernel has faulted, and
// which context is current in a thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "emulator/runtime/state/error.h"

namespace tmaemu::runtime {

// A fault of a kernel is asynchronous: the launch succeeds, the next call that waits for the device
// returns the error, and from then on so does every call (CUDA Programming Guide, "Error
// Checking"). Calls between the two succeed without effect: their work was queued behind the dead
// kernel.
class FaultState {
 public:
  static FaultState& instance();

  void fault(Error error);
  // Waits for the device, and reports.
  Error synchronize();
  // Kernels' output goes to stdout, a fault becomes sticky. Returns it.
  Error report();
  // What every call returns once the fault was seen.
  Error sticky() const { return sticky_; }
  void clear();
  bool faulted() const { return pending_ != Error::success; }

 private:
  Error pending_ = Error::success;
  std::atomic<Error> sticky_ = Error::success;  // read without the device's lock
};

// A CUcontext. All contexts share the one device's state.
struct ContextHandle {
  std::uint64_t id = 0;
  unsigned flags = 0;
};

// The driver's contexts: the primary one and those of cuCtxCreate, and each thread's stack of them.
class Contexts {
 public:
  static Contexts& instance();

  ContextHandle* primary() { return &primary_; }
  int primary_references = 0;  // the driver's calls
  bool runtime_uses_primary = false;
  bool driver_initialized = false;

  ContextHandle* create(unsigned flags);
  bool destroy(const void* handle);
  bool has_created() const { return !created_.empty(); }
  // Null where it is no context.
  ContextHandle* find(const void* handle);

  // The calling thread's stack; its top is current.
  static std::vector<ContextHandle*>& stack();
  static ContextHandle* current();
  void set_current(ContextHandle* context);
  // The runtime works in the primary context unless the thread chose another.
  void ensure_current();

 private:
  ContextHandle primary_{1, 0};
  std::vector<ContextHandle*> created_;
  std::uint64_t next_id_ = 2;
};

// Ends what the program has on the device: its memory, streams, events and graphs are gone, its
// variables have their initial values again, and a kernel's fault is forgotten. What kernels
// printed comes out first.
Error reset_device(const char* call);

}  // namespace tmaemu::runtime
