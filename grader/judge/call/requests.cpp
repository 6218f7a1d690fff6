#include "judge/call/requests.h"

namespace judge {

protocol::Request request(protocol::Command command) {
  protocol::Request made;
  made.command = command;
  return made;
}

protocol::Request map_request(const MemoryHandle& memory) {
  protocol::Request made = request(protocol::Command::map);
  made.memory_handle = memory;
  return made;
}

protocol::Request map_request(const GuardedBuffer& buffer) {
  protocol::Request made = map_request(buffer.handle());
  made.array = {buffer.data_offset(), buffer.data_bytes(), buffer.holds_input(), {}};
  buffer.name().copy(made.array.name.data(), made.array.name.size() - 1);
  return made;
}

}  // namespace judge
