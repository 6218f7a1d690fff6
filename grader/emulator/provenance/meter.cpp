#include "emulator/provenance/meter.h"

#include <optional>

#include "emulator/provenance/work.h"

namespace tmaemu::provenance {
namespace {

class MeasuredLaunch final : public LaunchInstrument {
 public:
  MeasuredLaunch(Work& work, const ObservedLaunch& launch)
      : work_(work, launch.program, launch.request, launch.resident_ctas) {}
  LaunchObserver& observer() override { return work_; }

 private:
  LaunchWork work_;
};

class WorkMeter final : public Meter {
 public:
  std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) override {
    if (!work_) return nullptr;
    return std::make_unique<MeasuredLaunch>(*work_, launch);
  }
  void start(const GlobalMemory& memory) override {
    work_.emplace(memory);
    work_->follow_values(follows_values_);
    work_->turn_signs(turned_signs_);
  }
  bool is_on() const override { return work_.has_value(); }
  void copy(std::span<const StreamedBytes> bytes) override { work_->copies(bytes); }
  Measured measured() const override { return work_ ? work_->measured() : Measured{}; }
  void follow_values(bool follows) override { follows_values_ = follows; }
  void turn_signs(const TurnedSigns& turned) override { turned_signs_ = turned; }

 private:
  std::optional<Work> work_;
  bool follows_values_ = true;
  TurnedSigns turned_signs_;
};

}  // namespace

std::unique_ptr<Meter> make_meter() {
  return std::make_unique<WorkMeter>();
}

}  // namespace tmaemu::provenance
