// What a case of lab11-bug-hunts is: a mended kernel adds one to every int, and its launcher says
// which finding there was. The cases themselves are in checks.cpp, which students have too, and in
// grader_checks.cpp.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <tuple>
#include <vector>

#include "checks/lab11-bug-hunts/naming.h"
#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab11 {

namespace parts {
#include "checks/lab11-bug-hunts/parts.def"
}

struct Hunt {
  judge::Part part;
  std::uint32_t finding;  // its code, as the number that entry.cu makes of it
};

inline const std::array hunts{
    Hunt{parts::neighbors, 0xa765c2af},
    Hunt{parts::one_group, 0x40d39621},
    Hunt{judge::following_values(parts::hand_over), 0x8e9c5ffd},
    Hunt{judge::following_values(parts::early_bird), 0x64bd6356},
    Hunt{parts::one_fence, 0x3577f8e6},
    Hunt{parts::second_lap, 0x43ea28d2},
    Hunt{parts::two_stores, 0x597d8544},
    Hunt{parts::whole_warp, 0xede7798b},
    Hunt{parts::clean_start, 0x3cc4bcc9},
    Hunt{parts::in_a_hurry, 0x77c7c82c},
    Hunt{parts::half_done, 0x1765f150},
    Hunt{parts::one_stage, 0x18cca8f1},
    Hunt{parts::two_panels, 0x67615428},
    Hunt{judge::following_values(parts::good_bye), 0xdae2e15b},
};

// A hunt, and how many tiles.
using HuntOfTiles = std::tuple<Hunt, std::size_t>;

inline std::string test_name(const testing::TestParamInfo<HuntOfTiles>& info) {
  const auto& [hunt, tiles] = info.param;
  std::string id = hunt.part.id;
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
    const std::vector<std::int32_t> finding{static_cast<std::int32_t>(hunt.finding)};
    const auto unnamed = [](const judge::Tensor& got) {
      return objection_to(static_cast<std::uint32_t>(got.at<std::int32_t>(0)));
    };
    examine({hunt.part,
             common::counted(tiles, "tile"),
             {judge::output_or_said("the finding's code", judge::tensor({1}, finding), unnamed),
              judge::output("dest", judge::tensor({count}, after)),
              judge::input("src", judge::tensor({count}, before)),
              judge::integer(static_cast<std::int64_t>(count))}});
  }
};

}  // namespace lab11
