#include "judge/call/runner_process.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <new>
#include <optional>

#include "contract/protocol/doorbell.h"
#include "judge/process/processor_wait.h"
#include "judge/process/system_error.h"

namespace judge {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds between_looks{50};

// A call's time stands still while others have the processors that it is ready to run on, so that a
// busy machine costs nobody points. By the clock on the wall it ends after this many times its
// time.
constexpr int most_times_the_limit = 6;

// The page's memory. Sealed in size: a runner that shrank it could kill the judge with SIGBUS.
common::Result<FileDescriptor> make_page() {
  FileDescriptor page(memfd_create("judge-runner-page", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!page.is_open() || ftruncate(page.get(), protocol::page_bytes) != 0 ||
      fcntl(page.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return system_error("make the page shared with the runner");
  }
  return page;
}

bool is_a_status(protocol::ReplyStatus status) {
  return status >= protocol::ReplyStatus::done && status <= protocol::ReplyStatus::out_of_time;
}

}  // namespace

void RunnerProcess::Unmap::operator()(protocol::Page* page) const {
  munmap(page, protocol::page_bytes);
}

common::Result<RunnerProcess> RunnerProcess::start(
    const std::vector<std::string>& command, const UsageLimits& limits,
    const std::vector<ChildProcess::Inherited>& files) {
  return start(command, limits, files, std::nullopt);
}

common::Result<RunnerProcess> RunnerProcess::start_replay(
    const std::vector<std::string>& command, const std::vector<ChildProcess::Inherited>& files) {
  return start(command, {}, files, protocol::findings_descriptor);
}

common::Result<RunnerProcess> RunnerProcess::start(
    const std::vector<std::string>& command, const UsageLimits& limits,
    const std::vector<ChildProcess::Inherited>& files, std::optional<int> findings) {
  auto page_file = make_page();
  if (!page_file) return page_file.error();
  void* mapped =
      mmap(nullptr, protocol::page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, page_file->get(), 0);
  if (mapped == MAP_FAILED) return system_error("map the page shared with the runner");
  PagePointer page(new (mapped) protocol::Page);

  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return system_error("make the doorbell");
  }
  FileDescriptor ours(ends[0]);
  FileDescriptor theirs(ends[1]);
  std::vector<ChildProcess::Inherited> inherited{{page_file->get(), protocol::page_descriptor},
                                                 {theirs.get(), protocol::doorbell_descriptor}};
  inherited.insert(inherited.end(), files.begin(), files.end());
  auto child = ChildProcess::start(command, inherited, findings);
  if (!child) return child.error();
  return RunnerProcess(std::move(child).value(), std::move(page), std::move(ours), limits);
}

std::variant<Answer, Ending> RunnerProcess::ask(const protocol::Request& request,
                                                Patience patience) {
  page_->request = request;
  ++sequence_;
  const auto answered = [this] {
    return page_->reply_sequence.load(std::memory_order_acquire) == sequence_;
  };
  const auto begin = Clock::now();
  page_->request_sequence.store(sequence_, std::memory_order_release);
  protocol::ring(doorbell_.get());

  std::optional<Ending> ending;
  std::optional<ProcessorWait> processor_wait;
  const auto is_over = [&](Clock::duration waited) {
    if (waited < patience.limit || !processor_wait) return waited >= patience.limit;
    return waited - processor_wait->longest() >= patience.limit ||
           waited >= most_times_the_limit * patience.limit;
  };
  for (;;) {
    if (protocol::spin_until(answered, protocol::short_spin)) break;
    const auto waited = Clock::now() - begin;
    if (is_over(waited)) {
      ending = Ending::timed_out(patience.limit);
      break;
    }
    // The death comes last: a runner that answered and then died has answered.
    const auto death = child_.death();
    if (death && !answered()) {
      ending = death;
      break;
    }
    // Whoever is timed is not looked at: the look would cost it time.
    const bool awake = waited < patience.awake;
    if (!awake && (ending = over_limit())) break;
    if (!awake && !processor_wait) processor_wait.emplace(child_.pid());
    const auto left = std::chrono::ceil<milliseconds>(patience.limit - waited);
    const auto nap = left.count() > 0 ? std::min(left, between_looks) : between_looks;
    sleep_until_something_happens(awake ? milliseconds(0) : nap);
  }
  const auto elapsed = Clock::now() - begin;

  if (ending) {
    child_.kill();
    return *ending;
  }
  // One copy: what is checked is what is used, whatever the runner writes meanwhile.
  Answer answer{page_->reply, elapsed};
  if (!is_a_status(answer.reply.status)) {
    child_.kill();
    return Ending::bad_reply(static_cast<int>(answer.reply.status));
  }
  answer.reply.text.back() = '\0';
  return answer;
}

std::optional<Ending> RunnerProcess::over_limit() {
  const auto now = Clock::now();
  if (now < next_look_) return std::nullopt;
  next_look_ = now + between_looks;
  const auto words = excess(usage_of_tree(child_.pid()), limits_);
  if (!words) return std::nullopt;
  return Ending::over_limit(*words);
}

void RunnerProcess::sleep_until_something_happens(milliseconds limit) {
  std::array<pollfd, 5> events{pollfd{doorbell_.get(), POLLIN, 0},
                               pollfd{child_.death_descriptor(), POLLIN, 0},
                               pollfd{child_.standard_output().descriptor(), POLLIN, 0},
                               pollfd{child_.standard_error().descriptor(), POLLIN, 0},
                               pollfd{child_.third_output().descriptor(), POLLIN, 0}};
  poll(events.data(), events.size(), static_cast<int>(limit.count()));
  child_.standard_output().drain();
  child_.standard_error().drain();
  child_.third_output().drain();
  if (events[0].revents != 0) {
    std::array<char, 256> knocks;
    const auto got = recv(doorbell_.get(), knocks.data(), knocks.size(), MSG_DONTWAIT);
    // A runner may close its end and live on; then only its death or the page can tell more, and
    // poll() must not report the closed socket again and again.
    if (got == 0) doorbell_.reset();
  }
}

RunnerProcess::Printed RunnerProcess::take_printed() {
  child_.standard_output().drain();
  child_.standard_error().drain();
  child_.third_output().drain();
  return {child_.standard_output().take(), child_.standard_error().take(),
          child_.third_output().take()};
}

}  // namespace judge
