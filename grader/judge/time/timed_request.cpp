#include "judge/time/timed_request.h"

#include "judge/call/requests.h"

namespace judge {

protocol::Request timed_request(const BandwidthCase& test, protocol::Command command,
                                std::size_t sets) {
  protocol::Request made = request(command);
  std::string(test.part.id).copy(made.part.data(), made.part.size() - 1);
  made.repeat = static_cast<std::uint32_t>(sets);
  made.set_count = static_cast<std::uint32_t>(sets);
  made.arguments_in_set = static_cast<std::uint32_t>(test.arguments.size());
  protocol::Argument* next = made.arguments.data();
  for (std::size_t set = 0; set < sets; ++set) {
    for (const TimedArgument& argument : test.arguments) {
      if (const auto* buffer = std::get_if<TimedBuffer>(&argument)) {
        next->buffer = static_cast<std::uint32_t>(set * test.buffer_bytes.size() + buffer->index);
      } else {
        next->value = static_cast<std::uint64_t>(std::get<std::int64_t>(argument));
      }
      ++next;
    }
  }
  return made;
}

}  // namespace judge
