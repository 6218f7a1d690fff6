// What the cases of lab5-tensor-ranks are. The cases themselves are in checks.cpp, which students
// have too, and in grader_checks.cpp. Sizes are in the order of tensor maps: innermost first.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab5 {

namespace parts {
#include "checks/lab5-tensor-ranks/parts.def"
}

using Element = SubmissionType;
using enum SubmissionType;
using Sizes = std::vector<int>;

inline std::size_t count_of(const Sizes& sizes) {
  std::size_t count = 1;
  for (const int size : sizes) count *= static_cast<std::size_t>(size);
  return count;
}

// "20x5x3"
inline std::string text_of(const Sizes& sizes, const char* between = "x") {
  std::string text;
  for (const int size : sizes) {
    text += text.empty() ? "" : between;
    text += std::to_string(size);
  }
  return text;
}

// C's order: outermost first.
inline std::vector<std::size_t> shape_of(const Sizes& sizes) {
  return {sizes.rbegin(), sizes.rend()};
}

inline std::string name_of(Element element) {
  return element == float32 ? "float" : element == int32 ? "int" : "bfloat16";
}

inline judge::Tensor drawn(judge::Random& random, Element element, const Sizes& sizes) {
  const std::size_t count = count_of(sizes);
  switch (element) {
    case float32:
      return judge::tensor(shape_of(sizes), random.any_floats(count, judge::Subnormals::left_out));
    case int32:
      return judge::tensor(shape_of(sizes), random.integers(count));
    case bfloat16:
      break;
  }
  return judge::tensor(shape_of(sizes), random.any_bfloat16(count));
}

// A tensor of any rank, copied.
struct Whole {
  Element element;
  Sizes sizes;
};

inline std::string whole_name(const testing::TestParamInfo<Whole>& info) {
  return name_of(info.param.element) + "_" + text_of(info.param.sizes);
}

class CopyBoxes : public judge::CheckWith<Whole> {
 protected:
  void examine_copy() {
    if (!wants(parts::boxes)) GTEST_SKIP();
    const auto& [element, sizes] = GetParam();
    const judge::Tensor src = drawn(random(), element, sizes);
    std::vector<judge::CallArgument> arguments{
        judge::type_argument(element), judge::integer(static_cast<std::int64_t>(sizes.size())),
        judge::copied("dest", src), judge::input("src", src)};
    for (const int size : sizes) arguments.push_back(judge::integer(size));
    examine({parts::boxes,
             name_of(element) + ", " + text_of(sizes, " x "),
             std::move(arguments),
             2 * src.bytes.size(),
             {},
             static_cast<unsigned>(sizes.size())});
  }
};

// A matrix, and the border round it.
struct Border {
  Element element;
  int width, height;
  int columns, rows;  // of the border, on each side
  bool with_nan = false;
};

inline std::string border_name(const testing::TestParamInfo<Border>& info) {
  const auto& [element, width, height, columns, rows, with_nan] = info.param;
  return common::concat(name_of(element), '_', width, 'x', height, "_border_", columns, 'x', rows,
                        with_nan ? "_nan" : "");
}

class PadMatrix : public judge::CheckWith<Border> {
 protected:
  void examine_pad() {
    if (!wants(parts::pad)) GTEST_SKIP();
    const auto& [element, width, height, columns, rows, with_nan] = GetParam();
    const judge::Tensor src = drawn(random(), element, {width, height});
    const Sizes sizes{width + 2 * columns, height + 2 * rows};
    judge::Tensor dest{src.type, shape_of(sizes), {}};
    dest.bytes.resize(count_of(sizes) * judge::size_of(src.type));
    if (with_nan) {
      // The upper bytes of a float's and of a bfloat16's NaN.
      for (std::size_t i = 0; i < dest.bytes.size(); ++i) {
        dest.bytes[i] = std::byte(i % 2 == 0 ? 0xC0 : 0x7F);
      }
    }
    const std::size_t row_bytes = static_cast<std::size_t>(width) * judge::size_of(src.type);
    for (int row = 0; row < height; ++row) {
      const auto begin = static_cast<std::size_t>(row + rows) * sizes[0] + columns;
      std::memcpy(dest.bytes.data() + begin * judge::size_of(src.type),
                  src.bytes.data() + static_cast<std::size_t>(row) * row_bytes, row_bytes);
    }
    examine({parts::pad,
             common::concat(name_of(element), ", ", width, " x ", height, ", border ", columns,
                            " x ", rows, with_nan ? " of NaN" : " of zero"),
             {judge::type_argument(element), judge::output("dest", dest), judge::input("src", src),
              judge::integer(width), judge::integer(height), judge::integer(columns),
              judge::integer(rows), judge::integer(with_nan)},
             src.bytes.size() + dest.bytes.size(),
             {},
             2});
  }
};

// An image of four channels, thinned.
struct Steps {
  int width, height;
  int x, y;
};

inline std::string steps_name(const testing::TestParamInfo<Steps>& info) {
  const auto& [width, height, x, y] = info.param;
  return common::concat(width, 'x', height, "_step_", x, 'x', y);
}

