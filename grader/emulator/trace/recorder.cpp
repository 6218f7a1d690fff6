#include "emulator/trace/recorder.h"

#include <unistd.h>

#include <utility>

#include "common/json_text.h"
#include "emulator/diagnostics/output_file.h"
#include "emulator/stats/record.h"

namespace tmaemu::trace {
namespace {

Recorder* recorder = nullptr;

// After the program's own exit handlers and destructors: they may launch kernels too.
__attribute__((destructor)) void close_at_exit() {
  if (recorder != nullptr) recorder->close();
}

}  // namespace

Recorder::Recorder(std::FILE* out, std::string file)
    : out_(out), file_(std::move(file)), process_(getpid()) {
  std::fputs("{\"displayTimeUnit\":\"ns\",\n\"traceEvents\":[\n", out_);
}

common::Status Recorder::open(const std::string& file) {
  if (file.empty()) return {};
  const std::string name = name_in_this_process(file);
  const auto out = open_output(name, "the trace");
  if (!out) return out.error();
  recorder = new Recorder(*out, name);  // lives as long as the process
  return {};
}

Recorder* Recorder::instance() {
  return recorder;
}

void Recorder::add(const Program& program, const LaunchRequest& request, const Places& places,
                   LaunchTracer& tracer) {
  if (getpid() != process_) return;
  const std::string kernel = stats::readable_name(program.function->name);
  const std::uint64_t ctas = request.grid.count();
  if (ctas > most_ctas) {
    std::fprintf(stderr, "tmaemu: of the %llu CTAs of %s, %s has the first %llu\n",
                 static_cast<unsigned long long>(ctas), kernel.c_str(), file_.c_str(),
                 static_cast<unsigned long long>(most_ctas));
  }
  const LaunchText text = to_events(next_, program, request, places, tracer.take());
  std::fputs(text.events.c_str(), out_);
  launches_.push_back(common::json::object({{"kernel", common::json::quoted(kernel)},
                                            {"ctas", std::to_string(ctas)},
                                            {"begin", std::to_string(next_.begin)},
                                            {"end", std::to_string(text.end)},
                                            {"pid", std::to_string(next_.first_process)}}));
  next_ = {next_.number + 1, text.end, text.next_process, text.next_flow};
}

void Recorder::close() {
  if (getpid() != process_) return;
  // The last event has no comma behind it.
  std::fputs(R"({"ph":"M","name":"process_name","pid":0,"tid":0,"args":{"name":"tmaemu"}})", out_);
  const std::string launches =
      common::json::array(launches_, [](const std::string& launch) { return launch; });
  std::fprintf(out_, "\n],\n\"otherData\":{\"tmaemu_trace\":%d,\"launches\":%s}}\n", json_schema,
               launches.c_str());
  std::fflush(out_);
}

}  // namespace tmaemu::trace
