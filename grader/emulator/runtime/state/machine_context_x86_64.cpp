#ifdef __x86_64__

#include "emulator/runtime/state/machine_context.h"

namespace tmaemu::runtime {
namespace {

constexpr greg_t trap_flag = 0x100;      // of RFLAGS: a trap behind the next instruction
constexpr greg_t error_of_write = 2;     // a bit of a page fault's error code
constexpr greg_t instruction_bytes = 2;  // of syscall

}  // namespace

std::uint64_t instruction_address(const ucontext_t& context) {
  return static_cast<std::uint64_t>(context.uc_mcontext.gregs[REG_RIP]);
}

bool is_write(const ucontext_t& context) {
  return (context.uc_mcontext.gregs[REG_ERR] & error_of_write) != 0;
}

bool step_one_instruction(ucontext_t& context) {
  context.uc_mcontext.gregs[REG_EFL] |= trap_flag;
  return true;
}

void end_step(ucontext_t& context) {
  context.uc_mcontext.gregs[REG_EFL] &= ~trap_flag;
}

void repeat_system_call(ucontext_t& context, int number) {
  context.uc_mcontext.gregs[REG_RIP] -= instruction_bytes;
  context.uc_mcontext.gregs[REG_RAX] = number;
}

}  // namespace tmaemu::runtime

#endif
