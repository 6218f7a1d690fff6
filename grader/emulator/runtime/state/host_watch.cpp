#include "emulator/runtime/state/host_watch.h"

#include <execinfo.h>
#include <signal.h>
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "emulator/runtime/state/machine_context.h"
#include "emulator/runtime/state/system_call_gate.h"

namespace tmaemu::runtime {
namespace {

// Pages that this thread was let through to, for one instruction; 0: none.
thread_local std::uint64_t stepped_through = 0;

struct sigaction previous_segv {};
struct sigaction previous_trap {};

// What the program, or another library, does with such a signal.
void pass_on(const struct sigaction& to, int signal, siginfo_t* info, void* context) {
  if ((SA_SIGINFO & to.sa_flags) != 0) return to.sa_sigaction(signal, info, context);
  if (to.sa_handler != SIG_DFL && to.sa_handler != SIG_IGN) return to.sa_handler(signal);
  sigaction(signal, &to, nullptr);
  if (signal == SIGTRAP) raise(signal);  // else the instruction is executed again
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const SystemCallGate::Opened opened;
  auto& interrupted = *static_cast<ucontext_t*>(context);
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  bool steps = false;
  if (info->si_code != SEGV_ACCERR ||
      !HostWatch::instance().note(address, is_write(interrupted), instruction_address(interrupted),
                                  steps)) {
    return pass_on(previous_segv, signal, info, context);
  }
  if (steps && !step_one_instruction(interrupted)) HostWatch::instance().leave_open();
}

void on_step(int signal, siginfo_t* info, void* context) {
  if (stepped_through == 0) return pass_on(previous_trap, signal, info, context);
  const SystemCallGate::Opened opened;
  end_step(*static_cast<ucontext_t*>(context));
  HostWatch::instance().close_again();
}

void install_handlers() {
  void* frame = nullptr;
  backtrace(&frame, 1);  // the first call loads a library, which no handler may do
  const auto install = [](int signal, void (*handler)(int, siginfo_t*, void*),
                          struct sigaction& previous) {
    struct sigaction action {};
    action.sa_sigaction = handler;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigaction(signal, &action, &previous);
  };
  install(SIGSEGV, on_fault, previous_segv);
  install(SIGTRAP, on_step, previous_trap);
}

bool overlaps(const StreamedBytes& bytes, std::uint64_t address, bool writes) {
  const bool is_there = address - bytes.address < bytes.bytes;
  return is_there && (writes || bytes.use == StreamedBytes::Use::written);
}

// Those of the program that the signal has interrupted.
void note_frames(NotedTouch& touch, std::uint64_t instruction) {
  constexpr int handlers = 6;
  std::array<void*, NotedTouch::most_frames + handlers> all{};
  const int count = backtrace(all.data(), static_cast<int>(all.size()));
  const auto end = all.begin() + count;
  auto first = std::find(all.begin(), end, reinterpret_cast<void*>(instruction));
  touch.frames = {instruction};
  for (std::size_t i = 0; i < touch.frames.size() && first != end; ++i, ++first) {
    touch.frames[i] = reinterpret_cast<std::uint64_t>(*first);
  }
}

}  // namespace

// Held for moments, and never while memory of the program's is touched.
class HostWatch::Lock {
 public:
  explicit Lock(std::atomic_flag& flag) : flag_(flag) {
    while (flag_.test_and_set(std::memory_order_acquire)) {
    }
  }
  ~Lock() { flag_.clear(std::memory_order_release); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  std::atomic_flag& flag_;
};

HostWatch& HostWatch::instance() {
  static auto* watch = new HostWatch;
  return *watch;
}

bool HostWatch::protect(const ClosedPages& pages, bool is_open) {
  const int closed = pages.may_be_read ? PROT_READ : PROT_NONE;
  return mprotect(reinterpret_cast<void*>(pages.begin), pages.end - pages.begin,
                  is_open ? PROT_READ | PROT_WRITE : closed) == 0;
}

void HostWatch::close(std::vector<ClosedPages> pages) {
  if (watched_.empty() && pages.empty()) return;
  static const bool is_ready = [] {
    install_handlers();
    return true;
  }();
  static_cast<void>(is_ready);
  SystemCallGate::open();
  if (replace(std::move(pages)) && SystemCallGate::is_there()) {
    SystemCallGate::shut([] { HostWatch::instance().open_parts(); });
  }
}

bool HostWatch::replace(std::vector<ClosedPages> pages) {
  const Lock lock(lock_);
  std::vector<Watched> closed;
  for (ClosedPages& each : pages) closed.push_back({std::move(each)});
  for (const Watched& before : watched_) {
    const auto same = std::ranges::find(closed, before.pages, &Watched::pages);
    if (same == closed.end()) protect(before.pages, true);
  }
  for (const Watched& each : closed) protect(each.pages, false);
  watched_ = std::move(closed);
  return std::ranges::any_of(watched_,
                             [](const Watched& each) { return !each.pages.in_use.empty(); });
}

void HostWatch::open(Watched& watched) {
  const auto open_one = [](Watched& each) {
    if (!each.is_open) protect(each.pages, true);
    each.is_open = true;
  };
  open_one(watched);
  if (watched.pages.has_flags) std::ranges::for_each(watched_, open_one);
}

void HostWatch::open_parts() {
  const Lock lock(lock_);
  for (Watched& each : watched_) {
    if (!each.pages.in_use.empty()) open(each);
  }
}

bool HostWatch::may_have_seen_flags() {
  const Lock lock(lock_);
  return std::ranges::any_of(
      watched_, [](const Watched& each) { return each.pages.has_flags && each.is_open; });
}

std::vector<NotedTouch> HostWatch::take() {
  if (touch_count_ == 0) return {};
  const Lock lock(lock_);
  const auto end = touches_.begin() + static_cast<std::ptrdiff_t>(touch_count_.exchange(0));
  return {touches_.begin(), end};
}

bool HostWatch::note(std::uint64_t address, bool writes, std::uint64_t instruction, bool& steps) {
  constexpr unsigned most_steps = 1000;
  const Lock lock(lock_);
  const auto found = std::ranges::find_if(watched_, [&](const Watched& each) {
    return address - each.pages.begin < each.pages.end - each.pages.begin;
  });
  if (found == watched_.end()) return false;
  if (found->is_open) return true;  // another thread has just opened it
  const std::vector<StreamedBytes>& in_use = found->pages.in_use;
  const bool is_wrong = in_use.empty() || std::ranges::any_of(in_use, [&](const auto& bytes) {
                          return overlaps(bytes, address, writes);
                        });
  if (is_wrong && touch_count_ < touches_.size()) {
    NotedTouch& touch = touches_[touch_count_];
    touch.address = address;
    touch.writes = writes;
    note_frames(touch, instruction);
    ++touch_count_;
  }
  steps = !is_wrong && ++found->steps < most_steps && stepped_through == 0;
  if (!steps) {
    open(*found);
    return true;
  }
  stepped_through = found->pages.begin;
  return protect(found->pages, true);
}

void HostWatch::leave_open() {
  const Lock lock(lock_);
  const std::uint64_t begin = std::exchange(stepped_through, 0);
  for (Watched& each : watched_) {
    if (each.pages.begin == begin) open(each);
  }
}

void HostWatch::close_again() {
  const Lock lock(lock_);
  const std::uint64_t begin = std::exchange(stepped_through, 0);
  for (const Watched& each : watched_) {
    if (each.pages.begin == begin && !each.is_open) protect(each.pages, false);
  }
}

}  // namespace tmaemu::runtime
