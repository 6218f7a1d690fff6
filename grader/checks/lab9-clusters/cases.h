// What the cases of lab9-clusters are. The cases themselves are in checks.cpp, which students have
// too, and in grader_checks.cpp.
#pragma once

#include <string>
#include <vector>

#include "judge/check.h"

namespace lab9 {

inline constexpr judge::Part kMulticast{
    "multicast", "void launch_multicast(int *dest, const int *src, int tiles)"};
inline constexpr judge::Part kRowBroadcast{
    "row-broadcast", "void launch_row_broadcast(int *dest, const int *row, int rows, int columns)"};
inline constexpr judge::Part kRotate{
    "rotate", "void launch_rotate(int *dest, const int *src, int tiles, int hops)"};
inline constexpr judge::Part kCachePolicy{
    "cache-policy",
    "void launch_add_row(int *dest, const int *src, const int *row, int rows, int columns)"};
inline constexpr judge::Part kCtaPair{"cta-pair",
                                      "void launch_add_pairs(int *dest, int *src, int pairs)", 100};

inline constexpr std::size_t kCluster = 4;
inline constexpr std::size_t kTileInts = 1024;
inline constexpr std::size_t kPairTileInts = 16 * 64;

inline std::int64_t number(std::size_t count) {
  return static_cast<std::int64_t>(count);
}

inline std::string name_of_count(const testing::TestParamInfo<std::size_t>& info) {
  return judge::concat(info.param);
}

// A number of tiles.
class ClusterMulticast : public judge::CheckWith<std::size_t> {
 protected:
  void examine_multicast() {
    const std::size_t tiles = GetParam();
    const std::vector<std::int32_t> src = random().integers(tiles * kTileInts);
    std::vector<std::int32_t> dest(kCluster * src.size());
    for (std::size_t i = 0; i < dest.size(); ++i) {
      const std::size_t cta = i / kTileInts;
      const std::int32_t sent = src[cta / kCluster * kTileInts + i % kTileInts];
      dest[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(sent) + cta % kCluster);
    }
    examine({kMulticast,
             judge::counted(tiles, "tile"),
             {judge::output("dest", judge::tensor({tiles * kCluster, kTileInts}, dest)),
              judge::input("src", judge::tensor({tiles, kTileInts}, src)),
              judge::integer(number(tiles))}});
  }
};

struct Matrix {
  std::size_t rows;
  std::size_t columns;
};

inline std::string name_of_matrix(const testing::TestParamInfo<Matrix>& info) {
  return judge::concat(info.param.rows, "x", info.param.columns);
}

class RowBroadcast : public judge::CheckWith<Matrix> {
 protected:
  void examine_broadcast() {
    const auto [rows, columns] = GetParam();
    const std::vector<std::int32_t> row = random().integers(columns);
    std::vector<std::int32_t> dest;
    dest.reserve(rows * columns);
    for (std::size_t r = 0; r < rows; ++r) dest.insert(dest.end(), row.begin(), row.end());
    examine({kRowBroadcast,
             judge::concat(rows, " x ", columns),
             {judge::output("dest", judge::tensor({rows, columns}, dest)),
              judge::input("row", judge::tensor({columns}, row)), judge::integer(number(rows)),
              judge::integer(number(columns))}});
  }
};

class AddRow : public judge::CheckWith<Matrix> {
 protected:
  void examine_add_row() {
    const auto [rows, columns] = GetParam();
    const std::vector<std::int32_t> src = random().integers(rows * columns);
    const std::vector<std::int32_t> row = random().integers(columns);
    std::vector<std::int32_t> dest(src.size());
    for (std::size_t i = 0; i < dest.size(); ++i) dest[i] = sum(src[i], row[i % columns]);
    examine({kCachePolicy,
             judge::concat(rows, " x ", columns),
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
  std::size_t tiles;  // a multiple of kCluster
  std::size_t hops;
};

inline std::string name_of_journey(const testing::TestParamInfo<Journey>& info) {
  return judge::concat(info.param.tiles, "_tiles_", info.param.hops, "_hops");
}

class Rotate : public judge::CheckWith<Journey> {
 protected:
  void examine_rotate() {
    const auto [tiles, hops] = GetParam();
    const std::vector<std::int32_t> src = random().integers(tiles * kTileInts);
    std::vector<std::int32_t> dest(src.size());
    for (std::size_t i = 0; i < src.size(); ++i) {
      const std::size_t tile = i / kTileInts;
      const std::size_t to = tile / kCluster * kCluster + (tile + hops) % kCluster;
      dest[to * kTileInts + i % kTileInts] = src[i];
    }
    examine({kRotate,
             judge::concat(judge::counted(tiles, "tile"), ", ", judge::counted(hops, "hop")),
             {judge::output("dest", judge::tensor({tiles, kTileInts}, dest)),
              judge::input("src", judge::tensor({tiles, kTileInts}, src)),
              judge::integer(number(tiles)), judge::integer(number(hops))}});
  }
};

// A number of pairs.
class CtaPair : public judge::CheckWith<std::size_t> {
 protected:
  void examine_pairs() {
    const std::size_t pairs = GetParam();
    const std::vector<std::int32_t> src = random().integers(2 * pairs * kPairTileInts);
    std::vector<std::int32_t> dest(pairs * kPairTileInts);
    for (std::size_t i = 0; i < dest.size(); ++i) {
      const std::size_t first = i / kPairTileInts * kPairTileInts + i;
      dest[i] = static_cast<std::int32_t>(static_cast<std::uint32_t>(src[first]) +
                                          static_cast<std::uint32_t>(src[first + kPairTileInts]));
    }
    examine({kCtaPair,
             judge::counted(pairs, "pair"),
             {judge::output("dest", judge::tensor({pairs * 16, 64}, dest)),
              judge::input("src", judge::tensor({2 * pairs * 16, 64}, src)),
              judge::integer(number(pairs))}});
  }
};

}  // namespace lab9
