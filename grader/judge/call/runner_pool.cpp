#include "judge/call/runner_pool.h"

#include <fcntl.h>
#include <sys/mman.h>

#include <algorithm>
#include <string_view>

#include "common/text.h"
#include "judge/process/system_error.h"
#include "judge/verdict/symbol_name.h"

namespace judge {

using common::concat;

namespace {

// The symbol that the loader misses, in "...: undefined symbol: _Z14launch_add_onePim", or empty.
std::string_view undefined_symbol(std::string_view reason) {
  constexpr std::string_view undefined_symbol_mark = "undefined symbol: ";
  const std::size_t mark = reason.find(undefined_symbol_mark);
  if (mark == std::string_view::npos) return {};
  const std::string_view symbol = reason.substr(mark + undefined_symbol_mark.size());
  return symbol.substr(0, symbol.find_first_of(", "));
}

// cudaMalloc, __cudaRegisterFunction, cuTensorMapEncodeTiled: names that only CUDA's libraries
// define.
bool is_cuda_call(std::string_view symbol) {
  return symbol.starts_with("cuda") || symbol.starts_with("__cuda") ||
         (symbol.starts_with("cu") && symbol.size() > 2 && symbol[2] >= 'A' && symbol[2] <= 'Z');
}

// The reason is the submission's word, and never the grader's fault: that CUDA has what is called
// was seen when it was built, and the emulator has all that CUDA has.
Outcome not_loaded(std::string_view reason) {
  const std::string_view symbol = undefined_symbol(reason);
  if (symbol.empty() || is_cuda_call(symbol)) {
    return {Verdict::crash, concat("the submission's library does not load: ", reason)};
  }
  return {Verdict::missing,
          concat("the submission declares `", readable_name(symbol), "` but does not define it")};
}

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

protocol::Request request(protocol::Command command) {
  protocol::Request made;
  made.command = command;
  return made;
}

protocol::Request map_request(const MemoryHandle& memory) {
  protocol::Request made = request(protocol::Command::map);
  made.memory_handle = memory;
  return made;
}

protocol::Request map_request(const GuardedBuffer& buffer) {
  protocol::Request made = map_request(buffer.handle());
  made.array = {buffer.data_offset(), buffer.data_bytes(), buffer.holds_input()};
  return made;
}

std::vector<std::string> RunnerPool::replay_command() const {
  std::vector<std::string> command = command_;
  command.push_back("--replay");
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

std::string last_words(const RunnerProcess::Printed& printed) {
  constexpr std::size_t max_bytes = 1500;
  constexpr int max_lines = 16;  // what make_tensor_map() says of a map that is refused
  std::string text = printed.error.empty() ? printed.output : printed.error;
  while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  if (text.empty()) return {};

  std::size_t begin = text.size() > max_bytes ? text.size() - max_bytes : 0;
  std::size_t line = text.size();
  for (int lines = 0; lines < max_lines && line != std::string::npos && line > 0; ++lines) {
    line = text.rfind('\n', line - 1);
  }
  if (line != std::string::npos && line > 0) begin = std::max(begin, line + 1);
  return "\nit printed last:\n" + text.substr(begin);
}

}  // namespace judge
