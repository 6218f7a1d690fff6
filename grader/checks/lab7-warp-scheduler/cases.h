// What a case of lab7-warp-scheduler is: a copy, or y = a * x + y. The cases themselves are in
// checks.cpp, which students have too, and in grader_checks.cpp.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "judge/arrays/lengths.h"
#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab7 {

namespace parts {
#include "checks/lab7-warp-scheduler/parts.def"
}

// To follow values takes time, so long arrays are moved without.
constexpr judge::Part part_for(std::size_t count, judge::Part part) {
  constexpr std::size_t long_count = 4'000'000;
  return count < long_count ? judge::following_values(part) : part;
}

inline std::string name_of_count(const testing::TestParamInfo<std::size_t>& info) {
  return common::concat(info.param);
}

// A number of elements.
class MultiwarpPipeline : public judge::CheckWith<std::size_t> {
 protected:
  void examine_copy(const std::vector<protocol::Attribute>& attributes = {}) {
    if (!wants(parts::pipeline)) GTEST_SKIP();
    const std::size_t count = GetParam();
    const judge::Tensor src = judge::tensor({count}, random().any_bfloat16(count));
    const std::size_t by_tma = src.bytes.size() / 16 * 16;  // whole vectors
    examine({part_for(count, parts::pipeline),
             common::counted(count, "element") + judge::on(attributes),
             judge::arguments(judge::copied("dest", src), judge::input("src", src),
                              judge::integer(static_cast<std::int64_t>(count))),
             by_tma, attributes});
  }
};

struct Scaled {
  std::size_t count;
  float a = 2.0F;
  std::size_t misalignment = 0;  // of y: a multiple of 16
  float unit = 1;                // of x and of y: a power of two
};

inline std::string name_of_scaled(const testing::TestParamInfo<Scaled>& info) {
  const auto [count, a, misalignment, unit] = info.param;
  return common::concat(count,
                        a == 2.0F ? ""
                        : a == 1  ? "_a_1"
                        : a == 0  ? "_a_0"
                                  : "_other_a",
                        misalignment == 0 ? "" : "_aligned_to_16", unit == 1 ? "" : "_fractions");
}

class Axpy : public judge::CheckWith<Scaled> {
 protected:
  // Products and sums are exact, so that it makes no difference whether they are fused; and y has
  // infinities and NaNs, which stay; so has x, where there are fractions.
  void examine_axpy(const std::vector<protocol::Attribute>& attributes = {}) {
    if (!wants(parts::axpy)) GTEST_SKIP();
    const auto [count, a, misalignment, unit] = GetParam();
    std::vector<float> x = random().whole_floats(count, unit);
    std::vector<float> y = random().whole_floats(count, unit);
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float lasting[] = {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
    for (std::size_t i = 100; i < count; i += 101) y[i] = lasting[i % 3];
    if (unit != 1) {
      for (std::size_t i = 50; i < count; i += 103) x[i] = lasting[i % 3];
    }
    std::vector<float> sums(count);
    for (std::size_t i = 0; i < count; ++i) sums[i] = a * x[i] + y[i];
    // The whole vectors of x and y. With a = 0 there is nothing to be done, as in BLAS.
    const std::size_t by_tma = a == 0 ? 0 : 2 * (count / 4 * 16);
    examine({part_for(count, parts::axpy),
             common::concat(common::counted(count, "element"), ", a = ", a,
                            misalignment == 0 ? "" : ", y aligned to 16 bytes only",
                            judge::in_steps_of(unit), judge::on(attributes)),
             judge::arguments(judge::real(a), judge::input("x", judge::tensor({count}, x)),
                              judge::in_place("y", judge::tensor({count}, y),
                                              judge::tensor({count}, sums), misalignment),
                              judge::integer(static_cast<std::int64_t>(count))),
             by_tma, attributes});
  }
};

}  // namespace lab7
