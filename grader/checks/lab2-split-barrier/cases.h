// What the cases of lab2-split-barrier are.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab2 {

namespace parts {
#include "checks/lab2-split-barrier/parts.def"
}

using Integers = std::vector<std::int32_t>;

// Wraps like the GPU's.
inline std::int32_t add(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

inline std::string test_name(const testing::TestParamInfo<int>& info) {
  return std::to_string(info.param);
}

// Numbers that show where a search for the smallest begins and ends: some are far above zero, where
// a search that begins at zero never ends right; some are as large or as small as ints can be; and
// the smallest is the last one, or the first.
enum class Range { any, positive, largest, smallest };

struct Numbers {
  int count;
  Range range = Range::any;
};

struct RangeName {
  const char* in_tests;
  const char* in_words;
};
inline constexpr RangeName range_names[] = {{"", ""},
                                            {"_positive", ", all above zero"},
                                            {"_largest", ", all as large as can be"},
                                            {"_smallest", ", all as small as can be"}};

inline std::string numbers_name(const testing::TestParamInfo<Numbers>& info) {
  return common::concat(info.param.count, range_names[static_cast<int>(info.param.range)].in_tests);
}

class WorkWhileWaiting : public judge::CheckWith<Numbers> {
 protected:
  void examine_smallest() {
    if (!wants(parts::work_while_waiting)) GTEST_SKIP();
    const auto [count, range] = GetParam();
    const std::vector<std::size_t> shape{static_cast<std::size_t>(count)};
    const Integers src = drawn(shape[0], range);
    const std::int32_t smallest = *std::min_element(src.begin(), src.end());
    Integers dest = src;
    for (std::int32_t& value : dest) value -= smallest;
    examine({judge::following_values(parts::work_while_waiting),
             common::counted(shape[0], "int") + range_names[static_cast<int>(range)].in_words,
             {judge::output("dest", judge::tensor(shape, dest)),
              judge::input("src", judge::tensor(shape, src)), judge::integer(count)}});
  }

 private:
  Integers drawn(std::size_t count, Range range) {
    constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
    constexpr std::int32_t most = std::numeric_limits<std::int32_t>::max();
    constexpr std::int32_t spread = 1 << 10;
    Integers numbers = random().integers(count);
    for (std::int32_t& number : numbers) {
      if (range == Range::positive) number = 2 + (number & ((1 << 30) - 1));
      if (range == Range::largest) number = most - (number & (spread - 1));
      if (range == Range::smallest) number = least + 1 + (number & (spread - 1));
    }
    if (range == Range::positive) numbers.back() = 1;
    if (range == Range::largest) numbers.back() = most - spread;
    if (range == Range::smallest) numbers.front() = least;
    return numbers;
  }
};

// The parameter is the number of rounds, or of ints.
class SplitBarrier : public judge::CheckWith<int> {
 protected:
  void examine_phases() {
    constexpr std::size_t threads = 256;
    const int rounds = GetParam();
    const Integers before = random().integers(threads);
    Integers after = before;
    for (int round = 0; round < rounds; ++round) {
      Integers next = after;
      for (std::size_t i = 0; i < threads; ++i) next[i] = add(after[i], after[(i + 1) % threads]);
      after = next;
    }
    examine({judge::following_values(parts::phases),
             common::counted(static_cast<std::size_t>(rounds), "round"),
             {judge::in_place("data", judge::tensor({threads}, before),
                              judge::tensor({threads}, after)),
              judge::integer(rounds)}});
  }

  void examine_sum() {
    const Integers data = random().integers(count());
    const Integers sum{std::accumulate(data.begin(), data.end(), 0, add)};
    examine({judge::following_values(parts::several_arrivals),
             in_words(),
             {judge::output("result", judge::tensor({1}, sum)), input(data),
              judge::integer(GetParam())}});
  }

  void examine_ping_pong() {
    constexpr std::size_t tile = 128;
    const Integers src = random().integers(count());
    Integers dest = src;
    for (std::size_t begin = 0; begin < count(); begin += tile) {
      const std::size_t end = std::min(begin + tile, count());
      std::reverse(dest.begin() + static_cast<std::ptrdiff_t>(begin),
                   dest.begin() + static_cast<std::ptrdiff_t>(end));
    }
    examine({judge::following_values(parts::ping_pong),
             in_words(),
             {judge::output("dest", judge::tensor({count()}, dest)), input(src),
              judge::integer(GetParam())}});
  }

 private:
  std::size_t count() const { return static_cast<std::size_t>(GetParam()); }
  std::string in_words() const { return common::counted(count(), "int"); }
  judge::CallArgument input(const Integers& values) const {
    return judge::input("src", judge::tensor({values.size()}, values));
  }
};
class Phases : public SplitBarrier {};
class SeveralArrivals : public SplitBarrier {};
class PingPong : public SplitBarrier {};

}  // namespace lab2
