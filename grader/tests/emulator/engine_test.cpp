// The TMA engine behind its port: what it moves, and when.
#include "emulator/tma/engine.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "emulator/device/device.h"
#include "emulator/model/h200.h"
#include "tests/emulator/finding_log.h"

namespace tmaemu {
namespace {

using Kind = BulkOperation::Kind;
using Policy = TimingPolicy::Kind;

constexpr std::uint32_t tile = 1024;
constexpr std::uint32_t barrier = 64;
constexpr std::uint32_t bytes = 256;
constexpr ThreadId leader{0, 0};
constexpr ThreadId writer{0, 1};

// A cluster of two CTAs of four threads that do what the test says.
class PretendedCluster final : public ClusterPort {
 public:
  unsigned cta_count() const override { return 2; }
  unsigned threads_per_cta() const override { return 4; }
  Dimensions cta_id(std::uint32_t rank) const override { return {rank, 0, 0}; }
  bool has_ended(std::uint32_t rank) const override { return ended[rank]; }
  SharedMemory& shared_memory(std::uint32_t rank) override { return *shared[rank]; }
  const GlobalMemory& global_memory() const override { return memory; }
  Causality& causality() override { return order; }
  Mbarriers& mbarriers() override { return barriers; }
  FindingSink& findings() const override { return log; }
  Observer* observer() const override { return nullptr; }

  std::array<bool, 2> ended{};
  SharedMemory first{8192, true};
  SharedMemory second{8192, true};
  std::vector<SharedMemory*> shared{&first, &second};
  GlobalMemory& memory = Device::instance().memory();
  Causality order{2, 4};
  Mbarriers barriers{shared, order, true, nullptr};
  mutable FindingLog log;
};

class EngineTest : public testing::TestWithParam<Policy> {
 protected:
  EngineTest() {
    global = *cluster.memory.allocate(bytes);
    host = cluster.memory.translate(global, bytes);
    for (std::size_t i = 0; i < bytes; ++i) host[i] = std::byte(i);
    engine.reset(0);
    cluster.barriers.initialize(barrier, 1, leader);
    EXPECT_FALSE(cluster.barriers.arrive(barrier, 1, bytes, {&leader}));
  }

  BulkOperation operation(Kind kind) {
    BulkOperation made;
    made.kind = kind;
    made.global = global;
    made.host = host;
    made.shared = tile;
    made.bytes = bytes;
    made.mbarrier = barrier;
    made.thread = leader;
    made.site = 7;
    return made;
  }
  ~EngineTest() override { cluster.memory.free(global); }

  void load() { engine.issue(operation(Kind::global_to_shared)); }
  void store() { engine.issue(operation(Kind::shared_to_global)); }
  void write_tile(std::byte value) {
    std::fill_n(cluster.first.generic() + tile, bytes, value);
    cluster.first.note_write(tile, bytes, writer, cluster.order.now());
  }
  void fence() {
    cluster.first.make_visible([](ThreadId, Epoch) { return true; });
  }
  void wait_for_load() {
    engine.deliver_for(barrier, [&] { return is_over(); });
  }
  bool is_over() const { return cluster.barriers.load(barrier).phase_is_over(false); }
  std::byte in_tile(std::size_t i) { return cluster.first.generic()[tile + i]; }

