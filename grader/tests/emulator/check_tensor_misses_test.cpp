#include <gtest/gtest.h>

#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/tensor_misses.h"

namespace tmaemu::check {
namespace {

constexpr TensorMisses::Use loads{0x1000, false};
constexpr TensorMisses::Use stores{0x1000, true};

Finding load_at(std::uint32_t site) {
  Finding finding{Sentence::load_outside_tensor};
  finding.site = site;
  return finding;
}

class Sink : public FindingSink {
 public:
  void report(const Finding& finding) override { sites.push_back(finding.site); }
  void fault(const Finding&) override {}
  void cluster_ended(std::uint64_t) override {}
  std::vector<std::uint32_t> sites;
};

std::vector<std::uint32_t> told_of(const TensorMisses& misses) {
  Sink sink;
  misses.report(sink);
  return sink.sites;
}

TEST(TensorMisses, TellOfEachInstructionWhereAllLoadsMissTheTensor) {
  TensorMisses misses;
  misses.miss(loads, load_at(3));
  misses.miss(loads, load_at(3));
  misses.miss(loads, load_at(5));
  EXPECT_EQ(told_of(misses), (std::vector<std::uint32_t>{3, 5}));
}

// The right neighbor's tile, where the matrix is one tile wide.
TEST(TensorMisses, TellOfNoInstructionWhereAnotherMeetsTheTensor) {
  TensorMisses misses;
  misses.miss(loads, load_at(5));
  misses.hit(loads);
  EXPECT_TRUE(told_of(misses).empty());
}

TEST(TensorMisses, TellOfLoadsAlsoWhereStoresMeetTheTensor) {
  TensorMisses misses;
  misses.miss(loads, load_at(5));
  misses.hit(stores);
  EXPECT_EQ(told_of(misses).size(), 1u);
}

}  // namespace
}  // namespace tmaemu::check
