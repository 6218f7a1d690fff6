#include "judge/call/runner_pool.h"

#include <fcntl.h>
#include <sys/mman.h>

#include "common/text.h"
#include "judge/call/outcome.h"
#include "judge/call/requests.h"
#include "judge/process/system_error.h"

namespace judge {

using common::concat;

namespace {

// Sealed in size, so that a submission fills no more of the machine's memory with it.
common::Result<FileDescriptor> make_recording() {
  constexpr off_t bytes = off_t{256} << 20;
  FileDescriptor file(memfd_create("judge-recording", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  if (!file.is_open() || ftruncate(file.get(), bytes) != 0 ||
      fcntl(file.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0) {
    return system_error("make the file for a recording");
  }
  return file;
}

}  // namespace

std::vector<std::string> RunnerPool::replay_command(Checks checks) const {
  std::vector<std::string> command = command_;
  command.push_back(checks == Checks::all ? "--replay" : "--unchecked-replay");
  return command;
}

common::Result<RunnerProcess> RunnerPool::start(
    const std::vector<ChildProcess::Inherited>& files) const {
  auto started = RunnerProcess::start(command_, {}, files);
  if (!started) return started.error();
  RunnerProcess& runner = *started;

  auto initialized = runner.ask(request(protocol::Command::initialize), {initialization_limit});
  if (const auto* ending = std::get_if<Ending>(&initialized)) {
    const std::string words = last_words(runner.take_printed());
    return common::Error{concat("the runner does not start: ", outcome(*ending).message, words)};
  }
  if (const auto& reply = std::get<Answer>(initialized).reply;
      reply.status != protocol::ReplyStatus::done) {
    return common::Error{
        concat("the runner cannot use the device: ", device_.error_meaning(reply.cuda_error))};
  }
  return started;
}

common::Result<std::variant<RunnerProcess*, Outcome>> RunnerPool::ready() {
  using Ready = std::variant<RunnerProcess*, Outcome>;
  if (runner_) return Ready(&*runner_);

  std::vector<ChildProcess::Inherited> files;
  if (device_.facts().emulated) {
    auto recording = make_recording();
    if (!recording) return recording.error();
    recording_ = std::move(recording).value();
    files.push_back({recording_.get(), protocol::recording_descriptor});
  }
  auto started = start(files);
  if (!started) return started.error();
  runner_.emplace(std::move(started).value());

  auto loaded = runner_->ask(request(protocol::Command::load), {limit_});
  if (const auto* ending = std::get_if<Ending>(&loaded)) {
    Outcome failed = outcome(*ending);
    failed.message = concat("while the submission was loaded (its global objects are made then): ",
                            failed.message, last_words(runner_->take_printed()));
    discard();
    return Ready(failed);
  }
  if (const auto& reply = std::get<Answer>(loaded).reply;
      reply.status != protocol::ReplyStatus::done) {
    const std::string reason = reply.text.data();
    discard();
    return Ready(not_loaded(reason));
  }
  return Ready(&*runner_);
}

void RunnerPool::unmap_all() {
  if (!runner_) return;
  const auto answer = runner_->ask(request(protocol::Command::unmap_all), {limit_});
  const auto* unmapped = std::get_if<Answer>(&answer);
  if (unmapped == nullptr || unmapped->reply.status != protocol::ReplyStatus::done) discard();
}

}  // namespace judge
