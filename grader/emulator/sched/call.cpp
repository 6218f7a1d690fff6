// Warp's side of calls: frames, the stack of local memory, parameters and results.
#include "emulator/sched/call.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/round_up.h"
#include "contract/findings/sentences.h"
#include "emulator/model/h200.h"
#include "emulator/sched/cluster.h"
#include "emulator/sched/special_registers.h"

namespace tmaemu {
namespace {

// A frame takes some stack even where the function has no local variables: the return address.
constexpr std::size_t smallest_frame = 16;

using common::round_up;

void copy_values(Warp& warp, unsigned lane, Frame& from, const std::vector<CallValue>& sources,
                 Frame& to, const std::vector<CallValue>& targets) {
  for (std::size_t i = 0; i < targets.size(); ++i) {
    const std::byte* source = place_of(warp, from, sources[i], lane);
    std::memcpy(place_of(warp, to, targets[i], lane), source, targets[i].bytes);
    if (warp.observer() == nullptr || sources[i].is_register || targets[i].is_register) continue;
    const auto offset_of = [lane](const Frame& frame, const CallValue& value) {
      return static_cast<std::uint32_t>(frame.local_base[lane] + value.place);
    };
    warp.observer()->copies_local(warp.id(), lane, offset_of(from, sources[i]),
                                  offset_of(to, targets[i]),
                                  static_cast<std::uint32_t>(targets[i].bytes));
  }
}

}  // namespace

std::byte* place_of(Warp& warp, Frame& frame, const CallValue& value, unsigned lane) {
  if (!value.is_register) return warp.local(lane) + frame.local_base[lane] + value.place;
  const std::size_t lane_bytes = std::max<std::size_t>(value.bytes, 2);
  return frame.registers + value.place + lane * lane_bytes;
}

bool fits(const std::vector<CallValue>& given, const std::vector<CallValue>& declared) {
  return std::ranges::equal(given, declared, {}, &CallValue::bytes, &CallValue::bytes);
}

Frame& Warp::frame_for(unsigned depth, const DecodedFunction& function) {
  if (frames_.size() <= depth) frames_.resize(depth + 1);
  auto& here = frames_[depth];
  auto known = std::ranges::find_if(here, [&](const auto& f) { return &f->function == &function; });
  if (known == here.end()) {
    known = here.insert(here.end(), std::make_unique<Frame>(function, depth));
  }
  Frame& frame = **known;
  if (frame.filled_for != run_) {
    fill_special_registers(*this, frame, frame.filled_for == 0);
    frame.filled_for = run_;
  }
  return frame;
}

void Warp::reserve_local(const Operation& op, unsigned lane, std::size_t bytes) {
  if (bytes <= local_stride_) return;
  // Which part of it is the stack is up to cudaLimitStackSize; the frames that ptxas would make are
  // not known here, so the whole is.
  if (bytes > h200::max_local_bytes_per_thread) {
    fault(op, lane, Sentence::local_stack_too_large, {bytes, h200::max_local_bytes_per_thread});
  }
  const std::size_t stride = std::max(2 * local_stride_, round_up(bytes, 64));
  std::vector<std::byte> larger(stride * warp_size);
  for (unsigned i = 0; i < warp_size && local_stride_ != 0; ++i) {
    std::memcpy(larger.data() + i * stride, local(i), local_stride_);
  }
  local_storage_ = std::move(larger);
  local_stride_ = stride;
}

std::byte* Warp::beyond_local(unsigned lane, std::uint64_t address) {
  constexpr std::size_t page = std::size_t{4} << 10;
  beyond_local_.resize(page * warp_size);
  return beyond_local_.data() + lane * page + address % page;
}

const Operation* Warp::call(const Operation& op, LaneMask lanes, const CallSite& site,
                            const DecodedFunction& callee) {
  Frame& caller = *groups_[current_].frame;
  Frame& frame = frame_for(caller.depth + 1, callee);
  for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(rest));
    const std::size_t base = round_up(stack_pointer_[lane], callee.local_alignment);
    const std::size_t top = base + std::max(callee.local_bytes, smallest_frame);
    reserve_local(op, lane, top);
    frame.caller[lane] = &caller;
    frame.return_to[lane] = &op + 1;
    frame.local_base[lane] = static_cast<std::uint32_t>(base);
    frame.stack_before[lane] = stack_pointer_[lane];
    stack_pointer_[lane] = static_cast<std::uint32_t>(top);
    for (const SpecialSlot& special : callee.specials) {
      if (special.which != Special::local_symbol) continue;
      const std::uint64_t address = base + special.value;
      if (special.wide) {
        frame.lanes<std::uint64_t>(special.slot)[lane] = address;
      } else {
        frame.lanes<std::uint32_t>(special.slot)[lane] = static_cast<std::uint32_t>(address);
      }
    }
    copy_values(*this, lane, caller, site.arguments, frame, callee.parameters);
  }
  return enter(op, lanes, frame, &program_->code[callee.entry]);
}

const Operation* Warp::return_from(const Operation& op, LaneMask lanes) {
  Frame& frame = *groups_[current_].frame;
  const Operation* next = stop();
  while (lanes != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    Frame& caller = *frame.caller[first];
    const Operation* target = frame.return_to[first];
    const auto& site = *static_cast<const CallSite*>((target - 1)->detail);
    LaneMask together = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      if (frame.return_to[lane] != target || frame.caller[lane] != &caller) continue;
      together |= LaneMask{1} << lane;
      copy_values(*this, lane, frame, frame.function.results, caller, site.results);
      stack_pointer_[lane] = frame.stack_before[lane];
    }
    lanes &= ~together;
    next = enter(op, together, caller, target);
  }
  return next;
}

// The lanes go on in another frame. Where the warp is divided, choose() has a say: others may be
// about to meet them there.
const Operation* Warp::enter(const Operation& op, LaneMask lanes, Frame& frame,
                             const Operation* target) {
  if (lanes != active_) {
    groups_.push_back({target, lanes, {}, groups_[current_].last_turn, &frame});
    active_ &= ~lanes;
    groups_[current_].lanes = active_;
    limit_ = nullptr;
    return &op + 1;
  }
  groups_[current_].frame = &frame;
  registers_ = frame.registers;
  limit_ = groups_.size() == 1 ? stop() : nullptr;
  return target;
}

}  // namespace tmaemu
