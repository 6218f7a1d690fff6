#include "judge/process/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "common/text.h"
#include "judge/process/process_tree.h"
#include "judge/process/system_error.h"

extern char** environ;

namespace judge {

using common::concat;

namespace {

// A process that holds much memory takes seconds to end, and until then its kernels may run.
constexpr std::chrono::duration<int, std::milli> longest_end{60'000};
// A sandbox ends by itself when its inside has.
constexpr std::chrono::duration<int, std::milli> longest_end_of_sandbox{2'000};

struct Pipe {
  FileDescriptor reading;  // non-blocking
  FileDescriptor writing;
};

common::Result<Pipe> make_pipe() {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return system_error("make a pipe");
  Pipe made{FileDescriptor(ends[0]), FileDescriptor(ends[1])};
  if (fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0) return system_error("set up a pipe");
  return made;
}

// posix_spawn's two descriptions of a child, destroyed at the end of the scope.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawn_file_actions_init(&files_);
    posix_spawnattr_init(&attributes_);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes_, 0);  // a new group, named after the child
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  SpawnPlan(const SpawnPlan&) = delete;
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }

  void give(int file, int as) { posix_spawn_file_actions_adddup2(&files_, file, as); }
  void close_from(int first) { posix_spawn_file_actions_addclosefrom_np(&files_, first); }

  // Returns an errno value.
  int start(pid_t* pid, char* const* arguments) const {
    return posix_spawn(pid, arguments[0], &files_, &attributes_, arguments, environ);
  }

 private:
  posix_spawn_file_actions_t files_;
  posix_spawnattr_t attributes_;
};

// Until the process of this pidfd has ended.
void wait_for(const FileDescriptor& process, std::chrono::duration<int, std::milli> limit) {
  pollfd end{process.get(), POLLIN, 0};
  poll(&end, 1, limit.count());
}

// What /proc says of a process's program; empty where it says nothing, as of one that has ended.
std::filesystem::path program_of(const std::string& process) {
  std::error_code unknown;
  return std::filesystem::read_symlink("/proc/" + process + "/exe", unknown);
}

// posix_spawn() returns a moment before the child has memory of its own. What /proc tells of the
// child's memory until then is this process's, and that may be more than the child may have.
void wait_for_own_memory(pid_t child) {
  constexpr int most_looks = 20'000;  // about a second, should the child's program be this one
  const std::filesystem::path ours = program_of("self");
  for (int i = 0; i < most_looks && program_of(std::to_string(child)) == ours; ++i) {
    std::this_thread::sleep_for(std::chrono::microseconds(50));
  }
}

// A duplicate with a number too high to be overwritten while the inherited files take their places.
common::Result<FileDescriptor> out_of_the_way(int file) {
  constexpr int above_inherited = 16;
  const int moved = fcntl(file, F_DUPFD_CLOEXEC, above_inherited);
  if (moved < 0) return system_error("duplicate a file descriptor");
  return FileDescriptor(moved);
}

}  // namespace

common::Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& command,
                                                 const std::vector<Inherited>& inherited,
                                                 std::optional<int> third_output) {
  auto output = make_pipe();
  if (!output) return output.error();
  auto error = make_pipe();
  if (!error) return error.error();
  common::Result<Pipe> third(Pipe{});
  if (third_output) third = make_pipe();
  if (!third) return third.error();

  SpawnPlan plan;
  std::vector<FileDescriptor> moved;
  int first_unused = STDERR_FILENO + 1;
  std::vector<Inherited> files{{output->writing.get(), STDOUT_FILENO},
                               {error->writing.get(), STDERR_FILENO}};
  files.insert(files.end(), inherited.begin(), inherited.end());
  if (third_output) files.push_back({third->writing.get(), *third_output});
  for (const Inherited& file : files) {
    auto source = out_of_the_way(file.file);
    if (!source) return source.error();
    plan.give(source->get(), file.as);
    moved.push_back(std::move(source).value());
    first_unused = file.as + 1;
  }
  plan.close_from(first_unused);

  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  pid_t pid = 0;
  if (const int failed = plan.start(&pid, arguments.data()); failed != 0) {
    return common::Error{concat("cannot start ", command.front(), ": ", std::strerror(failed))};
  }
  FileDescriptor death(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
  const int pidfd_errno = errno;
  wait_for_own_memory(pid);
  const bool watched = death.is_open();
  ChildProcess child(pid, std::move(death), std::move(output->reading), std::move(error->reading),
                     std::move(third->reading));
  if (!watched) {
    return common::Error{concat("cannot watch the child (pidfd_open, Linux 5.3 or later): ",
                                std::strerror(pidfd_errno))};
  }
  return child;
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, 0)),
      death_(std::move(other.death_)),
      standard_output_(std::move(other.standard_output_)),
      standard_error_(std::move(other.standard_error_)),
      third_output_(std::move(other.third_output_)) {}

std::optional<Ending> ChildProcess::death() const {
  siginfo_t info{};
  // WNOWAIT leaves a zombie, which keeps the number of the process group from being used again
  // before kill() has ended the group.
  if (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) != 0) {
    return Ending{};
  }
  if (info.si_pid == 0) return std::nullopt;
  const auto kind = info.si_code == CLD_EXITED ? Ending::Kind::exited : Ending::Kind::signaled;
  return Ending{kind, info.si_status, {}, {}};
}

void ChildProcess::kill() {
  if (pid_ == 0) return;
  // Of a sandbox the inside first. The sandbox then ends by itself, once the kernel has taken down
  // all that was in it; killed itself, it would leave that to go on for a moment, and its dead to
  // be waited for by nobody.
  const std::vector<pid_t> inside = children_of(pid_);
  for (const pid_t child : inside) {
    const FileDescriptor end(static_cast<int>(syscall(SYS_pidfd_open, child, 0)));
    ::kill(child, SIGKILL);
    if (end.is_open()) wait_for(end, longest_end);
  }
  if (!inside.empty()) wait_for(death_, longest_end_of_sandbox);
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);  // should the child have left its group
  while (waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = 0;
}

}  // namespace judge
