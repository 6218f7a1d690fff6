// What a case of lab1-async-copy is: every tile of an array comes out back to front.
#pragma once

#include <algorithm>

#include "judge/arrays/lengths.h"
#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab1 {

namespace parts {
#include "checks/lab1-async-copy/parts.def"
}

inline constexpr std::size_t tile_ints = 1024;

struct Length {
  std::size_t ints;
};

inline std::string test_name(const testing::TestParamInfo<Length>& info) {
  return common::concat(info.param.ints);
}

class Reverse : public judge::CheckWith<Length> {
 protected:
  void examine_reverse(const judge::Part& part,
                       const std::vector<protocol::Attribute>& attributes = {}) {
    if (!wants(part)) GTEST_SKIP();
    const std::size_t count = GetParam().ints;
    const std::vector<std::int32_t> src = random().integers(count);
    std::vector<std::int32_t> dest = src;
    for (std::size_t begin = 0; begin < count; begin += tile_ints) {
      const std::size_t end = std::min(begin + tile_ints, count);
      std::reverse(dest.begin() + static_cast<std::ptrdiff_t>(begin),
                   dest.begin() + static_cast<std::ptrdiff_t>(end));
    }
    examine({part, common::counted(count, "int") + judge::on(attributes),
             judge::arguments(judge::output("dest", judge::tensor({count}, dest)),
                              judge::input("src", judge::tensor({count}, src)),
                              judge::integer(static_cast<std::int64_t>(count))),
             0, attributes});
  }
};
class ReverseTile : public Reverse {};
class ReverseTwoStages : public Reverse {};
class ReverseRing : public Reverse {};

}  // namespace lab1
