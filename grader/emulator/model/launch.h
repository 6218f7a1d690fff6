// What a launch asks for, whatever the kernel.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "emulator/model/h200.h"
#include "emulator/model/ids.h"
#include "emulator/model/stream_order.h"

namespace tmaemu {

struct LaunchRequest {
  Dimensions grid;
  Dimensions block;
  Dimensions cluster;
  bool explicit_cluster = false;  // false: nobody asked for a cluster, and each CTA is one
  std::size_t dynamic_shared_bytes = 0;
  bool cooperative = false;
  std::uint32_t sms = h200::sm_count;        // of the device, as %nsmid says it
  std::span<const std::byte> parameters;     // the kernel's parameter block, all of it
  std::shared_ptr<const StreamPlace> place;  // null: whatever was launched before is over
};

}  // namespace tmaemu
