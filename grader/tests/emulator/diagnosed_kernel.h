// Runs a kernel of PTX text and gives what the emulator says of it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "tests/emulator/isa_test_support.h"

namespace tmaemu::testing {

struct KernelText {
  std::string text;             // the body; `out` is the kernel's parameter
  std::uint64_t parameter = 0;  // an address
  std::uint32_t cluster = 1;    // CTAs, of one thread
  bool is_plain = false;        // launched without a cluster
};

struct Diagnosed {
  LaunchOutcome outcome = LaunchOutcome::completed;
  std::string said;  // on stderr
};

inline Diagnosed diagnose(const KernelText& kernel) {
  const std::lock_guard lock(Device::instance().mutex());
  Device& device = Device::instance();
  auto module = device.load(
      ".version 9.0\n.target sm_90a\n.address_size 64\n"
      ".visible .entry kernel(.param .u64 out)\n{\n" +
      kernel.text + "\nret;\n}\n");
  if (!module) {
    ADD_FAILURE() << module.error().message;
    return {LaunchOutcome::not_modeled, module.error().message};
  }
  LaunchRequest request;
  request.grid.x = request.cluster.x = kernel.cluster;
  request.explicit_cluster = !kernel.is_plain;
  request.parameters = std::as_bytes(std::span(&kernel.parameter, 1));
  ::testing::internal::CaptureStderr();
  Diagnosed diagnosed;
  diagnosed.outcome = device.launch(*device.find_kernel(*module, "kernel"), request);
  diagnosed.said = ::testing::internal::GetCapturedStderr();
  device.unload(*module);
  return diagnosed;
}

}  // namespace tmaemu::testing