class Subsample : public judge::CheckWith<Steps> {
 protected:
  void examine_subsample() {
    if (!wants(parts::element_strides)) GTEST_SKIP();
    constexpr int channels = 4;
    const auto& [width, height, step_x, step_y] = GetParam();
    const Sizes sizes{channels, width, height};
    const std::vector<float> src =
        random().any_floats(count_of(sizes), judge::Subnormals::left_out);
    std::vector<float> dest;
    for (int y = 0; y < height; y += step_y) {
      for (int x = 0; x < width; x += step_x) {
        const auto pixel = src.begin() + (std::ptrdiff_t{y} * width + x) * channels;
        dest.insert(dest.end(), pixel, pixel + channels);
      }
    }
    const Sizes thinned{channels, (width + step_x - 1) / step_x, (height + step_y - 1) / step_y};
    examine({parts::element_strides,
             common::concat(width, " x ", height, " pixels, step ", step_x, " x ", step_y),
             {judge::copied("dest", judge::tensor(shape_of(thinned), dest)),
              judge::input("src", judge::tensor(shape_of(sizes), src)), judge::integer(width),
              judge::integer(height), judge::integer(step_x), judge::integer(step_y)},
             2 * dest.size() * sizeof(float),
             {},
             2});
  }
};

// Two dimensions of a tensor, and a place in the others.
struct Plane {
  Sizes sizes;
  int columns, rows;  // numbers of dimensions
  Sizes offsets;
};

inline std::string plane_name(const testing::TestParamInfo<Plane>& info) {
  const auto& [sizes, columns, rows, offsets] = info.param;
  return common::concat(text_of(sizes), "_dims_", columns, '_', rows, "_at_",
                        text_of(offsets, "_"));
}

class Slice : public judge::CheckWith<Plane> {
 protected:
  void examine_slice() {
    if (!wants(parts::slices)) GTEST_SKIP();
    const auto& [sizes, columns, rows, offsets] = GetParam();
    const std::vector<float> src =
        random().any_floats(count_of(sizes), judge::Subnormals::left_out);
    std::vector<float> dest;
    Sizes at = offsets;
    for (at[rows] = 0; at[rows] < sizes[rows]; ++at[rows]) {
      for (at[columns] = 0; at[columns] < sizes[columns]; ++at[columns]) {
        std::size_t i = 0;
        for (std::size_t d = sizes.size(); d-- > 0;) i = i * sizes[d] + at[d];
        dest.push_back(src[i]);
      }
    }
    std::vector<judge::CallArgument> arguments{
        judge::integer(static_cast<std::int64_t>(sizes.size())),
        judge::copied("dest", judge::tensor(shape_of({sizes[columns], sizes[rows]}), dest)),
        judge::input("src", judge::tensor(shape_of(sizes), src))};
    for (const int size : sizes) arguments.push_back(judge::integer(size));
    for (const int dimension : {columns, rows}) arguments.push_back(judge::integer(dimension));
    for (const int offset : offsets) arguments.push_back(judge::integer(offset));
    examine({parts::slices,
             common::concat("dimensions ", columns, " and ", rows, " of ", text_of(sizes, " x "),
                            " at ", text_of(offsets, ", ")),
             std::move(arguments),
             dest.size() * sizeof(float),
             {},
             2});
  }
};

// What a stencil adds. All sums are exact in any order.
enum class Values : std::uint8_t { whole, eighths, subnormal, with_infinities };
struct Grid {
  int nx, ny, nz;
  Values values = Values::whole;
};
inline std::string text_of(Values values) {
  switch (values) {
    case Values::whole:
      return "";
    case Values::eighths:
      return ", of eighths";
    case Values::subnormal:
      return ", of the smallest numbers";
    case Values::with_infinities:
      return ", with infinities and NaNs";
  }
  return "";
}

inline std::string grid_name(const testing::TestParamInfo<Grid>& info) {
  return common::concat(info.param.nx, 'x', info.param.ny, 'x', info.param.nz, "_values",
                        static_cast<int>(info.param.values));
}

class Stencil : public judge::CheckWith<Grid> {
 protected:
  std::vector<float> draw(std::size_t count, Values values) {
    const float unit = values == Values::eighths     ? 0x1p-3F
                       : values == Values::subnormal ? 0x1p-140F
                                                     : 1;
    std::vector<float> drawn = random().whole_floats(count, unit);
    if (values != Values::with_infinities) return drawn;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    constexpr float special[] = {infinity, -infinity, std::numeric_limits<float>::quiet_NaN()};
    for (std::size_t i = 0; i < count; i += 1 + random().bits() % 64) drawn[i] = special[i % 3];
    return drawn;
  }

  void examine_stencil() {
    if (!wants(parts::stencil)) GTEST_SKIP();
    const auto [nx, ny, nz, values] = GetParam();
    const Sizes sizes{nx, ny, nz};
    const std::vector<float> src = draw(count_of(sizes), values);
    const auto at = [&, nx = nx, ny = ny, nz = nz](int x, int y, int z) {
      const bool inside = x >= 0 && x < nx && y >= 0 && y < ny && z >= 0 && z < nz;
      return inside ? src[(static_cast<std::size_t>(z) * ny + y) * nx + x] : 0.0F;
    };
    std::vector<float> dest;
    dest.reserve(src.size());
    for (int z = 0; z < nz; ++z) {
      for (int y = 0; y < ny; ++y) {
        for (int x = 0; x < nx; ++x) {
          dest.push_back(at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                         at(x, y, z - 1) + at(x, y, z + 1) - 6 * at(x, y, z));
        }
      }
    }
    examine({parts::stencil,
             text_of(sizes, " x ") + text_of(values),
             {judge::output("dest", judge::tensor(shape_of(sizes), dest)),
              judge::input("src", judge::tensor(shape_of(sizes), src)), judge::integer(nx),
              judge::integer(ny), judge::integer(nz)},
             src.size() * sizeof(float),
             {},
             2});
  }
};

}  // namespace lab5
