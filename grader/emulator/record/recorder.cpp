#include "emulator/record/recorder.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace tmaemu::record {
namespace {

Recorder* recorder = nullptr;

}  // namespace

Recorder::Recorder(std::FILE* out) : out_(out), process_(getpid()) {}

common::Status Recorder::open(const std::string& file) {
  if (file.empty()) return {};
  std::string name = file;
  const std::size_t process = name.find("%p");
  if (process != std::string::npos) name.replace(process, 2, std::to_string(getpid()));
  std::FILE* out = std::fopen(name.c_str(), "we");
  if (out == nullptr) {
    return common::Error{"cannot write the recording to '" + name + "': " + std::strerror(errno)};
  }
  recorder = new Recorder(out);  // lives as long as the process
  return {};
}

Recorder* Recorder::instance() {
  return recorder;
}

void Recorder::add(const Program& program, const LaunchRequest& request, const Places& places,
                   const ClusterSteps& cluster) {
  if (getpid() != process_) return;
  std::fputs((to_json(program, request, places, cluster) + "\n").c_str(), out_);
  std::fflush(out_);
}

}  // namespace tmaemu::record
