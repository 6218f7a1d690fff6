// Sets of bytes of shared memory, as runs.
#include <gtest/gtest.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "emulator/check/unit_set.h"

namespace tmaemu::check {
namespace {

using Runs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;  // offset, bytes

Runs runs_of(const UnitSet& units) {
  Runs runs;
  units.for_each_run(
      [&](std::uint32_t offset, std::uint32_t bytes) { runs.emplace_back(offset, bytes); });
  return runs;
}

UnitSet units(std::uint32_t first, std::uint32_t end) {
  UnitSet set;
  for (std::uint32_t i = first; i < end; ++i) set.add(i * UnitSet::unit_bytes);
  return set;
}

TEST(UnitSet, HasNoRunsWhereItIsEmpty) {
  EXPECT_EQ(runs_of(UnitSet()), Runs());
}

TEST(UnitSet, TellsApartRunsThatDoNotMeet) {
  UnitSet set = units(1, 3);
  set.add(units(4, 5));
  EXPECT_EQ(runs_of(set), (Runs{{16, 32}, {64, 16}}));
}

TEST(UnitSet, JoinsARunThatCrossesWords) {
  EXPECT_EQ(runs_of(units(60, 200)), (Runs{{960, 2240}}));
}

TEST(UnitSet, EndsARunAtTheEndOfItsLastWord) {
  EXPECT_EQ(runs_of(units(64, 128)), (Runs{{1024, 1024}}));
}

TEST(UnitSet, IsEmptyAgainWhereItWasCleared) {
  UnitSet set = units(0, 100);
  set.clear();
  EXPECT_EQ(runs_of(set), Runs());
}

}  // namespace
}  // namespace tmaemu::check
