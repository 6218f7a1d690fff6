// What the cases of lab9-clusters are. The cases themselves are in checks.cpp, which students have
// too, and in grader_checks.cpp.
#pragma once

#include <string>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab9 {

namespace parts {
#include "checks/lab9-clusters/parts.def"
}

inline constexpr std::size_t cluster_ctas = 4;
inline constexpr std::size_t tile_ints = 1024;
inline constexpr std::size_t pair_tile_ints = 16 * 64;

inline std::int64_t number(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

inline std::string name_of_count(const testing::TestParamInfo<std::size_t>& info) {
  return common::concat(info.param);
}

// A number of tiles.
class ClusterMulticast : public judge::CheckWith<std::size_t> {
 protected:
  void examine_multicast() {
    if (!wants(parts::multicast)) GTEST_SKIP();
    const std::size_t tiles = GetParam();
    const std::vector<std::int32_t> src = random().integers(tiles * tile_ints);
    std::vector<std::int32_t> dest(cluster_ctas * src.size());
    for (std::size_t i = 0; i < dest.size(); ++i) {
      const std::size_t cta = i / tile_ints;
      const std::int32_t sent = src[cta / cluster_ctas * tile_ints + i % tile_ints];
      dest[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sent) + cta % cluster_ctas);
    }
    examine({parts::multicast,
             common::counted(tiles, "tile"),
             {judge::output("dest", judge::tensor({tiles * cluster_ctas, tile_ints}, dest)),
              judge::input("src", judge::tensor({tiles, tile_ints}, src)),
              judge::integer(number(tiles))}});
  }
};

struct Matrix {
  std::size_t rows;
  std::size_t columns;
};

inline std::string name_of_matrix(const testing::TestParamInfo<Matrix>& info) {
  return common::concat(info.param.rows, "x", info.param.columns);
}

class RowBroadcast : public judge::CheckWith<Matrix> {
 protected:
  void examine_broadcast() {
    if (!wants(parts::row_broadcast)) GTEST_SKIP();
    const auto [rows, columns] = GetParam();
    const std::vector<std::int32_t> row = random().integers(columns);
    std::vector<std::int32_t> dest;
    dest.reserve(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) dest.insert(dest.end(), row.begin(), row.end());
    examine({judge::following_values(parts::row_broadcast),
             common::concat(rows, " x ", columns),
             {judge::output("dest", judge::tensor({rows, columns}, dest)),
              judge::input("row", judge::tensor({columns}, row)), judge::integer(number(rows)),
              judge::integer(number(columns))}});
  }
};

class AddRow : public judge::CheckWith<Matrix> {
 protected:
  void examine_add_row() {
    if (!wants(parts::cache_policy)) GTEST_SKIP();
    const auto [rows, columns] = GetParam();
    const std::vector<std::int32_t> src = random().integers(rows * columns);
    const std::vector<std::int32_t> row = random().integers(columns);
    std::vector<std::int32_t> dest(src.size());
    for (std::size_t i = 0; i < dest.size(); ++i) dest[i] = sum(src[i], row[i % columns]);
    examine({parts::cache_policy,
             common::concat(rows, " x ", columns),
             {judge::output("dest", judge::tensor({rows, columns}, dest)),
              judge::input("src", judge::tensor({rows, columns}, src)),
              judge::input("row", judge::tensor({columns}, row)), judge::integer(number(rows)),
              judge::integer(number(columns))}});
  }

 private:
  static std::int32_t sum(std::int32_t a, std::int32_t b) {
    return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
  }
};

struct Journey {
  std::size_t tiles;  // a multiple of cluster_ctas
  std::size_t hops;
};

inline std::string name_of_journey(const testing::TestParamInfo<Journey>& info) {
  return common::concat(info.param.tiles, "_tiles_", info.param.hops, "_hops");
}

class Rotate : public judge::CheckWith<Journey> {
 protected:
  void examine_rotate() {
    if (!wants(parts::rotate)) GTEST_SKIP();
    const auto [tiles, hops] = GetParam();
    const std::vector<std::int32_t> src = random().integers(tiles * tile_ints);
    std::vector<std::int32_t> dest(src.size());
    for (std::size_t i = 0; i < src.size(); ++i) {
      const std::size_t tile = i / tile_ints;
      const std::size_t to = tile / cluster_ctas * cluster_ctas + (tile + hops) % cluster_ctas;
      dest[to * tile_ints + i % tile_ints] = src[i];
    }
    examine({judge::following_values(parts::rotate),
             common::concat(common::counted(tiles, "tile"), ", ", common::counted(hops, "hop")),
             {judge::output("dest", judge::tensor({tiles, tile_ints}, dest)),
              judge::input("src", judge::tensor({tiles, tile_ints}, src)),
              judge::integer(number(tiles)), judge::integer(number(hops))}});
  }
};

// A number of pairs.
class CtaPair : public judge::CheckWith<std::size_t> {
 protected:
  void examine_pairs() {
    if (!wants(judge::for_sm(100, parts::cta_pair))) GTEST_SKIP();
    const std::size_t pairs = GetParam();
    const std::vector<std::int32_t> src = random().integers(2 * pairs * pair_tile_ints);
    std::vector<std::int32_t> dest(pairs * pair_tile_ints);
    for (std::size_t i = 0; i < dest.size(); ++i) {
      const std::size_t first = i / pair_tile_ints * pair_tile_ints + i;
      dest[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(src[first]) +
                                          static_cast<std::uint32_t>(src[first + pair_tile_ints]));
    }
    examine({judge::for_sm(100, parts::cta_pair),
             common::counted(pairs, "pair"),
             {judge::output("dest", judge::tensor({pairs * 16, 64}, dest)),
              judge::input("src", judge::tensor({2 * pairs * 16, 64}, src)),
              judge::integer(number(pairs))}});
  }
};

}  // namespace lab9
