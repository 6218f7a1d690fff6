#include "emulator/profile/instrument.h"

#include "emulator/observe/environment.h"
#include "emulator/profile/launch_report.h"
#include "emulator/profile/observer.h"
#include "emulator/profile/report.h"

namespace tmaemu::profile {
namespace {

class CountedLaunch final : public LaunchInstrument {
 public:
  CountedLaunch(Report& report, const ObservedLaunch& launch)
      : report_(report), launch_(launch), counter_(launch.program) {}

  LaunchObserver& observer() override { return counter_; }
  void end(const Finding* fault) override {
    report_.add(report_of(launch_.program, launch_.request, launch_.diagnostics.places(),
                          fault == nullptr, counter_.sum()));
  }

 private:
  Report& report_;
  ObservedLaunch launch_;
  LaunchCounter counter_;
};

class Statistics final : public Instrument {
 public:
  explicit Statistics(Report& report) : report_(report) {}

  std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) override {
    return std::make_unique<CountedLaunch>(report_, launch);
  }

 private:
  Report& report_;
};

}  // namespace

common::Result<std::unique_ptr<Instrument>> instrument_from_environment() {
  const auto settings =
      Settings::parse(from_environment("TMAEMU_STATS"), from_environment("TMAEMU_STATS_FILE"));
  if (!settings) return settings.error();
  if (settings->form == Settings::Form::none) return std::unique_ptr<Instrument>();
  const auto report = Report::open(*settings);
  if (!report) return report.error();
  return std::unique_ptr<Instrument>(std::make_unique<Statistics>(**report));
}

}  // namespace tmaemu::profile
