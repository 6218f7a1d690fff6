// What a case of lab1-async-copy is: every tile of an array comes out back to front.
#pragma once

#include <algorithm>

#include "judge/check.h"

namespace lab1 {

inline constexpr judge::Part kOneTile{
    "one-tile", "void launch_reverse_tile(int *dest, const int *src, int count)"};
inline constexpr judge::Part kTwoStages{
    "two-stages", "void launch_reverse_two_stages(int *dest, const int *src, size_t count)"};
inline constexpr judge::Part kRing{"ring",
                                   "void launch_reverse(int *dest, const int *src, size_t count)"};

inline constexpr std::size_t kTileInts = 1024;

struct Length {
  std::size_t ints;
};

inline std::string test_name(const testing::TestParamInfo<Length>& info) {
  return judge::concat(info.param.ints);
}

class Reverse : public judge::CheckWith<Length> {
 protected:
  void examine_reverse(const judge::Part& part) {
    const std::size_t count = GetParam().ints;
    const std::vector<std::int32_t> src = random().integers(count);
    std::vector<std::int32_t> dest = src;
    for (std::size_t begin = 0; begin < count; begin += kTileInts) {
      const std::size_t end = std::min(begin + kTileInts, count);
      std::reverse(dest.begin() + static_cast<std::ptrdiff_t>(begin),
                   dest.begin() + static_cast<std::ptrdiff_t>(end));
    }
    examine({part,
             judge::counted(count, "int"),
             {judge::output("dest", judge::tensor({count}, dest)),
              judge::input("src", judge::tensor({count}, src)),
              judge::integer(static_cast<std::int64_t>(count))}});
  }
};
class ReverseTile : public Reverse {};
class ReverseTwoStages : public Reverse {};
class ReverseRing : public Reverse {};

}  // namespace lab1
