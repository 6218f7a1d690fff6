#include "emulator/trace/file.h"

#include <unistd.h>

#include <utility>

#include "common/json_text.h"
#include "emulator/diagnostics/kernel_name.h"
#include "emulator/diagnostics/output_file.h"

namespace tmaemu::trace {
namespace {

TraceFile* trace = nullptr;

// After the program's own exit handlers and destructors: they may launch kernels too.
__attribute__((destructor)) void close_at_exit() {
  if (trace != nullptr) trace->close();
}

}  // namespace

TraceFile::TraceFile(std::FILE* out, std::string file)
    : out_(out), file_(std::move(file)), process_(getpid()) {
  std::fputs("{\"displayTimeUnit\":\"ns\",\n\"traceEvents\":[\n", out_);
}

common::Result<TraceFile*> TraceFile::open(const std::string& file) {
  const std::string name = name_in_this_process(file);
  const auto out = open_output(name, "the trace");
  if (!out) return out.error();
  trace = new TraceFile(*out, name);  // lives as long as the process
  return trace;
}

void TraceFile::add(const Program& program, const LaunchRequest& request, const Places& places,
                    LaunchTracer& tracer) {
  if (getpid() != process_) return;
  const std::string kernel = kernel_name(program.function->name);
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

void TraceFile::close() {
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
