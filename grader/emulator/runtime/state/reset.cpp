#include "emulator/runtime/state/reset.h"

#include <string>

#include "emulator/runtime/state/allocation.h"
#include "emulator/runtime/state/call_log.h"
#include "emulator/runtime/state/context.h"
#include "emulator/runtime/state/device_attributes.h"
#include "emulator/runtime/state/event.h"
#include "emulator/runtime/state/graph.h"
#include "emulator/runtime/state/memory_pool.h"
#include "emulator/runtime/state/module.h"
#include "emulator/runtime/state/stream.h"

namespace tmaemu::runtime {

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
  FaultState::instance().clear();
  return Registry::instance().reset();
}

}  // namespace tmaemu::runtime
