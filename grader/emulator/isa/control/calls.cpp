// PTX ISA, "Control Flow Instructions": call and ret; "Stack Manipulation Instructions".
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <string>
#include <vector>

#include "common/demangled.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/address.h"
#include "emulator/isa/control/system_calls.h"
#include "emulator/isa/modifiers.h"
#include "emulator/isa/tables.h"
#include "emulator/sched/call.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

constexpr u64 instruction_bytes = 16;  // of sm_90's machine code

const Operation* end_thread(Warp& warp, const Operation& op, LaneMask lanes) {
  return warp.exit(op, lanes);
}
const Operation* end_function(Warp& warp, const Operation& op, LaneMask lanes) {
  return warp.return_from(op, lanes);
}
// ret{.uni}
void decode_ret(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  take_uniform(instruction);
  instruction.expect_operands(0);
  op.execute = instruction_set().end_of(decoder.function());
  decoder.effects().next = Effects::Next::nowhere;
}

// A call of the functions that the driver provides; `detail` is what decode_system_call kept.
struct SystemCallSite {
  SystemCall function;
  std::vector<CallValue> parameters;
  std::vector<CallValue> results;  // one at most
};

const Operation* call_system(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& site = *static_cast<const SystemCallSite*>(op.detail);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const auto place = [&](const CallValue& value) {
      return place_of(warp, warp.frame(), value, lane);
    };
    std::vector<std::byte*> parameters;
    for (const CallValue& value : site.parameters) parameters.push_back(place(value));
    std::byte* result = site.results.empty() ? nullptr : place(site.results.front());
    site.function(warp, op, lane, parameters, result);
  }
  return &op + 1;
}

// call{.uni} {(results),} function {, (parameters)} {, prototype or targets};
struct CallOperands {
  const ptx::Operand* function = nullptr;
  std::span<const ptx::Operand> results;
  std::span<const ptx::Operand> arguments;
  std::string_view prototype;
};

CallOperands operands_of(const Instruction& instruction) {
  CallOperands call;
  for (std::size_t i = 0; i < instruction.operand_count(); ++i) {
    const ptx::Operand& operand = instruction.operand(i);
    if (operand.kind == ptx::Operand::Kind::call_list) {
      (call.function == nullptr ? call.results : call.arguments) = operand.elements;
    } else if (call.function == nullptr) {
      call.function = &operand;
    } else {
      call.prototype = operand.name;
    }
  }
  if (call.function == nullptr) refuse("names no function");
  return call;
}

template <CallValue (Decoder::*value_of)(const ptx::Operand&, const ptx::Variable&)>
std::vector<CallValue> call_values(Decoder& decoder, std::span<const ptx::Operand> operands,
                                   const std::vector<ptx::Variable>& declared) {
  if (operands.size() != declared.size()) {
    refuse("passes " + std::to_string(operands.size()) + " values where " +
           std::to_string(declared.size()) + " are declared");
  }
  std::vector<CallValue> values;
  for (std::size_t i = 0; i < operands.size(); ++i) {
    values.push_back((decoder.*value_of)(operands[i], declared[i]));
  }
  return values;
}

constexpr auto parameter_values = call_values<&Decoder::call_parameter>;
constexpr auto result_values = call_values<&Decoder::call_result>;

std::vector<ptx::Variable> declared_values(std::span<const unsigned> sizes) {
  std::vector<ptx::Variable> values(sizes.size());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    values[i].type = sizes[i] == 8 ? ptx::Type::b64 : ptx::Type::b32;
  }
  return values;
}

void decode_system_call(Decoder& decoder, const CallOperands& call, Operation& op) {
  const SystemFunction* function = find_system_function(call.function->name);
  if (function == nullptr) {
    refuse_as_ptxas(
        "of " + common::demangled(std::string(call.function->name)) +
        ", which is neither defined in this module nor modeled by the emulator: device code "
        "that needs linking cannot run here; compile the kernel and the functions that it calls "
        "as one file, without -rdc=true");
  }
  SystemCallSite site{};
  site.function = function->execute;
  site.parameters =
      parameter_values(decoder, call.arguments, declared_values(function->parameters));
  if (!call.results.empty() && function->result != 0) {
    const unsigned sizes[] = {function->result};
    site.results = result_values(decoder, call.results, declared_values(sizes));
  }
  decoder.program().is_ordered = true;  // output is in the order of the CTAs
  op.detail = decoder.program().keep(std::move(site));
  op.execute = call_system;
}

