#include "emulator/runtime/state/system_call_gate.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <system_error>

#include "emulator/runtime/state/machine_context.h"

namespace tmaemu::runtime {
namespace {

constexpr int set_dispatch = 59;  // PR_SET_SYSCALL_USER_DISPATCH, which older headers lack
constexpr int dispatch_on = 1;
constexpr int by_dispatch = 2;  // SYS_USER_DISPATCH, why the signal came
constexpr char is_open = 0;     // what the system reads there
constexpr char is_shut = 1;

volatile char gate = is_open;
void (*before_call)() = nullptr;
struct sigaction previous {};

// The instruction is executed again.
void on_call(int signal, siginfo_t* info, void* context) {
  if (info->si_code != by_dispatch) {
    if ((previous.sa_flags & SA_SIGINFO) != 0) return previous.sa_sigaction(signal, info, context);
    if (previous.sa_handler != SIG_DFL && previous.sa_handler != SIG_IGN) {
      return previous.sa_handler(signal);
    }
    sigaction(signal, &previous, nullptr);
    raise(signal);
    return;
  }
  gate = is_open;
  before_call();
  repeat_system_call(*static_cast<ucontext_t*>(context), info->si_syscall);
}

// The system call that ends a handler must pass whatever the gate says: where the C library makes
// it, the system knows. 0 on aarch64, where the system itself has the place, and has no such gate.
std::uintptr_t end_of_handlers() {
  struct {
    void* handler = nullptr;
    unsigned long flags = 0;
    void* restorer = nullptr;
    std::uint64_t mask = 0;
  } action;
  if (syscall(SYS_rt_sigaction, SIGSYS, nullptr, &action, sizeof action.mask) != 0) return 0;
  return reinterpret_cast<std::uintptr_t>(action.restorer);
}

// ThreadSanitizer's own handler makes system calls before it comes to ours, and would meet the gate
// shut.
#ifdef __SANITIZE_THREAD__
constexpr bool is_possible = false;
#else
constexpr bool is_possible = true;
#endif

bool install() {
  if constexpr (!is_possible) return false;
  struct sigaction action {};
  action.sa_sigaction = on_call;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  if (sigaction(SIGSYS, &action, &previous) != 0) return false;
  constexpr std::size_t bytes = 16;
  const std::uintptr_t restorer = end_of_handlers();
  return restorer != 0 && prctl(set_dispatch, dispatch_on, restorer, bytes, &gate) == 0;
}

}  // namespace

bool SystemCallGate::is_there() {
  static const bool is_installed = install();
  static const long owner = syscall(SYS_gettid);
  if (!is_installed || syscall(SYS_gettid) != owner) return false;
  std::error_code error;
  const std::filesystem::directory_iterator threads("/proc/self/task", error);
  return !error && std::distance(begin(threads), end(threads)) == 1;
}

void SystemCallGate::shut(void (*open)()) {
  before_call = open;
  gate = is_shut;
}

void SystemCallGate::open() {
  gate = is_open;
}

SystemCallGate::Opened::Opened() : before_(gate) {
  gate = is_open;
}

SystemCallGate::Opened::~Opened() {
  gate = before_;
}

}  // namespace tmaemu::runtime
