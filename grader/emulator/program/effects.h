// What an instruction does, for those who read a program and do not execute it. Filled in once,
// where the instruction is decoded: which registers it reads and writes, the decoder notes when the
// definition asks for their places; the rest a definition says of itself. One that says nothing
// computes its results and does nothing else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "emulator/ptx/registers.h"
#include "emulator/tensor/product.h"

namespace tmaemu {

// How the result comes from the operands, as far as somebody asks. Operand 0 is the result.
enum class Computation : std::uint8_t {
  any,
  copy,         // operand 1, perhaps in another state space
  conversion,   // operand 1 in another type
  sum,          // operand 1 plus operand 2
  difference,   // operand 1 less operand 2
  product_sum,  // operand 1 times operand 2, plus operand 3
  joined_bits,  // bits of the operands, each at its place
  masked_bits,  // the same, but some are left out
  choice,       // one of the operands, or whether something holds of them
};

// Operands of an instruction, by their places in the text.
class OperandSet {
 public:
  void add(std::size_t operand) { bits_ |= static_cast<std::uint16_t>(1u << operand); }
  bool has(std::size_t operand) const { return (bits_ >> operand & 1) != 0; }
  bool is_empty() const { return bits_ == 0; }

 private:
  std::uint16_t bits_ = 0;
};

struct Effects {
  // The thread's own access to memory. What the engine does later is none.
  enum class Memory : std::uint8_t { none, load, store, atomic };
  enum class Space : std::uint8_t {
    generic,
    global,
    shared,
    local,
    parameter,  // of the kernel
    call,       // parameters and results of functions
  };
  // Whether the lanes of a warp wait for each other.
  enum class Convergence : std::uint8_t {
    none,
    wait,      // and do nothing else
    exchange,  // the result is made of all their values
    shuffle,   // the result is another lane's value
  };
  // Where a thread goes on if the guard holds.
  enum class Next : std::uint8_t {
    following,
    label,   // which operand 0 names
    labels,  // one of those of the list that operand 1 names
    nowhere,
  };
  static constexpr std::uint8_t no_operand = 0xff;

  // Those with registers that are read, which those of an address are, and that are written. The
  // guard is none of them.
  OperandSet reads;
  OperandSet writes;
  bool reads_carry = false;
  bool writes_carry = false;
  // It does more than give its results their values.
  bool acts = false;
  Computation computation = Computation::any;
  Convergence convergence = Convergence::none;
  Next next = Next::following;
  bool shuffles_down = false;  // with shuffle: the value of a lane further up
  bool asks_phase = false;     // operand 0: whether a phase of an mbarrier is over
  bool asks_once = false;      // with asks_phase: without waiting for it
  bool copies = false;         // a copy, or an engine's operation, whose bytes are written later
  bool fences_system = false;  // a fence of the system's scope
  bool reads_clock = false;    // the result is a time
  bool awaits_cta = false;     // bar.sync, barrier.red: waits for threads of other warps
  bool goes_on = false;        // wgmma.mma_async: its registers are used later
  bool loads_tile = false;     // the TMA engine brings bytes of global memory to shared memory
  // cp.async.mbarrier.arrive without .noinc adds one to the count that it takes away again later:
  // the phase needs as many arrivals as before.
  bool arrives_for_nothing = false;
  // The state space that a fence.proxy.async names.
  std::optional<Space> fences_async;

  Memory memory = Memory::none;
  Space space = Space::generic;
  bool is_exchange = false;   // an atomic that writes the same whatever it finds
  bool is_strong = false;     // synchronizes threads
  bool is_read_only = false;  // nobody may write there while the kernel runs
  // The address of the access; of a bulk copy, that in shared memory. no_operand where there is
  // none, or where there are several.
  std::uint8_t address = no_operand;

  std::uint16_t registers_taken = 0;  // so many setmaxnreg.inc asks for, also where it is ignored

  // What each warp multiplies; null where the instruction multiplies no matrices.
  const tensor::Product* product = nullptr;

  // Whether it gives its results values, and nothing else happens.
  bool only_computes() const { return !acts && (!writes.is_empty() || writes_carry); }
};

// No register of a program can have this name.
inline constexpr std::string_view carry_register = "CC.CF";

// Calls visit(name) for each register that the instruction reads, but for its guard.
template <class Visit>
void for_each_register_read(const ptx::Instruction& instruction, const Effects& effects,
                            Visit visit) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    if (effects.reads.has(i)) ptx::for_each_register(instruction.operands[i], visit);
  }
  if (effects.reads_carry) visit(carry_register);
}

// The same for those that it writes.
template <class Visit>
void for_each_register_written(const ptx::Instruction& instruction, const Effects& effects,
                               Visit visit) {
  for (std::size_t i = 0; i < instruction.operands.size(); ++i) {
    if (effects.writes.has(i)) ptx::for_each_register(instruction.operands[i], visit);
  }
  if (effects.writes_carry) visit(carry_register);
}

}  // namespace tmaemu
