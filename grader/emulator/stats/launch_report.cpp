#include "emulator/stats/launch_report.h"

#include "emulator/diagnostics/kernel_name.h"
#include "emulator/diagnostics/places.h"

namespace tmaemu::stats {
namespace {

std::string name_of(const BarrierId& barrier, const Places& places) {
  switch (barrier.kind) {
    case BarrierId::Kind::mbarrier:
      return places.object(barrier.number);
    case BarrierId::Kind::cluster:
      return "cluster barrier";
    case BarrierId::Kind::cta:
      break;
  }
  return barrier.number == 0 ? "__syncthreads()" : "barrier " + std::to_string(barrier.number);
}

}  // namespace

LaunchReport report_of(const Program& program, const LaunchRequest& request, const Places& places,
                       bool completed, Counters counters) {
  LaunchReport launch;
  launch.kernel = kernel_name(program.function->name);
  launch.grid = request.grid;
  launch.block = request.block;
  launch.cluster = request.cluster;
  launch.completed = completed;
  launch.counters = std::move(counters);
  for (const auto& [barrier, waits] : launch.counters.waits) {
    launch.waits.push_back({name_of(barrier, places), waits});
  }
  for (const auto& [site, excess] : launch.counters.excess) {
    launch.excess.push_back({text_of(places.place(site)), excess});
  }
  return launch;
}

}  // namespace tmaemu::stats
