// Whether what a call has left is what it had to leave.
#pragma once

#include <vector>

#include "common/result.h"
#include "contract/protocol/protocol.h"
#include "judge/cases/call_case.h"
#include "judge/memory/device.h"
#include "judge/memory/guarded_buffer.h"
#include "judge/verdict/verdict.h"

namespace judge {

// What the buffers on the device hold after a call that was done, and, where somebody measures, how
// it came there: a right result that came another way than the part asks for is a fail.
common::Result<Outcome> judge_result(Device& device, const CallCase& test,
                                     const std::vector<GuardedBuffer>& buffers,
                                     const protocol::Reply& reply);

}  // namespace judge
