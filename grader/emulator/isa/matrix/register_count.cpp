// PTX ISA, "Miscellaneous Instructions: setmaxnreg": the warps of a warpgroup give registers back
// to their CTA, or take some. Values are the same with it and without; what may go wrong is that
// nobody has given back what a warp waits for.
#include "contract/findings/sentences.h"
#include "emulator/isa/lanes.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/report.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

constexpr u64 fewest_registers = 24;
constexpr u64 most_registers = 256;
constexpr u64 register_step = 8;

struct RegisterChange {
  unsigned registers = 0;  // of a thread
  bool takes = false;      // .inc
};

// Whether it changes the count in the direction that it names.
bool is_in_order(Warp& warp, const Operation& op, const RegisterChange& change) {
  const unsigned owned = warp.cta().registers.owned_by(warp.index());
  if (change.takes ? change.registers >= owned : change.registers <= owned) return true;
  report(warp, finding_at(warp, op, 0,
                          change.takes ? Sentence::register_count_lowered_by_inc
                                       : Sentence::register_count_raised_by_dec,
                          {change.registers, owned}));
  return false;
}

// PTX wants whole warpgroups. An H200 counts warps: the first lane of one that comes changes the
// count of all, and nobody waits for the others.
const Operation* change_registers(Warp& warp, const Operation& op, LaneMask lanes) {
  const Operation* const next = &op + 1;
  RegisterPool& pool = warp.cta().registers;
  const auto& change = *static_cast<const RegisterChange*>(op.detail);
  if (!pool.is_in_effect() || !is_in_order(warp, op, change)) return next;
  if (!pool.can_give(warp.index(), change.registers)) {
    return warp.block(op, lanes, {Wait::Kind::registers, 0, 0, change.registers}, &op);
  }
  pool.change(warp.index(), change.registers);
  warp.cta().cluster.note_progress();
  if (Observer* const observer = warp.cta().cluster.observer(); observer != nullptr) {
    observer->changes_registers({warp.id(), op.site, lanes, change.registers, !change.takes});
  }
  return next;
}

// setmaxnreg.{inc,dec}.sync.aligned.u32 registers
void decode_setmaxnreg(Decoder& decoder, Instruction& instruction, Operation& op,
                       const Definition&) {
  RegisterChange change;
  change.takes = instruction.require_one_of({"inc", "dec"}, "direction") == "inc";
  for (const std::string_view name : {"sync", "aligned", "u32"}) instruction.require(name);
  instruction.expect_operands(1);
  const u64 registers = constant_operand(instruction, 0, "number of registers");
  if (registers < fewest_registers || registers > most_registers ||
      registers % register_step != 0) {
    refuse_as_ptxas("has a number of registers that is no multiple of 8 from 24 to 256");
  }
  change.registers = static_cast<unsigned>(registers);
  op.detail = decoder.program().keep(change);
  op.execute = change_registers;
  decoder.effects().acts = true;
  if (change.takes) {
    decoder.effects().registers_taken = static_cast<std::uint16_t>(change.registers);
  }
}

constexpr Definition table[] = {
    {"setmaxnreg", decode_setmaxnreg},
};

}  // namespace

std::span<const Definition> register_count_definitions() {
  return table;
}

}  // namespace tmaemu
