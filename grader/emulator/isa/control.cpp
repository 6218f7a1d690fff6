// PTX ISA, "Control Flow Instructions" and "Miscellaneous Instructions".
#include <array>
#include <bit>
#include <cstring>
#include <string>

#include "emulator/isa/address.h"
#include "emulator/isa/modifiers.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

const Operation* jump(Warp& warp, const Operation& op, LaneMask lanes) {
  return warp.branch(op, lanes, static_cast<const Operation*>(op.detail));
}
void decode_bra(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                const Definition&) {
  if (instruction.operands.size() != 1) Decoder::refuse("needs a label");
  decoder.set_target(op, instruction.operands[0].name);
  op.execute = jump;
}

const Operation* end_thread(Warp& warp, const Operation& op, LaneMask lanes) {
  return warp.exit(op, lanes);
}
void decode_exit(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = end_thread;
}

const Operation* stop_program(Warp& warp, const Operation& op, LaneMask lanes) {
  warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), Sentence::instruction_refused,
             {*static_cast<const std::string*>(op.detail)});
}

const Operation* trap(Warp& warp, const Operation& op, LaneMask lanes) {
  warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), Sentence::trap_executed);
}
void decode_trap(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = trap;
}

const Operation* nothing(Warp&, const Operation& op, LaneMask) {
  return &op + 1;
}
void decode_nothing(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = nothing;
}

// Sleeping lets the others go on. The hardware sleeps between nothing and twice as long as asked
// for; here it is that long.
const Operation* sleep(Warp& warp, const Operation& op, LaneMask lanes) {
  const u32 nanoseconds = warp.lanes<u32>(op.a)[std::countr_zero(lanes)];
  warp.sleep(nanoseconds * clocks_per_nanosecond);
  return &op + 1;
}
void decode_nanosleep(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                      const Definition&) {
  expect_operands(instruction, 1);
  op.a = decoder.source(instruction.operands[0], 4);
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
void decode_brx(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                const Definition&) {
  expect_operands(instruction, 2);
  op.a = decoder.source(instruction.operands[0], 4);
  decoder.set_targets(op, instruction.operands[1].name);
  op.execute = jump_by_index;
}

constexpr Definition table[] = {
    {"bra", decode_bra},
    {"brx.idx", decode_brx},
    {"exit", decode_exit},
    {"trap brkpt", decode_trap},
    {"nanosleep", decode_nanosleep},
    {"pmevent setmaxnreg griddepcontrol", decode_nothing},
};

}  // namespace

std::span<const Definition> control_definitions() {
  return table;
}

Handler refusal_handler() {
  return stop_program;
}

}  // namespace tmaemu
