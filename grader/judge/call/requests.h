// What a runner is asked for, save for the calls themselves.
#pragma once

#include "contract/protocol/protocol.h"
#include "judge/memory/device.h"
#include "judge/memory/guarded_buffer.h"

namespace judge {

// A request without arguments.
protocol::Request request(protocol::Command command);
protocol::Request map_request(const MemoryHandle& memory);
protocol::Request map_request(const GuardedBuffer& buffer);

}  // namespace judge
