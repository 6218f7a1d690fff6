// Several observers of one launch, who see the same events one after another, and several
// instruments.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "emulator/model/events.h"
#include "emulator/observe/instrument.h"

namespace tmaemu {

// Hands every event of a cluster to all.
class ObserverList final : public Observer {
 public:
  explicit ObserverList(std::vector<Observer*> all) : all_(std::move(all)) {}

  bool wants_instructions() const override {
    return std::ranges::any_of(all_, [](const Observer* o) { return o->wants_instructions(); });
  }

#define EVENT(function, parameters, names)                          \
  void function parameters override {                               \
    for (Observer* const observer : all_) observer->function names; \
  }
#include "emulator/model/events.def"
#undef EVENT

 private:
  std::vector<Observer*> all_;
};

class LaunchObservers final : public LaunchObserver {
 public:
  void add(LaunchObserver& observer) { observers_.push_back(&observer); }
  // Null where there is none, and the one where there is one.
  LaunchObserver* all() {
    if (observers_.empty()) return nullptr;
    return observers_.size() == 1 ? observers_.front() : this;
  }
  Observer& observe_cluster() override {
    std::vector<Observer*> all;
    for (LaunchObserver* const observer : observers_) all.push_back(&observer->observe_cluster());
    const std::lock_guard lock(mutex_);
    return lists_.emplace_back(std::move(all));
  }

 private:
  std::vector<LaunchObserver*> observers_;
  std::mutex mutex_;
  std::deque<ObserverList> lists_;
};

// All instruments that look on at a launch.
class LaunchInstruments {
 public:
  LaunchInstruments(const Instruments& instruments, ObservedLaunch& launch) {
    for (const auto& instrument : instruments.all) {
      if (auto begun = instrument->begin(launch)) {
        observers_.add(begun->observer());
        all_.push_back(std::move(begun));
      }
    }
  }
  // Null where nobody looks on.
  LaunchObserver* observer() { return observers_.all(); }
  void explain(Finding& fault) const {
    for (const auto& each : all_) each->explain(fault);
  }
  void end(const Finding* fault) {
    for (const auto& each : all_) each->end(fault);
  }

 private:
  std::vector<std::unique_ptr<LaunchInstrument>> all_;
  LaunchObservers observers_;
};

}  // namespace tmaemu
