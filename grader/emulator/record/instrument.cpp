#include "emulator/record/instrument.h"

#include "emulator/observe/environment.h"
#include "emulator/record/observer.h"
#include "emulator/record/recorder.h"

namespace tmaemu::record {
namespace {

class RecordedLaunch final : public LaunchInstrument {
 public:
  // What is found passes the recording.
  RecordedLaunch(Recorder& recorder, ObservedLaunch& launch)
      : recorder_(recorder),
        steps_(launch.request, launch.diagnostics.places(), *launch.findings),
        launch_(launch) {
    launch.findings = &steps_;
  }

  LaunchObserver& observer() override { return steps_; }
  void end(const Finding* fault) override {
    if (fault != nullptr) steps_.note(*fault);
    recorder_.add(launch_.program, launch_.request, launch_.diagnostics.places(), steps_.take());
  }

 private:
  Recorder& recorder_;
  LaunchRecorder steps_;
  ObservedLaunch launch_;
};

class Recording final : public Instrument {
 public:
  explicit Recording(Recorder& recorder) : recorder_(recorder) {}

  std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) override {
    return std::make_unique<RecordedLaunch>(recorder_, launch);
  }

 private:
  Recorder& recorder_;
};

}  // namespace

common::Result<std::unique_ptr<Instrument>> instrument_from_environment() {
  const std::string file = from_environment("TMAEMU_RECORD");
  if (file.empty()) return std::unique_ptr<Instrument>();
  const auto recorder = Recorder::open(file);
  if (!recorder) return recorder.error();
  return std::unique_ptr<Instrument>(std::make_unique<Recording>(**recorder));
}

}  // namespace tmaemu::record
