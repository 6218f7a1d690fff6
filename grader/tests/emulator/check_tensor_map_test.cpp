// The scope of the fences between a change of a tensor map in one CTA and its use in another.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "emulator/check/tensor_map_checker.h"
#include "emulator/device/device.h"
#include "tests/emulator/kernel_run.h"

namespace tmaemu::check {
namespace {

using Codes = std::vector<std::string>;

constexpr std::uint64_t map = 0x7000;
constexpr ThreadId ada{0, 0};
constexpr ThreadId ben{0, 1};
constexpr ThreadId cleo{1, 0};  // of the other CTA

LaunchRequest request_of_two_ctas() {
  LaunchRequest request;
  request.grid.x = request.cluster.x = 2;
  request.block.x = 64;
  return request;
}

// Ada changes a map and releases it, and somebody else acquires it, knows of the release, and uses
// it.
class CheckTensorMap : public testing::Test {
 protected:
  CheckTensorMap() {
    state.start({0, 0, 0});
    checker.start();
    Record change;
    change.writes = true;
    change.time = state.order.now(ada);
    const std::uint32_t number = launch.records.add(change);
    launch.shadow.for_each_block(
        map, 128,
        [&](Block& block, std::uint64_t /*address*/, unsigned /*begin*/, unsigned /*end*/) {
          block.write = {number, 0, Mark::one_lane};
        });
  }
  void release(Clock Knowledge::*scope) {
    state.order.begin_moment(ada);
    state.order.fence({{ada}}, {scope});
  }
  Codes used_by(ThreadId user, Scope acquired) {
    state.order.learn(user, state.order.snapshot(ada));
    checker.acquire({user, 1, map, acquired});
    checker.use({user, 2, map});
    state.reporter.finish();
    return log.codes();
  }

  ptx::Module module;
  ptx::Function function;
  Program program = [this] {
    Program made;
    made.module = &module;
    made.function = &function;
    return made;
  }();
  LaunchRequest request = request_of_two_ctas();
  FindingLog log;
  LaunchState launch{program, request, Device::instance().memory(), log, {}, false};
  ClusterState state{launch};
  TensorMapChecker checker{state};
};

TEST_F(CheckTensorMap, FencesOfTheGpuReachAnotherCta) {
  release(&Knowledge::released_maps);
  EXPECT_EQ(used_by(cleo, Scope::gpu), Codes{});
}

TEST_F(CheckTensorMap, AReleaseOfOneCtaDoesNotReachAnother) {
  release(&Knowledge::released_maps_in_cta);
  EXPECT_EQ(used_by(cleo, Scope::gpu), Codes{"missing-tensor-map-fence"});
}

TEST_F(CheckTensorMap, AnAcquireOfOneCtaDoesNotReachAnother) {
  release(&Knowledge::released_maps);
  EXPECT_EQ(used_by(cleo, Scope::cta), Codes{"missing-tensor-map-fence"});
}

TEST_F(CheckTensorMap, FencesOfOneCtaDoWithinIt) {
  release(&Knowledge::released_maps_in_cta);
  EXPECT_EQ(used_by(ben, Scope::cta), Codes{});
}

}  // namespace
}  // namespace tmaemu::check
