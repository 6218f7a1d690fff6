#include "emulator/trace/instrument.h"

#include "emulator/observe/environment.h"
#include "emulator/trace/file.h"
#include "emulator/trace/observer.h"

namespace tmaemu::trace {
namespace {

class TracedLaunch final : public LaunchInstrument {
 public:
  TracedLaunch(TraceFile& file, const ObservedLaunch& launch)
      : file_(file), launch_(launch), tracer_(launch.request) {}

  LaunchObserver& observer() override { return tracer_; }
  void end(const Finding*) override {
    file_.add(launch_.program, launch_.request, launch_.diagnostics.places(), tracer_);
  }

 private:
  TraceFile& file_;
  ObservedLaunch launch_;
  LaunchTracer tracer_;
};

class Trace final : public Instrument {
 public:
  explicit Trace(TraceFile& file) : file_(file) {}

  std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) override {
    return std::make_unique<TracedLaunch>(file_, launch);
  }

 private:
  TraceFile& file_;
};

}  // namespace

common::Result<std::unique_ptr<Instrument>> instrument_from_environment() {
  const std::string name = from_environment("TMAEMU_TRACE");
  if (name.empty()) return std::unique_ptr<Instrument>();
  const auto file = TraceFile::open(name);
  if (!file) return file.error();
  return std::unique_ptr<Instrument>(std::make_unique<Trace>(**file));
}

}  // namespace tmaemu::trace
