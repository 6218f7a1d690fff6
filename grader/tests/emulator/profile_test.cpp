// The arithmetic of --stats, and what it prints. That the numbers are those of an H200 is tested by
// tests/python/test_stats.py.
#include <gtest/gtest.h>
#include <unistd.h>

#include <functional>
#include <vector>

#include "emulator/profile/banks.h"
#include "emulator/profile/hints.h"
#include "emulator/profile/json.h"
#include "emulator/profile/report.h"
#include "emulator/profile/sectors.h"
#include "emulator/profile/table.h"

namespace tmaemu::profile {
namespace {

using Rule = std::function<std::uint64_t(unsigned lane)>;

unsigned sectors(const Rule& address) {
  std::vector<std::uint64_t> addresses;
  for (unsigned lane = 0; lane < 32; ++lane) addresses.push_back(address(lane));
  return count_blocks(addresses, sector_bytes);
}

TEST(Sectors, NeighborsShareThem) {
  EXPECT_EQ(sectors([](unsigned lane) { return 4 * lane; }), 4u);
}

TEST(Sectors, TheOrderOfLanesDoesNotMatter) {
  EXPECT_EQ(sectors([](unsigned lane) { return 4 * (31 - lane); }), 4u);
}

TEST(Sectors, AShiftedWarpStraddlesOneMore) {
  EXPECT_EQ(sectors([](unsigned lane) { return 4 * lane + 4; }), 5u);
}

TEST(Sectors, AStrideOfASectorIsASectorALane) {
  EXPECT_EQ(sectors([](unsigned lane) { return 32 * lane; }), 32u);
}

TEST(Sectors, OneAddressIsOneSector) {
  EXPECT_EQ(sectors([](unsigned) { return 4096; }), 1u);
}

Wavefronts wavefronts(unsigned bytes, const Rule& element, SharedAccess access,
                      std::uint32_t lanes = 0xFFFF'FFFF) {
  std::vector<LaneOffset> offsets;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if ((lanes >> lane & 1) == 0) continue;
    offsets.push_back({lane, static_cast<std::uint32_t>(element(lane)) * bytes});
  }
  return count_wavefronts(offsets, bytes, access);
}

constexpr auto load = SharedAccess::load;
constexpr auto store = SharedAccess::store;
const Rule in_order = [](unsigned lane) { return lane; };
const Rule one_element = [](unsigned) { return 5; };

TEST(Banks, WordsInOrderTakeOneWavefront) {
  EXPECT_EQ(wavefronts(4, in_order, load), (Wavefronts{1, 1}));
}

TEST(Banks, AColumnOfWordsTakesOneEach) {
  EXPECT_EQ(wavefronts(
                4, [](unsigned lane) { return 32 * lane; }, load),
            (Wavefronts{32, 1}));
}

TEST(Banks, APaddedColumnTakesOne) {
  EXPECT_EQ(wavefronts(
                4, [](unsigned lane) { return 33 * lane; }, load),
            (Wavefronts{1, 1}));
}

TEST(Banks, AWordIsBroadcast) {
  EXPECT_EQ(wavefronts(4, one_element, load), (Wavefronts{1, 1}));
}

TEST(Banks, BytesOfOneWordAreOneWord) {
  EXPECT_EQ(wavefronts(1, in_order, load), (Wavefronts{1, 1}));
}

TEST(Banks, EightBytesGoByHalfWarps) {
  EXPECT_EQ(wavefronts(8, in_order, load), (Wavefronts{2, 2}));
  EXPECT_EQ(wavefronts(
                8, [](unsigned lane) { return 2 * lane; }, load),
            (Wavefronts{4, 2}));
}

TEST(Banks, SixteenBytesGoByQuarterWarps) {
  EXPECT_EQ(wavefronts(16, in_order, load), (Wavefronts{4, 4}));
  EXPECT_EQ(wavefronts(
                16, [](unsigned lane) { return 8 * lane; }, load),
            (Wavefronts{32, 4}));
}

TEST(Banks, LoadsOfPairsThatShareJoinGroups) {
  EXPECT_EQ(wavefronts(
                8, [](unsigned lane) { return lane / 2; }, load),
            (Wavefronts{1, 1}));
  EXPECT_EQ(wavefronts(
                8, [](unsigned lane) { return lane % 2; }, load),
            (Wavefronts{1, 1}));
  EXPECT_EQ(wavefronts(
                16, [](unsigned lane) { return lane / 2; }, load),
            (Wavefronts{2, 2}));
}

TEST(Banks, LanesFourApartThatShareJoinNothing) {
  EXPECT_EQ(wavefronts(
                8, [](unsigned lane) { return lane % 4; }, load),
            (Wavefronts{2, 2}));
}

TEST(Banks, LanesThatTakeNoPartShareWithAll) {
  constexpr std::uint32_t odd_lanes = 0xAAAA'AAAA;
  EXPECT_EQ(wavefronts(8, in_order, load, odd_lanes), (Wavefronts{2, 1}));
}

TEST(Banks, StoresJoinNothing) {
  EXPECT_EQ(wavefronts(8, one_element, store), (Wavefronts{2, 2}));
}

TEST(Banks, AtomicsDoNotShareWords) {
  EXPECT_EQ(wavefronts(
                4, [](unsigned lane) { return lane % 8; }, SharedAccess::atomic),
            (Wavefronts{4, 1}));
}

TEST(Counters, SumsAndMaximaDoNotDependOnTheOrder) {
  Counters a;
  a.global.load.add({128, 128}, 4);
  a.most_load_bytes_in_flight = 4096;
  a.waits[{BarrierId::Kind::cta, 0}] = {4, 3};
  Counters b;
  b.global.load.add({4, 4}, 1);
  b.most_load_bytes_in_flight = 1024;
  Counters ab = a;
  ab.merge(b);
  Counters ba = b;
  ba.merge(a);
  LaunchReport first, second;
  first.counters = ab;
  second.counters = ba;
  EXPECT_EQ(to_json({&first, 1}), to_json({&second, 1}));
  EXPECT_EQ(ab.global.load.sectors, 5u);
  EXPECT_EQ(ab.most_load_bytes_in_flight, 4096u);
}

LaunchReport strided_copy() {
  LaunchReport launch;
  launch.kernel = "copy";
  launch.block = {32, 1, 1};
  launch.counters.warp_instructions = 10;
  launch.counters.thread_instructions = 320;
  launch.counters.global.load.add({128, 128}, 32);
  launch.excess.push_back({"lab.cu:7:3", {28, 0}});
  return launch;
}

TEST(Table, AddsTheLaunchesOfAKernel) {
  const std::vector<LaunchReport> launches{strided_copy(), strided_copy()};
  const std::string table = to_table(launches);
  EXPECT_NE(table.find("copy: 2 launches, 2 CTAs of 32 threads"), std::string::npos) << table;
  EXPECT_NE(table.find("256              64           8.00x"), std::string::npos) << table;
}

TEST(Table, NamesBarriersInTheirOrderInMemory) {
  LaunchReport launch;
  launch.kernel = "ring";
  launch.waits = {{"full", {2, 1}}, {"full + 8 bytes", {1, 1}}, {"full + 16 bytes", {1, 1}}};
  const std::string table = to_table({&launch, 1});
  EXPECT_LT(table.find("full + 8 bytes"), table.find("full + 16 bytes")) << table;
}

std::vector<std::string> hints_for(const LaunchReport& launch) {
  return hints(summarize({&launch, 1}).front());
}

TEST(Hints, ScatteredAccessesAreToldWithThePlace) {
  EXPECT_EQ(hints_for(strided_copy()),
            std::vector<std::string>{"sectors 8.0x what was asked for (most at lab.cu:7:3): "
                                     "neighboring lanes should access neighboring addresses"});
}

TEST(Hints, AGoodKernelGetsNone) {
  LaunchReport launch = strided_copy();
  launch.counters.global.load = {};
  launch.counters.global.load.add({128, 128}, 4);
  launch.excess.clear();
  EXPECT_TRUE(hints_for(launch).empty());
}

TEST(Hints, TheFewElementsOfATailDoNotMatter) {
  LaunchReport launch;
  launch.kernel = "pipeline";
  launch.counters.global.load.add({12, 12}, 1);
  launch.counters.tma.load = {1, 4096, 128, 4096};
  EXPECT_TRUE(hints_for(launch).empty());
}

TEST(Hints, NarrowBoxesAreTold) {
  LaunchReport launch;
  launch.kernel = "narrow";
  launch.counters.tma.load = {1, 512, 32, 512};
  EXPECT_EQ(hints_for(launch),
            std::vector<std::string>{
                "TMA loads touch sectors of 2.0x their bytes: make the box's "
                "rows multiples of 32 bytes, and start them at multiples of 32 bytes"});
}

TEST(Hints, BankConflictsAreTold) {
  LaunchReport launch;
  launch.kernel = "transpose";
  launch.counters.shared.load.add({128, 128}, {32, 1});
  ASSERT_EQ(hints_for(launch).size(), 1u);
  EXPECT_TRUE(hints_for(launch).front().starts_with("97 % of the wavefronts are bank conflicts"));
}

TEST(Hints, FewLanesAreToldUnlessOneOfThemStartsTheEngine) {
  LaunchReport launch;
  launch.kernel = "half";
  launch.counters.warp_instructions = 10;
  launch.counters.thread_instructions = 160;
  ASSERT_EQ(hints_for(launch).size(), 1u);
  EXPECT_TRUE(hints_for(launch).front().starts_with("16.0 of 32 lanes active"));
  launch.counters.tma.load.operations = 1;
  EXPECT_TRUE(hints_for(launch).empty());
}

TEST(Json, IsOneLineWithItsSchema) {
  const std::string json = to_json({});
  EXPECT_EQ(json, "{\"tmaemu_stats\":1,\"launches\":[]}\n");
}

TEST(Json, QuotesWhatNeedsIt) {
  LaunchReport launch;
  launch.kernel = "a\"b\\c\n";
  EXPECT_NE(to_json({&launch, 1}).find("\"kernel\":\"a\\\"b\\\\c\\u000a\""), std::string::npos);
}

TEST(Settings, NameWhatTheyDoNotKnow) {
  const auto settings = Settings::parse("yes", "");
  ASSERT_FALSE(settings.ok());
  EXPECT_EQ(settings.error().message, "TMAEMU_STATS is \"yes\"; it must be table or json");
}

TEST(Settings, PutTheProcessIntoTheFilesName) {
  const auto settings = Settings::parse("json", "stats-%p.json");
  ASSERT_TRUE(settings.ok());
  EXPECT_EQ(settings->file, "stats-" + std::to_string(getpid()) + ".json");
}

}  // namespace
}  // namespace tmaemu::profile
