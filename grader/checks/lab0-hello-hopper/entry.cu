// Compiled once for each submission of lab0-hello-hopper, together with the student's file.

#include <array>

#include "runner/part_calls.h"

namespace tmagrade_entry {

// What query_device() returns: the student's file says what it is.
template <class DeviceFacts>
std::array<int, 8> numbers_in(const Returned<DeviceFacts>& returned) {
  const DeviceFacts& facts = returned.value;
  return {facts.sms,
          facts.max_threads_per_sm,
          facts.registers_per_sm,
          facts.shared_bytes_per_sm,
          facts.shared_bytes_per_cta,
          facts.l2_bytes,
          facts.peak_gb_per_s,
          facts.bytes_in_flight_per_sm};
}

}  // namespace tmagrade_entry

#define ENTRY_PARTS "checks/lab0-hello-hopper/parts.def"
#include "runner/bind_parts.h"
