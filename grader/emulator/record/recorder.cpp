#include "emulator/record/recorder.h"

#include <unistd.h>

#include "emulator/diagnostics/output_file.h"

namespace tmaemu::record {
namespace {

Recorder* recorder = nullptr;

}  // namespace

Recorder::Recorder(std::FILE* out) : out_(out), process_(getpid()) {}

common::Result<Recorder*> Recorder::open(const std::string& file) {
  const std::string name = name_in_this_process(file);
  const auto out = open_output(name, "the recording");
  if (!out) return out.error();
  recorder = new Recorder(*out);  // lives as long as the process
  return recorder;
}

void Recorder::add(const Program& program, const LaunchRequest& request, const Places& places,
                   const ClusterSteps& cluster) {
  if (getpid() != process_) return;
  std::fputs((to_json(program, request, places, cluster) + "\n").c_str(), out_);
  std::fflush(out_);
}

}  // namespace tmaemu::record
