// PTX ISA, "Data Movement": prefetches, priorities and policies of caches. They change when bytes
// move between caches, never what a program sees; so all of their modifiers are taken at their
// word.
#include <bit>

#include "emulator/isa/lanes.h"

namespace tmaemu {
namespace {

const Operation* hint(Warp&, const Operation& op, LaneMask) {
  return &op + 1;
}

// prefetch{.global,.local}.{L1,L2} [a], prefetch{.global}.L2::priority [a] and
// prefetch{.const,.param}.tensormap [a]
void decode_prefetch(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  if (instruction.take("tensormap")) {
    instruction.take_one_of({"const", "param"});
  } else if (!instruction.take_one_of({"L2::evict_last", "L2::evict_normal"}).empty()) {
    instruction.take("global");
  } else {
    instruction.require_one_of({"L1", "L2"}, "cache");
    instruction.take_one_of({"global", "local"});
  }
  instruction.expect_operands(1);
  decoder.memory(instruction.operand(0));
  op.execute = hint;
}

// prefetchu.L1 [a]
void decode_uniform_prefetch(Decoder& decoder, Instruction& instruction, Operation& op,
                             const Definition&) {
  instruction.require("L1");
  instruction.expect_operands(1);
  decoder.memory(instruction.operand(0));
  op.execute = hint;
}

void require_cache_line(const ptx::Operand& size) {
  constexpr u64 line_bytes = 128;
  if (size.kind != ptx::Operand::Kind::integer || size.bits != line_bytes) {
    refuse("has another size than 128");
  }
}

// applypriority{.global}.L2::evict_normal [a], 128
void decode_applypriority(Decoder& decoder, Instruction& instruction, Operation& op,
                          const Definition&) {
  instruction.require("L2::evict_normal");
  instruction.take("global");
  instruction.expect_operands(2);
  decoder.memory(instruction.operand(0));
  require_cache_line(instruction.operand(1));
  op.execute = hint;
}

// discard{.global}.L2 [a], 128: what was there is undefined from here on, so it may as well stay.
void decode_discard(Decoder& decoder, Instruction& instruction, Operation& op, const Definition&) {
  instruction.require("L2");
  instruction.take("global");
  instruction.expect_operands(2);
  decoder.memory(instruction.operand(0));
  require_cache_line(instruction.operand(1));
  op.execute = hint;
}

// A cache policy is an opaque value; here it is always the same.
const Operation* create_policy(Warp& warp, const Operation& op, LaneMask lanes) {
  constexpr u64 policy = 0x12F0'0000'0000'0000;  // what hardware calls evict_first
  for (; lanes != 0; lanes &= lanes - 1) warp.lanes<u64>(op.d)[std::countr_zero(lanes)] = policy;
  return &op + 1;
}

void take_priorities(Instruction& instruction) {
  instruction.require_one_of(
      {"L2::evict_last", "L2::evict_normal", "L2::evict_first", "L2::evict_unchanged"},
      "primary priority");
  instruction.take_one_of({"L2::evict_first", "L2::evict_unchanged"});
}

// createpolicy.fractional.primary{.secondary}.b64 policy {, fraction}
void decode_fractional_policy(Decoder& decoder, Instruction& instruction, Operation& op,
                              const Definition&) {
  take_priorities(instruction);
  instruction.require("b64");
  instruction.expect_operands(1, 2);
  op.d = decoder.destination(instruction.operand(0), 8);
  if (instruction.operand_count() == 2) decoder.floating_source(instruction.operand(1), 4);
  op.execute = create_policy;
}

// createpolicy.range{.global}.primary{.secondary}.b64 policy, [a], primary size, total size
void decode_range_policy(Decoder& decoder, Instruction& instruction, Operation& op,
                         const Definition&) {
  take_priorities(instruction);
  instruction.take("global");
  instruction.require("b64");
  instruction.expect_operands(4);
  op.d = decoder.destination(instruction.operand(0), 8);
  decoder.memory(instruction.operand(1));
  decoder.source(instruction.operand(2), 4);
  decoder.source(instruction.operand(3), 4);
  op.execute = create_policy;
}

// createpolicy.cvt.L2.b64 policy, property
void decode_converted_policy(Decoder& decoder, Instruction& instruction, Operation& op,
                             const Definition&) {
  instruction.require("L2");
  instruction.require("b64");
  instruction.expect_operands(2);
  op.d = decoder.destination(instruction.operand(0), 8);
  decoder.source(instruction.operand(1), 8);
  op.execute = create_policy;
}

constexpr Definition table[] = {
    {"prefetch", decode_prefetch},
    {"prefetchu", decode_uniform_prefetch},
    {"applypriority", decode_applypriority},
    {"discard", decode_discard},
    {"createpolicy.fractional", decode_fractional_policy},
    {"createpolicy.range", decode_range_policy},
    {"createpolicy.cvt", decode_converted_policy},
};

}  // namespace

std::span<const Definition> cache_definitions() {
  return table;
}

}  // namespace tmaemu
