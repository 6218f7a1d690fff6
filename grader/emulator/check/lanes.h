// The threads that the lanes of a warp are.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "emulator/model/events.h"

namespace tmaemu::check {

// A number that no other warp of the cluster has.
inline std::uint32_t number_of(WarpId warp) {
  return std::uint32_t{warp.rank} << 16 | warp.index;
}

inline ThreadId thread_of(WarpId warp, unsigned lane) {
  return {warp.rank, static_cast<std::uint16_t>(warp.index * warp_size + lane)};
}

// Calls visit(thread) for each of the lanes, from the lowest on.
template <class Visit>
void for_each_thread(WarpId warp, LaneMask lanes, Visit visit) {
  for (; lanes != 0; lanes &= lanes - 1) {
    visit(thread_of(warp, static_cast<unsigned>(std::countr_zero(lanes))));
  }
}

inline std::vector<ThreadId> threads_of(WarpId warp, LaneMask lanes) {
  std::vector<ThreadId> threads;
  for_each_thread(warp, lanes, [&](ThreadId thread) { threads.push_back(thread); });
  return threads;
}

}  // namespace tmaemu::check
