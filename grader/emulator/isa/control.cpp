// PTX ISA, "Control Flow Instructions" and "Miscellaneous Instructions".
#include <bit>
#include <string>
#include <vector>

#include "emulator/isa/address.h"
#include "emulator/isa/system_calls.h"
#include "emulator/sched/cta.h"

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
  warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), LaunchOutcome::not_modelled,
             *static_cast<const std::string*>(op.detail));
}

const Operation* trap(Warp& warp, const Operation& op, LaneMask lanes) {
  warp.fault(op, static_cast<unsigned>(std::countr_zero(lanes)), LaunchOutcome::trap,
             "the kernel executed a trap instruction");
}
void decode_trap(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = trap;
}

const Operation* nothing(Warp&, const Operation& op, LaneMask) { return &op + 1; }
void decode_nothing(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = nothing;
}

// Sleeping lets the others go on.
const Operation* sleep(Warp& warp, const Operation& op, LaneMask) {
  warp.yield();
  return &op + 1;
}
void decode_nanosleep(Decoder&, const ptx::Instruction&, Operation& op, const Definition&) {
  op.execute = sleep;
}

// A call of the functions that the driver provides; `detail` is what decode_call kept.
struct SystemCallSite {
  SystemCall function;
  std::vector<Slot> parameters;  // places in the thread's local memory
  Slot result = 0;
  bool has_result = false;
};

const Operation* call_system(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& site = *static_cast<const SystemCallSite*>(op.detail);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    std::vector<std::byte*> parameters;
    for (const Slot slot : site.parameters) {
      parameters.push_back(warp.local(lane) + warp.lanes<u64>(slot)[lane]);
    }
    std::byte* result =
        site.has_result ? warp.local(lane) + warp.lanes<u64>(site.result)[lane] : nullptr;
    site.function(warp, op, lane, parameters, result);
  }
  return &op + 1;
}

Slot parameter_slot(Decoder& decoder, const ptx::Operand& operand) {
  ptx::Operand address;
  address.kind = ptx::Operand::Kind::address;
  address.name = operand.name;
  return decoder.memory(address).slot;
}

// call{.uni} (results), function, (parameters);
void decode_call(Decoder& decoder, const ptx::Instruction& instruction, Operation& op,
                 const Definition&) {
  SystemCallSite site{};
  std::string_view callee;
  for (const ptx::Operand& operand : instruction.operands) {
    if (operand.kind != ptx::Operand::Kind::call_list) {
      if (callee.empty()) callee = operand.name;
      continue;
    }
    for (const ptx::Operand& element : operand.elements) {
      const Slot slot = parameter_slot(decoder, element);
      if (callee.empty()) {
        site.result = slot;
        site.has_result = true;
      } else {
        site.parameters.push_back(slot);
      }
    }
  }
  site.function = find_system_call(callee);
  if (site.function == nullptr) {
    Decoder::refuse("of " + std::string(callee) + ": calls of device functions that nvcc does not "
                    "inline are not modelled");
  }
  decoder.program().is_ordered = true;  // output is in the order of the CTAs
  op.detail = decoder.program().keep(std::move(site));
  op.execute = call_system;
}

constexpr Definition table[] = {
    {"bra", decode_bra},
    {"ret exit", decode_exit},
    {"trap brkpt", decode_trap},
    {"call", decode_call},
    {"nanosleep", decode_nanosleep},
    {"pmevent setmaxnreg griddepcontrol", decode_nothing},
};

}  // namespace

std::span<const Definition> control_definitions() { return table; }

Handler return_handler() { return end_thread; }
Handler refusal_handler() { return stop_program; }

}  // namespace tmaemu
