#include "emulator/sched/frame.h"

#include <cstring>

namespace tmaemu {
namespace {

void broadcast(std::byte* registers, const ConstantSlot& constant) {
  std::byte* place = registers + constant.slot;
  if (constant.bytes == 0) {
    *reinterpret_cast<LaneMask*>(place) = constant.bits != 0 ? all_lanes : 0;
    return;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::memcpy(place + lane * constant.bytes, &constant.bits, constant.bytes);
  }
}

}  // namespace

Frame::Frame(const DecodedFunction& function_of, unsigned depth_of)
    : function(function_of), depth(depth_of) {
  constexpr std::size_t alignment = 64;
  // Behind the last register there is room for a register of the largest size: a handler that took
  // a small one for a large one would stay within the frame.
  constexpr std::size_t largest_register = std::size_t{16} * warp_size;
  storage_.resize(function.register_bytes + largest_register + alignment);
  const auto start = reinterpret_cast<std::uintptr_t>(storage_.data());
  registers = storage_.data() + (alignment - start % alignment) % alignment;
  for (const ConstantSlot& constant : function.constants) broadcast(registers, constant);
}

}  // namespace tmaemu