const Operation* call_direct(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& site = *static_cast<const CallSite*>(op.detail);
  return warp.call(op, lanes, site, warp.program().functions[site.callee]);
}

const DecodedFunction& pointed_function(Warp& warp, const Operation& op, unsigned lane,
                                        u64 address) {
  const auto& site = *static_cast<const CallSite*>(op.detail);
  for (const DecodedFunction& function : warp.program().functions) {
    if (address == 0 || function.address != address) continue;
    if (function.function->is_entry) break;
    if (fits(site.arguments, function.parameters) && fits(site.results, function.results)) {
      return function;
    }
    warp.fault(op, lane, Sentence::indirect_call_parameters,
               {common::demangled(function.function->name)});
  }
  // The two errors of an H100.
  const bool may_be_code = address % instruction_bytes == 0;
  warp.fault(op, lane,
             may_be_code ? Sentence::indirect_call_nowhere : Sentence::indirect_call_askew,
             {address});
}

const Operation* call_indirect(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto& site = *static_cast<const CallSite*>(op.detail);
  std::array<u64, warp_size> pointers;
  std::memcpy(pointers.data(), warp.lanes<u64>(site.pointer), sizeof pointers);
  const Operation* next = &op + 1;
  while (lanes != 0) {
    const auto first = static_cast<unsigned>(std::countr_zero(lanes));
    LaneMask same = 0;
    for (LaneMask rest = lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<unsigned>(std::countr_zero(rest));
      same |= LaneMask{pointers[lane] == pointers[first]} << lane;
    }
    lanes &= ~same;
    next = warp.call(op, same, site, pointed_function(warp, op, first, pointers[first]));
  }
  return next;
}

// Everything that a function pointer may hold is decoded with the kernel.
void add_pointed_functions(Decoder& decoder) {
  const auto add = [&](std::string_view name) {
    const ptx::Function* function = decoder.find_function(name);
    if (function != nullptr && !function->is_entry && !function->is_extern) {
      decoder.callee(*function);
    }
  };
  for (const ptx::Variable& variable : decoder.module().variables) {
    for (const ptx::Variable::Relocation& relocation : variable.relocations) add(relocation.symbol);
  }
  for (const ptx::Function& function : decoder.module().functions) {
    for (const ptx::Instruction& instruction : function.body) {
      if (instruction.is_call()) continue;
      for (const ptx::Operand& operand : instruction.operands) {
        if (operand.kind == ptx::Operand::Kind::symbol) add(operand.name);
      }
    }
  }
}

// The functions that the last operand allows, and with them the values' types.
void decode_indirect_call(Decoder& decoder, const CallOperands& call, Operation& op) {
  const ptx::Function& caller = decoder.function();
  CallSite site;
  site.pointer = decoder.source(*call.function, 8);
  const auto prototype =
      std::ranges::find(caller.prototypes, call.prototype, &ptx::CallPrototype::name);
  const auto targets =
      std::ranges::find(caller.call_targets, call.prototype, &ptx::CallTargets::name);
  if (prototype != caller.prototypes.end()) {
    site.arguments = parameter_values(decoder, call.arguments, prototype->parameters);
    site.results = result_values(decoder, call.results, prototype->results);
    add_pointed_functions(decoder);
  } else if (targets != caller.call_targets.end() && !targets->functions.empty()) {
    for (const std::string_view name : targets->functions) {
      const ptx::Function* function = decoder.find_function(name);
      if (function == nullptr || function->is_extern || function->is_entry) {
        refuse("may go to " + std::string(name) + ", which has no body in this module");
      }
      site.arguments = parameter_values(decoder, call.arguments, function->parameters);
      site.results = result_values(decoder, call.results, function->results);
      decoder.callee(*function);
    }
  } else {
    refuse("is indirect and has no prototype");
  }
  op.detail = decoder.program().keep(std::move(site));
  op.execute = call_indirect;
}

