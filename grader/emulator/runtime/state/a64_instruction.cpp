#include "emulator/runtime/state/a64_instruction.h"

namespace tmaemu::runtime {
namespace {

struct Instruction {
  std::uint32_t word;

  std::uint32_t bits(unsigned first, unsigned count) const {
    return (word >> first) & ((1u << count) - 1);
  }
  bool bit(unsigned at) const { return bits(at, 1) != 0; }
  bool loads() const { return bit(22); }  // the bit L, where a form has it
};

// Beside those of one register, loads and stores that are exclusive or ordered, and
// compare-and-swap.
bool exclusive_writes(Instruction each) {
  const bool is_pair_of_registers = each.bit(31);
  const bool swaps = each.bit(21) && (each.bit(23) || !is_pair_of_registers);
  return swaps || !each.loads();
}

bool ordered_or_copying_writes(Instruction each) {
  const bool copies_or_sets = each.bits(10, 2) == 0b01;  // CPY and SET
  return copies_or_sets || each.bits(22, 2) == 0;        // STLUR
}

bool of_one_register_writes(Instruction each) {
  const bool is_atomic = !each.bit(24) && each.bit(21) && each.bits(10, 2) == 0;
  if (is_atomic) return each.bits(12, 4) != 0b1100;  // LDAPR
  const bool is_vector = each.bit(26);
  return is_vector ? !each.loads() : each.bits(22, 2) == 0;
}

}  // namespace

bool a64_writes(std::uint32_t instruction) {
  constexpr std::uint32_t zero_block = 0xd50b'7420;  // DC ZVA, without its register
  const Instruction each{instruction};
  if ((instruction & ~0x1fu) == zero_block) return true;
  if (each.bits(25, 4) == 0b0010) return each.bits(29, 3) == 0b111;  // SVE's memory operations
  const bool is_load_or_store = each.bit(27) && !each.bit(25);
  if (!is_load_or_store) return false;
  switch (each.bits(28, 2)) {
    case 0b00:  // exclusive, and structures of vectors
      return each.bit(26) ? !each.loads() : exclusive_writes(each);
    case 0b01:
      return each.bit(24) && ordered_or_copying_writes(each);  // else of a place by its distance
    case 0b10:                                                 // pairs
      return !each.loads();
    default:
      return of_one_register_writes(each);
  }
}

}  // namespace tmaemu::runtime
