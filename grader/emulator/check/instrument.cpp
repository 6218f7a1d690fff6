#include "emulator/check/instrument.h"

#include <map>
#include <string>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/host_uses.h"
#include "emulator/check/launch_checker.h"
#include "emulator/check/neighbor_checker.h"
#include "emulator/check/past_launches.h"
#include "emulator/check/site_facts.h"
#include "emulator/diagnostics/diagnostic_builder.h"
#include "emulator/diagnostics/library_findings.h"
#include "emulator/diagnostics/output.h"
#include "emulator/observe/environment.h"

namespace tmaemu::check {
namespace {

class CheckedLaunch final : public LaunchInstrument {
 public:
  // `past`: the launches before it; it becomes one of them. `host_uses`: what it does with memory
  // of the host's comes to it. `facts`: of its program.
  CheckedLaunch(PastLaunches& past, HostUses& host_uses, const SiteFacts& facts, bool ran_before,
                ObservedLaunch& launch)
      : past_(past),
        host_uses_(host_uses),
        checker_(launch.program, facts, launch.request, launch.memory, *launch.findings,
                 neighbors_of(launch), ran_before),
        launch_(launch) {
    launch.findings = &checker_.findings_of_execution();
  }

  LaunchObserver& observer() override { return checker_; }
  void explain(Finding& fault) const override { checker_.explain(fault); }
  void end(const Finding* fault) override {
    if (fault == nullptr) checker_.report_last(launch_.diagnostics);
    if (fault == nullptr) host_uses_.add(launch_, *checker_.global());
    past_.add(std::make_shared<PastLaunch>(launch_.number, launch_.program, launch_.request,
                                           checker_.global(), checker_.dependent_start()));
  }

 private:
  // Whose places notes may speak of.
  std::vector<Neighbor> neighbors_of(const ObservedLaunch& launch) {
    std::vector<Neighbor> neighbors = past_.beside(launch.request);
    for (const Neighbor& neighbor : neighbors) {
      if (neighbor.launch == nullptr) continue;
      launch.diagnostics.add(neighbor.launch->number, neighbor.launch->places);
    }
    return neighbors;
  }

  PastLaunches& past_;
  HostUses& host_uses_;
  LaunchChecker checker_;
  ObservedLaunch launch_;
};

class Checker final : public Instrument {
 public:
  std::unique_ptr<LaunchInstrument> begin(ObservedLaunch& launch) override {
    // To remember each place of what takes no memory would take it after all.
    if (launch.memory.has_repeated()) return nullptr;
    const auto [facts, is_first] = facts_.try_emplace(&launch.program, launch.program);
    return std::make_unique<CheckedLaunch>(past_, host_uses_, facts->second, !is_first, launch);
  }
  void use(const StreamPlace& place, std::span<const StreamedBytes> used) override {
    host_uses_.add(place.moment, used);
    if (!place.has_other_streams) return;
    for (const auto& launch : past_.beside(place)) {
      Diagnostics diagnostics(launch->program, launch->request);
      check_uses(*launch, used, diagnostics);
      diagnostics.all_clusters_ended();
      diagnostics.finish();
    }
    for (const StreamedBytes& bytes : used) past_.add({place.moment, bytes});
  }
  UsedBesideHost used_beside_host(const StreamClock& host_knows) override {
    return host_uses_.under_way(host_knows);
  }
  void host_touches(const StreamClock& host_knows, const HostTouch& touch) override {
    host_uses_.check(host_knows, touch);
  }
  void host_may_look_at_flags() override { host_uses_.see_all_flags(); }
  void ends_unasked(const RefusedLaunch& launch) override {
    const Finding finding{Sentence::launch_refused, {launch.reason}};
    finding_output().report(
        diagnostic_of(finding, launch.place(), finding_output().source_files()));
    ++findings_reported();
  }
  void forget_programs() override {
    past_.clear();
    host_uses_.forget_programs();
    facts_.clear();
  }

 private:
  PastLaunches past_;
  HostUses host_uses_;
  std::map<const Program*, SiteFacts> facts_;  // of the programs that were checked
};

}  // namespace

common::Result<std::unique_ptr<Instrument>> instrument_from_environment() {
  const std::string setting = from_environment("TMAEMU_CHECK");
  if (setting == "off") return std::unique_ptr<Instrument>();
  const bool is_json = setting == "json" || setting == "strict,json";
  const bool is_strict = setting == "strict" || setting == "strict,json";
  if (!is_json && !is_strict && !setting.empty() && setting != "on") {
    return common::Error{"TMAEMU_CHECK is \"" + setting +
                         "\"; it must be on, off, strict, json or strict,json"};
  }
  if (is_json) send_findings_as_json();
  if (is_strict) reports_library_findings() = true;
  if (setting == "strict") say_at_exit_that_nothing_was_found();
  return std::unique_ptr<Instrument>(std::make_unique<Checker>());
}

}  // namespace tmaemu::check
