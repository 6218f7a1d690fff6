// What a case of lab11-bug-hunts is: a mended kernel adds one to every int. The cases themselves
// are in checks.cpp, which students have too, and in grader_checks.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab11 {

namespace parts {
#include "checks/lab11-bug-hunts/parts.def"
}

inline constexpr std::array hunts{
    parts::neighbors,
    parts::one_group,
    judge::following_values(parts::hand_over),
    judge::following_values(parts::early_bird),
    parts::one_fence,
    parts::second_lap,
    parts::two_stores,
    parts::whole_warp,
    parts::clean_start,
    parts::in_a_hurry,
    parts::half_done,
    judge::following_values(parts::one_stage),
    parts::two_panels,
    judge::following_values(parts::good_bye),
};

// A hunt, and how many tiles.
using HuntOfTiles = std::tuple<judge::Part, std::size_t>;

inline std::string test_name(const testing::TestParamInfo<HuntOfTiles>& info) {
  const auto& [hunt, tiles] = info.param;
  std::string id = hunt.id;
  std::ranges::replace(id, '-', '_');
  return common::concat(id, "_", tiles);
}

class Hunted : public judge::CheckWith<HuntOfTiles> {
 protected:
  void examine_hunt() {
    constexpr std::size_t tile_ints = 1024;
    const auto& [hunt, tiles] = GetParam();
    const std::size_t count = tiles * tile_ints;
    const std::vector<std::int32_t> before = random().integers(count);
    std::vector<std::int32_t> after = before;
    for (std::int32_t& value : after) ++value;
    examine({judge::hunted(hunt),
             common::counted(tiles, "tile"),
             {judge::output("dest", judge::tensor({count}, after)),
              judge::input("src", judge::tensor({count}, before)),
              judge::integer(static_cast<std::int64_t>(count))}});
  }
};

}  // namespace lab11
