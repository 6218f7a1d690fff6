#include "judge/compare/geometry.h"

#include <gtest/gtest.h>

#include <functional>

namespace {

using judge::compare;
using judge::Tensor;
using judge::tensor;

constexpr std::size_t rows = 16;
constexpr std::size_t columns = 32;

// Numbers of which no two are equal, and none is 0.
std::vector<std::int32_t> numbers(std::size_t count) {
  std::vector<std::int32_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<std::int32_t>(1000 + 7 * i);
  return values;
}

// What is said of a matrix whose element i holds `value_of(expected, i)`.
using Value = std::function<std::int32_t(const std::vector<std::int32_t>&, std::size_t)>;
std::string said_of(const std::vector<std::size_t>& shape, const Value& value_of,
                    const std::vector<std::int32_t>* before = nullptr) {
  std::size_t size = 1;
  for (const std::size_t side : shape) size *= side;
  const std::vector<std::int32_t> right = numbers(size);
  std::vector<std::int32_t> values(size);
  for (std::size_t i = 0; i < size; ++i) values[i] = value_of(right, i);
  const Tensor expected = tensor(shape, right);
  const Tensor got = tensor(shape, values);
  const Tensor old = before == nullptr ? Tensor{} : tensor(shape, *before);
  return judge::geometry_of(compare(expected, got), "out", expected, got,
                            before == nullptr ? nullptr : &old);
}

TEST(Geometry, NamesTheBoxThatTheWrongElementsFill) {
  const std::string said = said_of({rows, columns}, [](const auto& right, std::size_t i) {
    const bool is_inside = i / columns >= 8 && i % columns < 4;
    return is_inside ? -static_cast<std::int32_t>(i) - 1 : right[i];
  });
  EXPECT_EQ(said, "they fill out[8..15][0..3]");
}

TEST(Geometry, NamesNoBoxWithHoles) {
  const std::string said = said_of({64}, [](const auto& right, std::size_t i) {
    return i % 2 == 0 ? -static_cast<std::int32_t>(i) - 1 : right[i];
  });
  EXPECT_EQ(said, "");
}

TEST(Geometry, SaysHowFarAwayTheValuesBelong) {
  const std::string said = said_of({64}, [](const auto& right, std::size_t i) {
    return i >= 16 && i < 32 ? right[i - 16] : right[i];
  });
  EXPECT_EQ(said, "they fill out[16..31]; each holds what belongs at out[i - 16]");
}

TEST(Geometry, SaysItByRowsAndColumns) {
  const std::string said = said_of({rows, columns}, [](const auto& right, std::size_t i) {
    return i / columns < 4 ? right[i + 8 * columns - 2 * (i % columns >= 2 ? 1 : 0)] : right[i];
  });
  EXPECT_EQ(said, "they fill out[0..3][0..31]");  // two distances are none
  const std::string one = said_of({rows, columns}, [](const auto& right, std::size_t i) {
    return i / columns < 4 && i % columns >= 2 ? right[i + 8 * columns - 2] : right[i];
  });
  EXPECT_EQ(one, "they fill out[0..3][2..31]; each holds what belongs at out[i + 8][j - 2]");
}

TEST(Geometry, KnowsAMatrixThatWasNotTransposed) {
  const std::string said = said_of({rows, rows}, [](const auto& right, std::size_t i) {
    return right[i % rows * rows + i / rows];
  });
  EXPECT_EQ(said, "right values, transposed: each holds what belongs at out[j][i]");
}

TEST(Geometry, KnowsATransposedMatrixAlsoWhereItIsNotSquare) {
  const std::string said = said_of({rows, columns}, [](const auto& right, std::size_t i) {
    return right[i % rows * columns + i / rows];
  });
  EXPECT_EQ(said,
            "right values, transposed: what lies at out[j * 16 + i], counted from its beginning, "
            "belongs at [i * 32 + j]");
}

TEST(Geometry, KnowsTilesWhoseCoordinatesWereExchanged) {
  constexpr std::size_t height = 4, width = 8;
  const std::string said = said_of({rows, columns}, [](const auto& right, std::size_t i) {
    const std::size_t y = i / columns, x = i % columns;
    const std::size_t from_y = x / width * width + y % height;
    const std::size_t from_x = y / height * height + x % width;
    return from_y < rows && from_x < columns ? right[from_y * columns + from_x] : 0;
  });
  EXPECT_NE(said.find("right values at exchanged coordinates: the tile of 4 x 8 at row r, column c "
                      "holds what belongs at row c, column r"),
            std::string::npos)
      << said;
}

TEST(Geometry, KnowsZeros) {
  EXPECT_EQ(said_of({64}, [](const auto&, std::size_t) { return 0; }), "each of them is 0");
}

TEST(Geometry, KnowsWhatWasThereBefore) {
  const std::vector<std::int32_t> before(64, 3);
  const auto unchanged = [](const auto& right, std::size_t i) { return i < 32 ? right[i] : 3; };
  EXPECT_EQ(said_of({64}, unchanged, &before),
            "they fill out[32..63]; each holds what was there before the launch");
}

TEST(Geometry, KnowsWhatWasThereBeforeAlsoOfASingleInt) {
  const std::vector<std::int32_t> before(64, 3);
  const auto first = [](const auto& right, std::size_t i) { return i == 0 ? 3 : right[i]; };
  EXPECT_EQ(said_of({64}, first, &before), "it holds what was there before the launch");
}

TEST(Geometry, KnowsRowsInAnotherOrder) {
  const std::string said = said_of({rows, columns}, [](const auto& right, std::size_t i) {
    return right[i ^ ((i / columns) % 8 * 4)];
  });
  EXPECT_EQ(said, "each row holds its own values, in another order");
}

TEST(Geometry, SaysNothingOfAFewElements) {
  EXPECT_EQ(said_of({64}, [](const auto& right, std::size_t i) { return i < 3 ? 0 : right[i]; }),
            "");
}

}  // namespace
