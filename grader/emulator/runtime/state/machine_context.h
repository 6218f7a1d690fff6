// What a handler of signals reads and writes of the thread that was interrupted, on each machine
// that the emulator runs on.
#pragma once

#include <ucontext.h>

#include <cstdint>

namespace tmaemu::runtime {

// Of the instruction that was about to be executed.
std::uint64_t instruction_address(const ucontext_t& context);

// Whether the access that faulted was a write.
bool is_write(const ucontext_t& context);

// Lets the thread execute the one instruction that it was about to, and then has a SIGTRAP sent to
// it. False where this system cannot: the thread goes on as it was.
bool step_one_instruction(ucontext_t& context);
// In that signal's handler: from here on as before.
void end_step(ucontext_t& context);

// The system call that was dispatched to a handler is made again.
void repeat_system_call(ucontext_t& context, int number);

}  // namespace tmaemu::runtime
