#include "emulator/profile/launch_report.h"

#include "emulator/diagnostics/kernel_name.h"
#include "emulator/diagnostics/places.h"
#include "emulator/profile/product_name.h"

namespace tmaemu::profile {
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

// Those of one shape and types together.
std::vector<NamedMultiplications> named_multiplications(const Program& program,
                                                        const Counters& counters) {
  std::map<std::string, Multiplications> by_name;
  for (const auto& [site, counts] : counters.multiplications) {
    by_name[product_name(*program.effects[site].product)].merge(counts);
  }
  std::vector<NamedMultiplications> named;
  for (const auto& [name, counts] : by_name) named.push_back({name, counts});
  return named;
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
  launch.multiplications = named_multiplications(program, launch.counters);
  return launch;
}

}  // namespace tmaemu::profile
