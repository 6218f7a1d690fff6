#include "runner/confinement.h"

#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include "runner/refused_calls.h"

namespace runner {
namespace {

common::Error system_error(const char* doing) {
  return {std::string("cannot ") + doing + ": " + std::strerror(errno)};
}

#ifdef __x86_64__
constexpr std::uint32_t own_architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t own_architecture = AUDIT_ARCH_AARCH64;
#endif

constexpr rlim_t mebibyte = 1 << 20;

struct Limit {
  __rlimit_resource resource;
  rlim_t most;
};

// Each far above what a launcher needs. The judge's watchdog looks at what is really in use; these
// stop what is too quick for it.
constexpr Limit limits[] = {
    {RLIMIT_DATA, 16 * 1024 * mebibyte},  // private memory that can be written
    {RLIMIT_FSIZE, mebibyte},
    {RLIMIT_NOFILE, 1024},
    {RLIMIT_CORE, 0},
    {RLIMIT_CPU, 3600},  // seconds of all threads; the judge's clock ends a call long before
};

common::Status set_limits() {
  for (const Limit& limit : limits) {
    rlimit now{};
    if (getrlimit(limit.resource, &now) != 0) return system_error("read a resource limit");
    const rlim_t most = std::min(limit.most, now.rlim_max);
    const rlimit wanted{most, most};
    if (setrlimit(limit.resource, &wanted) != 0) return system_error("set a resource limit");
  }
  return {};
}

// The filter is a program for the kernel's classic BPF machine: it loads 32-bit words of struct
// seccomp_data into its one register, compares and returns. (Linux, seccomp_filter.rst.)
class Filter {
 public:
  void load(std::size_t offset) {
    add(BPF_LD | BPF_W | BPF_ABS, static_cast<std::uint32_t>(offset));
  }
  void answer(std::uint32_t action) { add(BPF_RET | BPF_K, action); }
  // Steps over the next `count` instructions where the register is (not) `value`, has (not) one of
  // the bits `mask`.
  void skip_unless_equal(std::uint32_t value, std::uint8_t count) {
    jump(BPF_JEQ, value, 0, count);
  }
  void skip_if_equal(std::uint32_t value, std::uint8_t count) { jump(BPF_JEQ, value, count, 0); }
  void skip_unless_above(std::uint32_t value, std::uint8_t count) {
    jump(BPF_JGT, value, 0, count);
  }
  void skip_unless_any(std::uint32_t mask, std::uint8_t count) { jump(BPF_JSET, mask, 0, count); }
  void skip_if_any(std::uint32_t mask, std::uint8_t count) { jump(BPF_JSET, mask, count, 0); }

  common::Status install() {
    sock_fprog program{static_cast<unsigned short>(code_.size()), code_.data()};
    // TSYNC: the CUDA driver has started threads of its own by now.
    const long failed =
        syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program);
    if (failed < 0) return system_error("install the filter of system calls");
    if (failed > 0) return common::Error{"a thread does not take the filter of system calls"};
    return {};
  }

 private:
  void add(int operation, std::uint32_t value) {
    code_.push_back(BPF_STMT(static_cast<std::uint16_t>(operation), value));
  }
  void jump(int test, std::uint32_t value, std::uint8_t if_true, std::uint8_t if_false) {
    code_.push_back(
        BPF_JUMP(static_cast<std::uint16_t>(BPF_JMP | BPF_K | test), value, if_true, if_false));
  }

  std::vector<sock_filter> code_;
};

// The lower half of an argument: all flags and process numbers are there.
constexpr std::size_t argument_offset(int index) {
  return offsetof(seccomp_data, args) + static_cast<std::size_t>(index) * sizeof(std::uint64_t);
}

// The register holds the call's number, before and afterward: there may be more to say of it.
void refuse(Filter& filter, const RefusedCall& call) {
  const std::uint32_t refusal = SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(call.error);
  if (call.when == When::always) {
    filter.skip_unless_equal(call.number, 1);
    filter.answer(refusal);
    return;
  }
  filter.skip_unless_equal(call.number, 4);
  filter.load(argument_offset(call.argument));
  switch (call.when) {
    case When::any_bit:
      filter.skip_unless_any(call.value, 1);
      break;
    case When::no_bit:
      filter.skip_if_any(call.value, 1);
      break;
    case When::equal:
      filter.skip_unless_equal(call.value, 1);
      break;
    case When::not_equal:
      filter.skip_if_equal(call.value, 1);
      break;
    case When::not_this_process:
      filter.skip_if_equal(static_cast<std::uint32_t>(getpid()), 1);
      break;
    case When::always:
      break;
  }
  filter.answer(refusal);
  filter.load(offsetof(seccomp_data, nr));
}

common::Status refuse_calls(MoreThreads threads) {
  Filter filter;
  filter.load(offsetof(seccomp_data, arch));
  filter.skip_if_equal(own_architecture, 1);
  filter.answer(SECCOMP_RET_KILL_PROCESS);  // 32-bit code has other numbers for the calls
  filter.load(offsetof(seccomp_data, nr));
#ifdef __x86_64__
  filter.skip_unless_any(__X32_SYSCALL_BIT, 1);
  filter.answer(SECCOMP_RET_KILL_PROCESS);
#endif
  filter.skip_unless_above(newest_call, 1);
  filter.answer(SECCOMP_RET_ERRNO | ENOSYS);
  if (threads == MoreThreads::refused) refuse(filter, {SYS_clone});
  for (const RefusedCall& call : refused_calls) refuse(filter, call);
  filter.answer(SECCOMP_RET_ALLOW);
  return filter.install();
}

}  // namespace

common::Status give_up_capabilities() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  const __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3]{};
  if (syscall(SYS_capset, &header, none) != 0) return system_error("give up capabilities");
  return {};
}

void leave_judges_limit() {
  rlimit memory{};
  if (getrlimit(RLIMIT_DATA, &memory) != 0) return;
  memory.rlim_cur = memory.rlim_max;
  setrlimit(RLIMIT_DATA, &memory);
}

common::Status confine(MoreThreads threads) {
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return system_error("give up privileges");
  if (auto limited = set_limits(); !limited) return limited;
  return refuse_calls(threads);
}

}  // namespace runner
