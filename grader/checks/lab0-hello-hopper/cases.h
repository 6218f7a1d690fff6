// What the tests of lab0-hello-hopper have in common: its parts, and how a copy is examined.
#pragma once

#include "judge/check.h"
#include "judge/parts.h"

namespace lab0 {

namespace parts {
#include "checks/lab0-hello-hopper/parts.def"
}

struct Length {
  std::size_t floats;
};

inline std::string test_name(const testing::TestParamInfo<Length>& info) {
  return judge::concat(info.param.floats);
}

class CopyCheck : public judge::CheckWith<Length> {
 protected:
  void examine_copy(const judge::Part& part) {
    const std::size_t count = GetParam().floats;
    const judge::Tensor src = judge::tensor({count}, random().floats(count));
    examine({part,
             judge::counted(count, "float"),
             {judge::output("dest", src), judge::input("src", src),
              judge::integer(static_cast<std::int64_t>(count))}});
  }
};
class Copy : public CopyCheck {};
class VectorCopy : public CopyCheck {};

// A copy of `bytes` in `milliseconds`.
struct Timing {
  std::int64_t bytes;
  double milliseconds;
};

inline std::string timing_name(const testing::TestParamInfo<Timing>& info) {
  return judge::concat(info.param.bytes);
}

class GbPerS : public judge::CheckWith<Timing> {};

}  // namespace lab0
