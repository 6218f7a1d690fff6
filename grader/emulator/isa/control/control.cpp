// PTX ISA, "Control Flow Instructions" and "Miscellaneous Instructions".
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "contract/findings/sentences.h"
#include "emulator/isa/address.h"
#include "emulator/isa/modifiers.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

const Operation* jump(Warp& warp, const Operation& op, LaneMask lanes) {
  return warp.branch(op, lanes, static_cast<const Operation*>(op.detail));
}
// bra{.uni} label
void decode_bra(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  take_uniform(instruction);
  instruction.expect_operands(1);
  decoder.set_target(op, instruction.operand(0).name);
  op.execute = jump;
}

const Operation* end_thread(Warp& warp, const Operation& op, LaneMask lanes) {
  return warp.exit(op, lanes);
}
void decode_exit(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(0);
  decoder.effects().next = Effects::Next::nowhere;
  op.execute = end_thread;
}

const Operation* stop_program(Warp& warp, const Operation& op, LaneMask lanes) {
  warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), Sentence::instruction_refused,
             {*static_cast<const std::string*>(op.detail)});
}

const Operation* trap(Warp& warp, const Operation& op, LaneMask lanes) {
  warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), Sentence::trap_executed);
}
void decode_trap(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.expect_operands(0);
  decoder.effects().next = Effects::Next::nowhere;
  op.execute = trap;
}

const Operation* nothing(Warp&, const Operation& op, LaneMask) {
  return &op + 1;
}

// pmevent{.mask} a: profilers count events; there is none here.
void decode_pmevent(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  instruction.take("mask");
  instruction.expect_operands(1);
  op.execute = nothing;
}

const Operation* wait_for_earlier_launches(Warp& warp, const Operation& op, LaneMask lanes) {
  if (Observer* const observer = warp.cta().cluster.observer()) {
    observer->awaits_earlier_launches(warp.id(), lanes);
  }
  return &op + 1;
}
const Operation* let_next_launch_start(Warp& warp, const Operation& op, LaneMask lanes) {
  if (Observer* const observer = warp.cta().cluster.observer()) {
    observer->lets_next_launch_start(warp.id(), lanes);
  }
  return &op + 1;
}

// griddepcontrol.{launch_dependents,wait}: here a kernel begins when the one before it has ended.
void decode_griddepcontrol(Decoder&, Instruction& instruction, Operation& op, const Definition&) {
  const std::string_view action =
      instruction.require_one_of({"launch_dependents", "wait"}, "action");
  instruction.expect_operands(0);
  op.execute = action == "wait" ? wait_for_earlier_launches : let_next_launch_start;
}

// Sleeping lets the others go on. The hardware sleeps between nothing and twice as long as asked
// for; here it is that long.
const Operation* sleep(Warp& warp, const Operation& op, LaneMask lanes) {
  const u32 nanoseconds = warp.lanes<u32>(op.a)[std::countr_zero(lanes)];
  warp.sleep(nanoseconds * clocks_per_nanosecond);
  return &op + 1;
}
void decode_nanosleep(Decoder& decoder, Instruction& instruction, Operation& op,
                      const Definition&) {
  instruction.require("u32");
  instruction.expect_operands(1);
  op.a = decoder.source(instruction.operand(0), 4);
  op.execute = sleep;
}

// brx.idx: a jump table. An index beyond it is undefined; here it stops the kernel.
const Operation* jump_by_index(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& targets = static_cast<const BranchTable*>(op.detail)->targets;
  std::array<u32, warp_size> index;
  std::memcpy(index.data(), warp.lanes<u32>(op.a), sizeof index);
  const Operation* next = &op + 1;
  while (lanes != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    if (index[first] >= targets.size()) {
      warp.fault(op, first, Sentence::branch_index, {index[first], targets.size()});
    }
    const Operation* target = targets[index[first]];
    LaneMask same = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      const bool agrees = index[lane] < targets.size() && targets[index[lane]] == target;
      same |= LaneMask{agrees} << lane;
    }
    lanes &= ~same;
    next = warp.branch(op, same, target);
  }
  return next;
}
// brx.idx{.uni} index, targets
void decode_brx(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  take_uniform(instruction);
  instruction.expect_operands(2);
  op.a = decoder.source(instruction.operand(0), 4);
  decoder.set_targets(op, instruction.operand(1).name);
  op.execute = jump_by_index;
}

constexpr Definition table[] = {
    {"bra", decode_bra},
    {"brx.idx", decode_brx},
    {"exit", decode_exit},
    {"trap brkpt", decode_trap},
    {"nanosleep", decode_nanosleep},
    {"pmevent", decode_pmevent},
    {"griddepcontrol", decode_griddepcontrol},
};

}  // namespace

std::span<const Definition> control_definitions() {
  return table;
}

Handler refusal_handler() {
  return stop_program;
}

}  // namespace tmaemu
