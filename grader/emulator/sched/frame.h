// A function's registers, for the lanes of one warp that are in it at one depth of calls.
//
// A register is an array of 32 values, one a lane, so lanes that reached a function in different
// ways share its frame without touching each other's values, and can run together in it. Where each
// lane came from and where its local memory lies is kept by lane.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "emulator/program/program.h"

namespace tmaemu {

class Warp;

struct Frame {
  // Fills the constants.
  Frame(const DecodedFunction& function, unsigned depth);
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  const DecodedFunction& function;
  unsigned depth;  // 0: the kernel
  std::byte* registers = nullptr;
  std::uint64_t filled_for = 0;  // the run of the warp whose special registers it holds

  // By lane, where the frame is a call's.
  std::array<Frame*, warp_size> caller{};
  std::array<const Operation*, warp_size> return_to{};
  std::array<std::uint32_t, warp_size> local_base{};    // of the function's own variables
  std::array<std::uint32_t, warp_size> stack_before{};  // the stack pointer to go back to

  std::span<const std::byte> all_registers() const { return {registers, function.register_bytes}; }
  template <class T>
  T* lanes(Slot slot) {
    return reinterpret_cast<T*>(registers + slot);
  }

 private:
  std::vector<std::byte> storage_;
};

}  // namespace tmaemu
