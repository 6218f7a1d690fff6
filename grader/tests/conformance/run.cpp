#include "tests/conformance/run.h"

#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <utility>

namespace conformance {
namespace {

constexpr int fault_status = 9;  // of a worker whose context is lost
constexpr int most_workers = 64;

}  // namespace

void* shared_memory(std::size_t bytes) {
  void* memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) {
    std::perror("conformance: mmap");
    std::exit(3);
  }
  return memory;
}

// What the processes share. A worker's range outlives its process: the next one goes on there.
struct Run::Board {
  struct Range {
    std::atomic<std::size_t> next;
    std::size_t end;
  };
  std::atomic<std::size_t> next_group;
  Range ranges[most_workers];
};

Run::Run(Suite suite, std::size_t every)
    : suite_(std::move(suite)),
      every_(every),
      board_(static_cast<Board*>(shared_memory(sizeof(Board)))),
      answers_(static_cast<std::uint64_t*>(shared_memory(suite_.cases * sizeof(std::uint64_t)))) {}

std::size_t Run::answered() const {
  return suite_.cases -
         static_cast<std::size_t>(std::count(answers_, answers_ + suite_.cases, not_run));
}

void Run::execute(int workers, const std::function<void()>& tick) {
  workers_.resize(static_cast<std::size_t>(std::min(workers, most_workers)));
  for (std::size_t i = 0; i < workers_.size(); ++i) start(i);
  constexpr double poll_seconds = 0.01;
  double since_tick = 0;
  while (true) {
    bool running = false;
    for (std::size_t i = 0; i < workers_.size(); ++i) {
      Worker& worker = workers_[i];
      if (worker.process == 0) continue;
      running = true;
      int status = 0;
      if (waitpid(worker.process, &status, WNOHANG) == 0) {
        kill_if_hung(i, poll_seconds);
        continue;
      }
      worker.process = 0;
      if (WIFEXITED(status) && WEXITSTATUS(status) == 0) continue;
      attribute_end(i, status);
      if (unexpected_faults_ <= fault_limit) start(i);
    }
    if (!running) return;
    usleep(static_cast<useconds_t>(poll_seconds * 1e6));
    since_tick += poll_seconds;
    if (since_tick < 1) continue;
    since_tick = 0;
    tick();
  }
}

void Run::start(std::size_t worker) {
  std::fflush(nullptr);
  workers_[worker] = {};
  const pid_t process = fork();
  if (process == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    work(worker);
    _exit(0);
  }
  workers_[worker].process = process;
}

void Run::work(std::size_t worker) {
  Board::Range& own = board_->ranges[worker];
  const auto answer = suite_.start();
  while (own.next != own.end || take(worker)) {
    const std::size_t index = own.next;
    // What the emulator says about an error that is meant to be is of no interest.
    if (index >= suite_.ordinary && std::freopen("/dev/null", "w", stderr) == nullptr) _exit(3);
    answers_[index] = answer(index);
    ++own.next;
    if (is_error(answers_[index])) _exit(fault_status);
  }
}

// The next group of cases; those that fault are groups of one. False where none is left.
bool Run::take(std::size_t worker) {
  const std::size_t groups = (suite_.ordinary + suite_.group - 1) / suite_.group;
  const std::size_t selected = (groups + every_ - 1) / every_;
  const std::size_t taken = board_->next_group++;
  Board::Range& own = board_->ranges[worker];
  if (taken < selected) {
    own.next = taken * every_ * suite_.group;
    own.end = std::min(own.next + suite_.group, suite_.ordinary);
    return true;
  }
  own.next = suite_.ordinary + (taken - selected);
  own.end = own.next + 1;
  if (own.next < suite_.cases) return true;
  own.end = own.next;
  return false;
}

void Run::attribute_end(std::size_t worker, int status) {
  Board::Range& own = board_->ranges[worker];
  const bool is_fault = WIFEXITED(status) && WEXITSTATUS(status) == fault_status;
  if (!is_fault) {
    // The case it was at has no answer yet, unless it hung.
    if (own.next == own.end) {
      std::fprintf(stderr, "conformance: a worker ended with status 0x%x\n", status);
      std::exit(3);
    }
    std::uint64_t& answer = answers_[own.next++];
    if (answer == not_run) answer = crashed;
  }
  const std::size_t index = own.next - 1;
  if (index >= suite_.ordinary) return;
  ++unexpected_faults_;
  std::fprintf(stderr, "case %zu: error %llu: %s\n", index,
               static_cast<unsigned long long>(answers_[index]), suite_.text(index).c_str());
}

void Run::kill_if_hung(std::size_t index, double seconds) {
  Worker& worker = workers_[index];
  Board::Range& own = board_->ranges[index];
  const std::size_t at = own.next;
  worker.seconds = worker.watched == at ? worker.seconds + seconds : 0;
  worker.watched = at;
  if (worker.seconds < suite_.patience || at == own.end) return;
  answers_[at] = hung;
  kill(worker.process, SIGKILL);
  worker.seconds = 0;
}

}  // namespace conformance
