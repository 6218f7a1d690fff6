// A cluster as the checker's parts know it, with no kernel: the tests say what its threads do.
#pragma once

#include <utility>
#include <vector>

#include "emulator/check/cluster_state.h"
#include "emulator/check/launch_state.h"
#include "emulator/device/device.h"
#include "tests/emulator/finding_log.h"

namespace tmaemu::check {

inline constexpr std::uint32_t threads_of_checked_cta = 64;

inline LaunchRequest request_of_one_cluster(unsigned ctas) {
  LaunchRequest request;
  request.grid.x = request.cluster.x = ctas;
  request.block.x = threads_of_checked_cta;
  return request;
}

struct CheckedCluster {
  explicit CheckedCluster(unsigned ctas, std::vector<Neighbor> neighbors = {})
      : request(request_of_one_cluster(ctas)),
        launch(program, facts, request, Device::instance().memory(), log, std::move(neighbors)) {
    state.start({0, 0, 0});
  }

  ptx::Module module;
  ptx::Function function;
  std::vector<ptx::Instruction> instructions = std::vector<ptx::Instruction>(64);  // by site
  Program program = [this] {
    Program made;
    made.module = &module;
    made.function = &function;
    for (std::size_t site = 0; site < instructions.size(); ++site) {
      instructions[site].line = static_cast<int>(site + 1);
      made.sites.push_back(&instructions[site]);
    }
    made.effects.resize(made.sites.size());
    return made;
  }();
  SiteFacts facts{program};
  LaunchRequest request;
  FindingLog log;
  LaunchState launch;
  ClusterState state{launch};
};

// Bytes of global memory that one lane was the last to write.
inline void mark_global(GlobalShadow& shadow, std::uint64_t address, std::uint64_t bytes,
                        const Mark& write) {
  shadow.for_each_block(address, bytes,
                        [&](Block& block, std::uint64_t /*address*/, unsigned /*begin*/,
                            unsigned /*end*/) { block.write = write; });
}

}  // namespace tmaemu::check
