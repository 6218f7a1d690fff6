// Kernels that work on imported memory, as a judge's are, and what is measured of them.
#pragma once

#include <gtest/gtest.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <mutex>
#include <span>
#include <string>

#include "contract/protocol/measures.h"
#include "emulator/device/device.h"
#include "emulator/memory/global_memory.h"

namespace tmaemu {

// Memory of another process, as the judge's buffers are.
class ImportedBuffer {
 public:
  static constexpr std::size_t bytes = 4096;
  ImportedBuffer()
      : file_(memfd_create("measures-test", MFD_CLOEXEC)), memory_(Device::instance().memory()) {
    EXPECT_EQ(ftruncate(file_, bytes), 0);
    address_ = *memory_.open_file({file_}, bytes);
  }
  ~ImportedBuffer() {
    memory_.close_shared(address_);
    close(file_);
  }
  ImportedBuffer(const ImportedBuffer&) = delete;
  ImportedBuffer& operator=(const ImportedBuffer&) = delete;
  std::uint64_t address() const { return address_; }

 private:
  int file_;
  GlobalMemory& memory_;
  std::uint64_t address_ = 0;
};

// A kernel of one thread that has these parameters. %t is its tile in shared memory, %b an
// mbarrier.
inline void launch(const std::string& parameter, std::span<const std::byte> value,
                   const std::string& body, Dimensions cluster = {1, 1, 1},
                   Dimensions block = {1, 1, 1}, unsigned clusters = 1) {
  const std::lock_guard lock(Device::instance().mutex());
  Device& device = Device::instance();
  auto module = device.load(
      ".version 9.0\n.target sm_90a\n.address_size 64\n"
      ".const .align 4 .b32 table;\n.shared .align 128 .b8 tile[1024];\n.shared .align 8 .b64 "
      "barrier;\n"
      ".visible .entry k(" +
      parameter +
      ")\n{\n.reg .b64 %g, %s;\n.reg .b32 %t, %b;\n.reg .pred %p;\n"
      "mov.u32 %t, tile;\nmov.u32 %b, barrier;\n" +
      body + "ret;\n}\n");
  ASSERT_TRUE(module) << module.error().message;
  LaunchRequest request;
  request.parameters = value;
  request.grid = request.cluster = cluster;
  request.grid.x *= clusters;
  request.explicit_cluster = true;
  request.block = block;
  EXPECT_EQ(device.launch(*device.find_kernel(*module, "k"), request), LaunchOutcome::completed);
  device.unload(*module);
}

// Waits for a load of so many bytes that has been issued.
inline std::string landed(int bytes) {
  return "mbarrier.arrive.expect_tx.shared.b64 %s, [%b], " + std::to_string(bytes) +
         ";\nWAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n";
}

inline constexpr const char* init = "mbarrier.init.shared.b64 [%b], 1;\nfence.proxy.async;\n";
inline constexpr const char* wait_for_stores =
    "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\n";

// Loads the first 64 bytes of the memory to this place in the tile.
inline std::string load_to(int place) {
  return "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t+" +
         std::to_string(place) + "], [%g], 64, [%b];\n";
}

// What is measured of a kernel that has the address of the memory in %g.
inline std::uint64_t measured(Measure measure, std::uint64_t address, const std::string& body,
                              Dimensions cluster = {1, 1, 1}, Dimensions block = {1, 1, 1},
                              unsigned clusters = 1) {
  Device::instance().start_measuring();
  launch(".param .u64 p", std::as_bytes(std::span(&address, 1)), "ld.param.u64 %g, [p];\n" + body,
         cluster, block, clusters);
  return Device::instance().measured()[index_of(measure)];
}
inline std::uint64_t moved(std::uint64_t address, const std::string& body) {
  return measured(Measure::through_tma, address, body);
}

}  // namespace tmaemu
