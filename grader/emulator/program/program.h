// A function in executable form: a flat array of operations whose operands are places in a warp's
// register file.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "emulator/model/ids.h"
#include "emulator/program/access.h"
#include "emulator/program/effects.h"
#include "emulator/program/special_registers.h"
#include "emulator/ptx/module.h"

namespace tmaemu {

class Warp;
struct Operation;

// Executes one operation for the lanes in the mask (never empty) and returns the operation that
// these lanes execute next; Warp::stop() where they cannot go on.
using Handler = const Operation* (*)(Warp&, const Operation&, LaneMask);

struct alignas(64) Operation {
  Handler execute = nullptr;
  Slot d = 0;  // destination
  Slot a = 0;  // sources, in the order PTX writes them
  Slot b = 0;
  Slot c = 0;
  Slot e = 0;
  Slot guard = 0;                // predicate register; Program::true_slot where there is none
  LaneMask guard_flip = 0;       // all_lanes for @!p
  std::uint32_t site = 0;        // index into Program::sites
  std::int64_t immediate = 0;    // address offset, branch target, count: as the handler says
  const void* detail = nullptr;  // what does not fit above; owned by the Program
};
static_assert(sizeof(Operation) == 64);

// A slot that is filled when a CTA starts: 4 bytes a lane, or 8 where `wide`; or a predicate.
struct SpecialSlot {
  Special which;
  Slot slot;
  bool wide = false;
  bool is_predicate = false;
  std::uint32_t value = 0;
};

// A slot that holds the same value in every lane forever: immediates and addresses.
struct ConstantSlot {
  Slot slot;
  std::uint8_t bytes;  // 2, 4 or 8 a lane; 0 for a predicate
  std::uint64_t bits;
};

// A shared variable and where it lies, for people who read diagnostics.
struct SharedVariable {
  std::string name;  // as in the source where it can be told from the mangled one
  std::uint32_t offset;
  std::uint32_t bytes;  // 0: dynamic shared memory, up to the end
  std::string symbol;   // the name in PTX
};

// Where a parameter or a result of a call is kept: in a register, or in the frame's local memory.
struct CallValue {
  bool is_register = false;
  std::uint32_t place = 0;  // a slot, or an offset from the frame's local base
  std::size_t bytes = 0;
};

// Which of the registers that asynchronous instructions of a function name another one uses.
struct RegisterUse {
  std::vector<Slot> read;
  std::vector<Slot> written;
  bool only_copies = false;  // a value that is constant, or another register's
};

// Bytes of a frame's registers.
struct RegisterBytes {
  Slot slot = 0;
  std::size_t bytes = 0;
};

// One function of a program: its code and what a frame of it needs.
struct DecodedFunction {
  const ptx::Function* function = nullptr;
  std::uint64_t address = 0;   // what a function pointer holds; 0 where there is none
  std::size_t entry = 0;       // index of its first operation
  std::size_t first_site = 0;  // of its body: the other instructions follow
  std::size_t register_bytes = 0;
  std::vector<ConstantSlot> constants;
  std::vector<SpecialSlot> specials;
  std::vector<RegisterBytes> times;  // what is computed from a clock, in order
  std::size_t local_bytes = 0;       // per thread
  std::size_t local_alignment = 16;
  std::vector<CallValue> parameters;  // of device functions
  std::vector<CallValue> results;
};

// A kernel with everything that it can call.
struct Program {
  const ptx::Module* module = nullptr;
  const ptx::Function* function = nullptr;  // the kernel

  std::vector<Operation> code;  // function after function; each ends with a return
  std::vector<const ptx::Instruction*> sites;
  std::vector<Effects> effects;  // by site
  // By their index in `code`, what operations do to registers that go on being read and written
  // while their thread does; null where no observer is interested.
  std::vector<const RegisterUse*> register_uses;
  std::vector<DecodedFunction> functions;  // the kernel first

  bool reads_clocks() const {
    return std::ranges::any_of(functions,
                               [](const DecodedFunction& each) { return !each.times.empty(); });
  }
  // Whether ptxas lets each wgmma end before it goes on, as it does in code for a debugger: its
  // remarks C7517 to C7520 say so, and WARPGROUP.DEPBAR behind each HGMMA shows it.
  bool waits_for_each_product() const { return module != nullptr && module->is_for_debugger; }
  // Those of the instructions of the function's body.
  std::span<const Effects> effects_of(const DecodedFunction& decoded) const {
    return std::span(effects).subspan(decoded.first_site, decoded.function->body.size());
  }

  // What ptxas would refuse, "line 7: bra branches to nowhere, ..."; empty where there is nothing.
  // A program that was compiled has nothing; PTX that a program brings as text may.
  std::string no_ptx;

  static constexpr Slot true_slot = 0;  // a predicate that always holds

  std::size_t shared_bytes = 0;  // static, from offset 0: the reserved kilobyte included
  std::vector<SharedVariable> shared_variables;
  std::size_t local_bytes = 0;      // per thread, of the kernel itself
  bool uses_group_scratch = false;  // of cooperative groups, in the reserved kilobyte
  bool uses_async_proxy = false;    // holds bulk copies: shared memory needs two views
  bool is_ordered = false;  // CTAs may see each other's effects: run them in one fixed order

  std::vector<std::shared_ptr<const void>> details;

  // Keeps `detail` alive as long as the program.
  template <class T>
  const T* keep(T detail) {
    auto kept = std::make_shared<const T>(std::move(detail));
    details.push_back(kept);
    return kept.get();
  }
};

}  // namespace tmaemu
