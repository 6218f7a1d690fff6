#include "emulator/record/instrument.h"

#include <sys/types.h>
#include <unistd.h>

#include <cstdio>

#include "emulator/diagnostics/output_file.h"
#include "emulator/observe/environment.h"
#include "emulator/record/json.h"
#include "emulator/record/observer.h"

namespace tmaemu::record {
namespace {

// It has a line a launch.
class File {
 public:
  explicit File(std::FILE* out) : out_(out), process_(getpid()) {}

  void add(const ObservedLaunch& launch, const ClusterSteps& steps) {
    if (getpid() != process_) return;
    const Places& places = launch.diagnostics.places();
    std::fputs((to_json(launch.program, launch.request, places, steps) + "\n").c_str(), out_);
    std::fflush(out_);
  }

 private:
  std::FILE* out_;
  pid_t process_;  // a child that it forks writes nothing to its parent's recording
};

class RecordedLaunch final : public LaunchInstrument {
 public:
  // What is found passes the recording.
  RecordedLaunch(File& file, ObservedLaunch& launch)
      : file_(file),
        steps_(launch.request, launch.diagnostics.places(), *launch.findings),
        launch_(launch) {
    launch.findings = &steps_;
  }

  LaunchObserver& observer() override { return steps_; }
  void end(const Finding* fault) override {
    if (fault != nullptr) steps_.note(*fault);
    file_.add(launch_, steps_.take());
  }

 private:
  File& file_;
  LaunchRecorder steps_;
  ObservedLaunch launch_;
};

class Recording final : public Instrument {
 public:
  explicit Recording(std::FILE* out) : file_(out) {}

  std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) override {
    return std::make_unique<RecordedLaunch>(file_, launch);
  }

 private:
  File file_;
};

}  // namespace

common::Result<std::unique_ptr<Instrument>> instrument_from_environment() {
  const std::string file = from_environment("TMAEMU_RECORD");
  if (file.empty()) return std::unique_ptr<Instrument>();
  const auto out = open_output(name_in_this_process(file), "the recording");
  if (!out) return out.error();
  return std::unique_ptr<Instrument>(std::make_unique<Recording>(*out));
}

}  // namespace tmaemu::record
