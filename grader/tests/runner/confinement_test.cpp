#include "runner/confinement.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <ostream>
#include <string>
#include <thread>

namespace {

using runner::MoreThreads;

constexpr int not_confined = 250;

// What `act` answers in a child that has confined itself: its exit status, or 128 + its signal.
int in_confined_child(const std::function<int()>& act, MoreThreads threads = MoreThreads::allowed) {
  const pid_t child = fork();
  if (child == 0) _exit(runner::confine(threads) ? act() : not_confined);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int errno_of(long result) {
  return result < 0 ? errno : 0;
}

// The writing end of a pipe.
int pipe_end() {
  int ends[2] = {-1, -1};
  EXPECT_EQ(pipe(ends), 0);
  return ends[1];
}

struct Deed {
  const char* name;
  std::function<long()> act;
  int error = EPERM;
};

void PrintTo(const Deed& deed, std::ostream* out) {
  *out << deed.name;
}

// What a process that is not confined can do, as the first test of each sees; mostly to itself.
const Deed refused[] = {
    {"Fork", [] { return fork(); }},
    {"Vfork", [] { return syscall(SYS_clone, CLONE_VFORK | SIGCHLD, 0, 0, 0, 0); }},
    {"Clone3", [] { return syscall(SYS_clone3, nullptr, 0); }, ENOSYS},
    {"Execute",
     [] {
       char* const arguments[] = {const_cast<char*>("true"), nullptr};
       return execv("/bin/true", arguments);
     }},
    {"SignalTheParent", [] { return kill(getppid(), 0); }},
    {"SignalAThreadOfTheParent", [] { return syscall(SYS_tgkill, getppid(), getppid(), 0); }},
    {"LimitTheParent",
     [] {
       rlimit limit{};
       return prlimit(getppid(), RLIMIT_CPU, nullptr, &limit);
     }},
    {"LowerTheParentsPriority",
     [] { return setpriority(PRIO_PROCESS, static_cast<id_t>(getppid()), 0); }},
    {"HaveAFileSignalTheParent", [] { return fcntl(pipe_end(), F_SETOWN, getppid()); }},
    {"ChooseTheSignalOfAFile", [] { return fcntl(pipe_end(), F_SETSIG, SIGKILL); }},
    {"HaveATerminalSignalTheParent",
     [] {
       const pid_t parent = getppid();
       return ioctl(pipe_end(), FIOSETOWN, &parent);
     }},
    {"OutliveTheParent", [] { return prctl(PR_SET_PDEATHSIG, 0); }},
    {"HideItsMemoryFromTheParent", [] { return prctl(PR_SET_DUMPABLE, 0); }},
    {"ReadTheParentsMemory",
     [] {
       int copy = 0;
       const iovec here{&copy, sizeof copy};
       return process_vm_readv(getppid(), &here, 1, &here, 1, 0);
     }},
    {"OpenASocket", [] { return socket(AF_INET, SOCK_STREAM, 0); }},
    {"SendToSocketsByName",
     [] {
       int ends[2];
       return socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, ends);
     }},
    {"PutItsMemoryIntoAPipe",
     [] {
       const iovec here{const_cast<char*>("x"), 1};
       return vmsplice(pipe_end(), &here, 1, 0);
     }},
    {"PutAFilesMemoryIntoAPipe",
     [] { return sendfile(pipe_end(), open("/proc/self/exe", O_RDONLY), nullptr, 1); }},
    {"PinTheParentToAProcessor",
     [] {
       cpu_set_t processors;
       sched_getaffinity(getppid(), sizeof processors, &processors);
       return sched_setaffinity(getppid(), sizeof processors, &processors);
     }},
    {"CallWhatTheTableDoesNotKnow",
     [] {
       constexpr long fchmodat2_number = 452;
       return syscall(fchmodat2_number, AT_FDCWD, "/dev/null", 0666, 0);
     },
     ENOSYS},
    {"MakeAFile", [] { return open("/dev/shm/confinement-test", O_CREAT | O_RDWR, 0600); }},
    {"MakeANamelessFile", [] { return open("/tmp", O_TMPFILE | O_RDWR, 0600); }},
    {"EmptyAFile", [] { return open("/dev/null", O_TRUNC | O_WRONLY); }},
    {"ChangeAFilesSize", [] { return ftruncate(STDOUT_FILENO, 0); }},
    {"MakeAFolder", [] { return mkdir("/tmp/confinement-test", 0700); }},
    {"MakeMemoryWithAName", [] { return memfd_create("x", 0); }},
    {"UseIoUring", [] { return syscall(SYS_io_uring_setup, 1, nullptr); }},
    {"EnterANamespace", [] { return unshare(CLONE_NEWUSER); }},
};

class Refused : public testing::TestWithParam<Deed> {};

TEST_P(Refused, To) {
  EXPECT_EQ(in_confined_child([] { return errno_of(GetParam().act()); }), GetParam().error);
}

INSTANTIATE_TEST_SUITE_P(Confinement, Refused, testing::ValuesIn(refused),
                         [](const auto& info) { return info.param.name; });

TEST(Confinement, TakesNothingFromTheLimitOfTheJudges) {
  const pid_t child = fork();
  if (child == 0) {
    rlimit memory{};
    getrlimit(RLIMIT_DATA, &memory);
    memory.rlim_cur = rlim_t{1} << 30;
    setrlimit(RLIMIT_DATA, &memory);
    runner::leave_judges_limit();
    getrlimit(RLIMIT_DATA, &memory);
    _exit(memory.rlim_cur == memory.rlim_max ? 0 : 1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(Confinement, LeavesThreads) {
  EXPECT_EQ(in_confined_child([] {
              int done = 0;
              std::thread([&done] { done = 1; }).join();
              return done;
            }),
            1);
}

TEST(Confinement, LeavesNoThreadsWhereTheyAreRefused) {
  const auto start = [] {
    pthread_t thread;
    return pthread_create(
        &thread, nullptr, [](void*) -> void* { return nullptr; }, nullptr);
  };
  EXPECT_EQ(in_confined_child(start, MoreThreads::refused), EPERM);
}

TEST(Confinement, HoldsInThreadsThatWereThereBefore) {
  const pid_t child = fork();
  if (child == 0) {
    std::atomic<bool> confined{false};
    std::atomic<int> error{-1};
    std::thread earlier([&] {
      while (!confined) sched_yield();
      error = errno_of(socket(AF_INET, SOCK_STREAM, 0));
    });
    if (!runner::confine(MoreThreads::allowed)) _exit(not_confined);
    confined = true;
    earlier.join();
    _exit(error);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), EPERM);
}

TEST(Confinement, LeavesReadingFiles) {
  EXPECT_EQ(in_confined_child([] { return errno_of(open("/proc/self/maps", O_RDONLY)); }), 0);
}

// The doorbell's kind.
TEST(Confinement, LeavesPairsOfSocketsThatSpeakWithEachOther) {
  EXPECT_EQ(in_confined_child([] {
              int ends[2];
              return errno_of(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends));
            }),
            0);
}

TEST(Confinement, LeavesOtherCommandsOfACallThatIsRefusedSome) {
  EXPECT_EQ(in_confined_child([] { return errno_of(fcntl(pipe_end(), F_SETFD, FD_CLOEXEC)); }), 0);
}

// Of root without a sandbox; of others there is nothing to take.
TEST(Confinement, GivesUpCapabilities) {
  EXPECT_EQ(in_confined_child([] {
              if (!runner::give_up_capabilities()) return not_confined;
              return prctl(PR_CAPBSET_DROP, 0) == 0 ? 1 : 0;  // needs CAP_SETPCAP
            }),
            0);
}

TEST(Confinement, LeavesAbort) {
  EXPECT_EQ(in_confined_child([]() -> int { abort(); }), 128 + SIGABRT);
}

#ifdef __x86_64__
TEST(Confinement, EndsAProcessThatMakesCallsByTheirX32Numbers) {
  EXPECT_EQ(in_confined_child([] { return errno_of(syscall(__X32_SYSCALL_BIT | SYS_getpid)); }),
            128 + SIGSYS);
}
#endif

TEST(Confinement, BoundsPrivateMemory) {
  constexpr std::size_t too_much = std::size_t{17} << 30;
  EXPECT_EQ(in_confined_child([] {
              void* memory = mmap(nullptr, too_much, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
              return memory == MAP_FAILED ? errno : 0;
            }),
            ENOMEM);
}

TEST(Confinement, LeavesReservingAddresses) {
  EXPECT_EQ(in_confined_child([] {
              void* memory = mmap(nullptr, std::size_t{2} << 40, PROT_NONE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
              return memory == MAP_FAILED ? errno : 0;
            }),
            0);
}

TEST(Confinement, CannotBeUndoneByRaisingLimits) {
  EXPECT_EQ(in_confined_child([] {
              rlimit limit{};
              getrlimit(RLIMIT_CORE, &limit);
              return limit.rlim_max == 0 ? 0 : 1;
            }),
            0);
}

}  // namespace
