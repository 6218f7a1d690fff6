// What the cases of lab2-split-barrier are.
#pragma once

#include <algorithm>
#include <limits>
#include <numeric>

#include "judge/cases/parts.h"
#include "judge/cases/signs.h"
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

// What is handed over is turned: a result is right if it has been made of that, and of nothing that
// its thread has come by in another way.
class HandedOver : public judge::CheckWith<int> {
 protected:
  // The number of rounds. Numbers of the own warp are read as they are, and what is handed on is
  // turned once.
  void examine_phases() {
    if (!wants(parts::phases)) GTEST_SKIP();
    constexpr std::size_t threads = 256;
    constexpr std::size_t warp = 32;
    const Integers before = random().integers(threads);
    const judge::TurnedSigns signs = judge::turned_with(before[warp], random());
    Integers after = before;
    std::vector<bool> has_been_handed(threads);
    for (int round = 0; round < GetParam(); ++round) {
      const Integers old = after;
      const std::vector<bool> was_handed = has_been_handed;
      for (std::size_t i = 0; i < threads; ++i) {
        const std::size_t neighbor = (i + 1) % threads;
        const bool is_turned = i / warp != neighbor / warp && !was_handed[neighbor];
        after[i] = add(old[i], is_turned ? turned(signs, old[neighbor]) : old[neighbor]);
        has_been_handed[i] = was_handed[i] || was_handed[neighbor] || is_turned;
      }
    }
    examine(judge::handed_over_with(signs,
                                    {judge::following_values(parts::phases),
                                     common::counted(static_cast<std::size_t>(GetParam()), "round"),
                                     {judge::in_place("data", judge::tensor({threads}, before),
                                                      judge::tensor({threads}, after)),
                                      judge::integer(GetParam())}}));
  }

  // The place of the only number that is not zero: whichever way the numbers are shared out, the
  // warp that has it is not one that adds up the warps' sums.
  void examine_sum() {
    if (!wants(parts::several_arrivals)) GTEST_SKIP();
    constexpr std::size_t count = 4096;
    Integers data(count);
    std::int32_t& value = data[static_cast<std::size_t>(GetParam())];
    value = random().integers(1)[0] | 1;
    const judge::TurnedSigns signs = judge::turned_with(value, random());
    examine(judge::handed_over_with(
        signs, {judge::following_values(parts::several_arrivals),
                common::concat("4096 ints, all but number ", GetParam(), " of them 0"),
                {judge::output("result", judge::tensor({1}, Integers{turned(signs, value)})),
                 judge::input("src", judge::tensor({count}, data)),
                 judge::integer(static_cast<std::int64_t>(count))}}));
  }

  // The number of ints.
  void examine_smallest() {
    if (!wants(parts::work_while_waiting)) GTEST_SKIP();
    const auto count = static_cast<std::size_t>(GetParam());
    const Integers src = random().integers(count);
    const std::int32_t smallest = *std::min_element(src.begin(), src.end());
    const judge::TurnedSigns signs = judge::turned_with(smallest, random());
    Integers dest = src;
    for (std::int32_t& value : dest) value = add(value, smallest);  // minus its negative
    examine(judge::handed_over_with(
        signs, {judge::following_values(parts::work_while_waiting),
                common::counted(count, "int"),
                {judge::output("dest", judge::tensor({count}, dest)),
                 judge::input("src", judge::tensor({count}, src)), judge::integer(GetParam())}}));
  }

  // The same.
  void examine_ping_pong() {
    if (!wants(parts::ping_pong)) GTEST_SKIP();
    const auto count = static_cast<std::size_t>(GetParam());
    constexpr std::size_t tile = 128;
    const Integers src = random().integers(count);
    const judge::TurnedSigns signs = judge::turned_with(src[0], random());
    Integers dest(count);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t begin = i / tile * tile;
      const std::size_t end = std::min(begin + tile, count);
      dest[i] = turned(signs, src[begin + (end - 1 - i)]);
    }
    examine(judge::handed_over_with(
        signs, {judge::following_values(parts::ping_pong),
                common::counted(count, "int"),
                {judge::output("dest", judge::tensor({count}, dest)),
                 judge::input("src", judge::tensor({count}, src)), judge::integer(GetParam())}}));
  }

 private:
  static std::int32_t turned(const judge::TurnedSigns& signs, std::int32_t value) {
    return tmaemu::turned_int(signs.key, value);
  }
};
class Phases : public SplitBarrier {};
class SeveralArrivals : public SplitBarrier {};
class PingPong : public SplitBarrier {};
class PhasesHandedOver : public HandedOver {};
class SumHandedOver : public HandedOver {};
class SmallestHandedOver : public HandedOver {};
class TilesHandedOver : public HandedOver {};

}  // namespace lab2