  PretendedCluster cluster;
  std::uint64_t global = 0;
  std::byte* host = nullptr;
  AsyncEngine engine{cluster, {GetParam(), 3}};
};

std::string name_of(const testing::TestParamInfo<Policy>& policy) {
  constexpr std::array names{"late", "early", "random"};
  return names[static_cast<std::size_t>(policy.param)];
}
INSTANTIATE_TEST_SUITE_P(Policies, EngineTest,
                         testing::Values(Policy::late, Policy::early, Policy::random), name_of);

TEST_P(EngineTest, ALoadIsThereWhenItsPhaseIsOver) {
  load();
  wait_for_load();
  EXPECT_TRUE(is_over());
  for (std::size_t i = 0; i < bytes; ++i) ASSERT_EQ(in_tile(i), std::byte(i));
}

TEST_P(EngineTest, OnlyAnEarlyLoadIsThereAtOnce) {
  load();
  EXPECT_EQ(is_over(), GetParam() == Policy::early);
}

TEST_P(EngineTest, AStoreIsInGlobalMemoryAfterAFullWait) {
  write_tile(std::byte{9});
  fence();
  cluster.order.synchronize_cta(0);
  store();
  engine.commit_group(leader);
  engine.wait_group(leader, 0, false);
  EXPECT_EQ(host[0], std::byte{9});
  EXPECT_EQ(host[bytes - 1], std::byte{9});
}

TEST_P(EngineTest, AfterAWaitForReadsTheSourceMayBeWrittenAgain) {
  write_tile(std::byte{9});
  fence();
  store();
  engine.commit_group(leader);
  engine.wait_group(leader, 0, true);
  write_tile(std::byte{1});
  fence();
  engine.wait_group(leader, 0, false);
  EXPECT_EQ(host[0], std::byte{9});
}

TEST_P(EngineTest, AWaitLeavesTheGroupsThatMayBePending) {
  for (int group = 0; group < 2; ++group) {
    write_tile(std::byte(group + 1));
    fence();
    store();
    engine.commit_group(leader);
    if (group == 0) engine.wait_group(leader, 0, true);
  }
  engine.wait_group(leader, 1, false);
  EXPECT_TRUE(GetParam() != Policy::late || host[0] == std::byte{1});
  engine.wait_group(leader, 0, false);
  EXPECT_EQ(host[0], std::byte{2});
}

TEST_P(EngineTest, AStoreOfBytesThatNoFenceCoversReadsTheOldOnes) {
  write_tile(std::byte{9});
  cluster.order.synchronize_cta(0);
  store();
  engine.commit_group(leader);
  engine.wait_group(leader, 0, false);
  EXPECT_NE(host[0], std::byte{9});
}

TEST_P(EngineTest, AStoreOfACtaThatEndsIsReadBefore) {
  write_tile(std::byte{9});
  fence();
  cluster.order.synchronize_cta(0);
  store();
  engine.commit_group(leader);
  cluster.ended[0] = true;
  engine.on_cta_exit(0);
  EXPECT_EQ(host[0], std::byte{9});
}

TEST_P(EngineTest, AMulticastLoadFillsEveryCtaAndCompletesOnEachOnesBarrier) {
  constexpr std::uint32_t other = 1u << cta_rank_shift | barrier;
  cluster.barriers.initialize(other, 1, {1, 0});
  constexpr ThreadId cleo{1, 0};
  EXPECT_FALSE(cluster.barriers.arrive(other, 1, bytes, {&cleo}));
  cluster.order.synchronize_cluster();
  BulkOperation multicast = operation(Kind::global_to_shared);
  multicast.multicast = 0b11;
  engine.issue(std::move(multicast));
  wait_for_load();
  EXPECT_TRUE(is_over());
  EXPECT_TRUE(cluster.barriers.load(other).phase_is_over(false));
  EXPECT_EQ(in_tile(5), std::byte{5});
  EXPECT_EQ(cluster.second.generic()[tile + 5], std::byte{5});
}

TEST_P(EngineTest, AReductionAddsToWhatIsThere) {
  std::fill_n(host, bytes, std::byte{0});
  host[0] = std::byte{4};
  write_tile(std::byte{0});
  cluster.first.generic()[tile] = std::byte{3};
  fence();
  cluster.order.synchronize_cta(0);
  engine.issue(operation(Kind::reduce_to_global));
  engine.commit_group(leader);
  engine.wait_group(leader, 0, false);
  EXPECT_EQ(host[0], std::byte{7});
}

TEST_P(EngineTest, ACopyBetweenCtasArrivesInTheOther) {
  write_tile(std::byte{6});
  fence();
  constexpr std::uint32_t other = 1u << cta_rank_shift | barrier;
  cluster.barriers.initialize(other, 1, {1, 0});
  constexpr ThreadId cleo{1, 0};
  EXPECT_FALSE(cluster.barriers.arrive(other, 1, bytes, {&cleo}));
  cluster.order.synchronize_cluster();
  BulkOperation copy = operation(Kind::shared_to_shared);
  copy.target = 1u << cta_rank_shift | tile;
  copy.mbarrier = other;
  engine.issue(std::move(copy));
  engine.deliver_for(other, [&] { return cluster.barriers.load(other).phase_is_over(false); });
  EXPECT_EQ(cluster.second.generic()[tile + 9], std::byte{6});
}

TEST_P(EngineTest, MemoryThatIsFreedBeforeTheLoadIsDoneIsAFault) {
  if (GetParam() == Policy::early) {
    load();
    EXPECT_TRUE(is_over());
    return;
  }
  cluster.memory.free(global);
  global = *cluster.memory.allocate(std::size_t{3} << 20);  // has pages of its own
  load();
  cluster.memory.free(global);
  EXPECT_THROW(wait_for_load(), KernelFault);
}

TEST_P(EngineTest, ALoadGoesOnFromSmallMemoryThatIsFreedBeforeItIsDone) {
  load();
  cluster.memory.free(global);
  wait_for_load();
  EXPECT_TRUE(is_over());
}

// The order of a random engine belongs to its seed and its cluster, not to the host.
TEST(RandomEngine, MovesTheSameWayForTheSameSeed) {
  const auto moves = [](std::uint64_t seed) {
    PretendedCluster cluster;
    AsyncEngine engine(cluster, {Policy::random, seed});
    engine.reset(4);
    const std::uint64_t global = *cluster.memory.allocate(bytes);
    cluster.barriers.initialize(barrier, 1, leader);
    EXPECT_FALSE(cluster.barriers.arrive(barrier, 1, std::int64_t{64} * bytes, {&leader}));
    std::vector<std::int64_t> left;
    for (int i = 0; i < 64; ++i) {
      BulkOperation load;
      load.global = global;
      load.host = cluster.memory.translate(global, bytes);
      load.shared = tile;
      load.bytes = bytes;
      load.mbarrier = barrier;
      engine.issue(std::move(load));
      engine.tick();
      left.push_back(cluster.barriers.load(barrier).tx_count);
    }
    cluster.memory.free(global);
    return left;
  };
  EXPECT_EQ(moves(1), moves(1));
  EXPECT_NE(moves(1), moves(2));
}

}  // namespace
}  // namespace tmaemu
