// Linux clears the processor's bit for single steps when a handler returns (PSTATE.SS). So a step
// is a copy of the instruction, with a breakpoint behind it, on a page of its own: what touches the
// program's data is no jump and names no place by its distance.
#ifdef __aarch64__

#include <asm/sigcontext.h>
#include <sys/mman.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstring>

#include "emulator/runtime/state/a64_instruction.h"
#include "emulator/runtime/state/machine_context.h"

namespace tmaemu::runtime {
namespace {

constexpr std::uint64_t syndrome_of_write = 1u << 6;  // ESR_EL1.WnR of a data abort
constexpr std::uint64_t instruction_bytes = 4;

struct Step {
  std::uint32_t instruction = 0;
  std::uint32_t breakpoint = 0xd420'0000;  // brk #0
};
constexpr std::size_t most_threads = 512;  // that ever step

thread_local std::size_t own_number = 0;  // one more than that of this thread's Step
thread_local std::uint64_t left_at = 0;   // where the program itself stands

Step* steps() {
  static Step* const all = [] {
    void* const page = mmap(nullptr, most_threads * sizeof(Step),
                            PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? nullptr : static_cast<Step*>(page);
  }();
  return all;
}

// Null where no more threads can, or the system allows no page to be both written and executed.
Step* own_step() {
  static std::atomic<std::size_t> taken = 0;
  if (own_number == 0) own_number = taken.fetch_add(1) + 1;
  return steps() == nullptr || own_number > most_threads ? nullptr : steps() + own_number - 1;
}

}  // namespace

std::uint64_t instruction_address(const ucontext_t& context) {
  return context.uc_mcontext.pc;
}

// The kernel puts records behind the registers, of which one has the syndrome; the last is empty.
// Under qemu there is none.
bool is_write(const ucontext_t& context) {
  const auto& records = context.uc_mcontext.__reserved;
  _aarch64_ctx head{};
  for (std::size_t at = 0; at + sizeof head <= sizeof records; at += head.size) {
    std::memcpy(&head, records + at, sizeof head);
    if (head.magic == ESR_MAGIC) {
      esr_context syndrome{};
      std::memcpy(&syndrome, records + at, sizeof syndrome);
      return (syndrome.esr & syndrome_of_write) != 0;
    }
    if (head.magic == 0 || head.size == 0) break;
  }
  std::uint32_t instruction = 0;
  std::memcpy(&instruction, reinterpret_cast<const void*>(instruction_address(context)),
              instruction_bytes);
  return a64_writes(instruction);
}

bool step_one_instruction(ucontext_t& context) {
  Step* const step = own_step();
  if (step == nullptr) return false;
  left_at = context.uc_mcontext.pc;
  Step wanted;
  std::memcpy(&wanted.instruction, reinterpret_cast<const void*>(left_at), instruction_bytes);
  *step = wanted;
  auto* const begin = reinterpret_cast<char*>(step);
  __builtin___clear_cache(begin, begin + sizeof *step);
  context.uc_mcontext.pc = reinterpret_cast<std::uint64_t>(step);
  return true;
}

void end_step(ucontext_t& context) {
  context.uc_mcontext.pc = left_at + instruction_bytes;
}

void repeat_system_call(ucontext_t& context, int number) {
  context.uc_mcontext.pc -= instruction_bytes;
  context.uc_mcontext.regs[8] = static_cast<std::uint64_t>(number);
}

}  // namespace tmaemu::runtime

#endif