void decode_call(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  take_uniform(instruction);
  decoder.effects().acts = true;
  const CallOperands call = operands_of(instruction);
  if (decoder.is_register(*call.function)) return decode_indirect_call(decoder, call, op);
  const ptx::Function* function = decoder.find_function(call.function->name);
  if (function == nullptr || function->is_extern) return decode_system_call(decoder, call, op);
  if (function->is_entry) refuse("of a kernel is not modeled");
  CallSite site;
  site.arguments = parameter_values(decoder, call.arguments, function->parameters);
  site.results = result_values(decoder, call.results, function->results);
  site.callee = decoder.callee(*function);
  op.detail = decoder.program().keep(std::move(site));
  op.execute = call_direct;
}

// The stack is the end of the thread's local memory: alloca moves it up, stackrestore back.
template <class T>
const Operation* allocate(Warp& warp, const Operation& op, LaneMask lanes) {
  const auto alignment = static_cast<u64>(op.immediate);
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const u64 begin = (warp.local_bytes(lane) + alignment - 1) / alignment * alignment;
    const u64 size = warp.lanes<T>(op.a)[lane];
    const u64 end = size > ~u64{0} - begin ? ~u64{0} : begin + size;
    warp.set_local_bytes(op, lane, end);
    warp.lanes<T>(op.d)[lane] = static_cast<T>(begin);
  }
  return &op + 1;
}
template <class T>
const Operation* save_stack(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.lanes<T>(op.d)[lane] = static_cast<T>(warp.local_bytes(lane));
  }
  return &op + 1;
}
template <class T>
const Operation* restore_stack(Warp& warp, const Operation& op, LaneMask lanes) {
  for (; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    warp.set_local_bytes(op, lane, warp.lanes<T>(op.a)[lane]);
  }
  return &op + 1;
}

// .u32 or .u64
bool take_width(Instruction& instruction) {
  return instruction.require_one_of({"u32", "u64"}, "type that is modeled") == "u64";
}

// alloca.type ptr, size {, alignment};
void decode_alloca(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  const bool wide = take_width(instruction);
  instruction.expect_operands(2, 3);
  op.d = decoder.destination(instruction.operand(0), wide ? 8 : 4);
  op.a = decoder.source(instruction.operand(1), wide ? 8 : 4);
  decoder.effects().acts = true;
  op.immediate = 8;
  if (instruction.operand_count() == 3) {
    const ptx::Operand& alignment = instruction.operand(2);
    if (alignment.kind != ptx::Operand::Kind::integer || !std::has_single_bit(alignment.bits)) {
      refuse("has an alignment that is no power of two");
    }
    op.immediate = static_cast<s64>(alignment.bits);
  }
  op.execute = wide ? allocate<u64> : allocate<u32>;
}
void decode_stacksave(Decoder& decoder, Instruction& instruction, Operation& op,
                      const Definition&) {
  const bool wide = take_width(instruction);
  instruction.expect_operands(1);
  op.d = decoder.destination(instruction.operand(0), wide ? 8 : 4);
  op.execute = wide ? save_stack<u64> : save_stack<u32>;
}
void decode_stackrestore(Decoder& decoder, Instruction& instruction, Operation& op,
                         const Definition&) {
  const bool wide = take_width(instruction);
  instruction.expect_operands(1);
  op.a = decoder.source(instruction.operand(0), wide ? 8 : 4);
  op.execute = wide ? restore_stack<u64> : restore_stack<u32>;
}

constexpr Definition table[] = {
    {"call", decode_call},
    {"ret", decode_ret},
    {"alloca", decode_alloca},
    {"stacksave", decode_stacksave},
    {"stackrestore", decode_stackrestore},
};

}  // namespace

std::span<const Definition> call_definitions() {
  return table;
}

Handler return_handler(const ptx::Function& function) {
  return function.is_entry ? end_thread : end_function;
}

}  // namespace tmaemu
