#include <mutex>

#include "emulator/device/device.h"
#include "emulator/device/module.h"
#include "tests/fuzz/require.h"

namespace tmaemu::fuzz {
namespace {

// Branches and callees stay inside the program.
void require_consistent(const Program& program) {
  require(!program.functions.empty(), "a program has no function");
  for (const DecodedFunction& function : program.functions) {
    require(function.entry < program.code.size(), "a function begins outside the code");
  }
  for (const Operation& operation : program.code) {
    require(operation.execute != nullptr, "an operation does nothing");
    require(program.sites.empty() || operation.site < program.sites.size(),
            "an operation has no PTX instruction");
  }
}

}  // namespace

void decode_ptx(Input input) {
  Device& device = Device::instance();
  const std::lock_guard lock(device.mutex());
  const auto module = device.load(text_of(input));
  require_answer(module);
  if (!module) return;
  for (const Kernel* kernel : device.kernels(*module)) {
    kernel->info();
    require_consistent(static_cast<const LoadedKernel*>(kernel)->program());
  }
  device.unload(*module);
}

}  // namespace tmaemu::fuzz
