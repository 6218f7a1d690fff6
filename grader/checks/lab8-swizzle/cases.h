// What a case of lab8-swizzle is: a tile that comes out of its swizzle as it went in, or a matrix
// that comes out transposed. The cases themselves are in checks.cpp, which students have too, and
// in grader_checks.cpp.
#pragma once

#include <string>
#include <vector>

#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab8 {

namespace parts {
#include "checks/lab8-swizzle/parts.def"
}

struct SwizzledTile {
  int rows;
  int columns;  // bytes; the swizzle's, too
  int offset;   // lines of 128 bytes past the array's beginning
};

enum class SwizzleBytes { implied, named };

class Swizzle : public judge::CheckWith<SwizzledTile> {
 protected:
  void examine_swizzle(const judge::Part& part, SwizzleBytes swizzle_bytes) {
    if (!wants(part)) GTEST_SKIP();
    const auto [rows, columns, offset] = GetParam();
    const std::vector<std::size_t> shape{static_cast<std::size_t>(rows),
                                         static_cast<std::size_t>(columns)};
    std::vector<std::uint8_t> bytes(shape[0] * shape[1]);
    random().fill(reinterpret_cast<std::byte*>(bytes.data()), bytes.size());
    const judge::Tensor tile = judge::tensor(shape, bytes);
    // The template arguments come first, then src and dest.
    std::vector<judge::CallArgument> arguments{judge::integer(rows), judge::integer(columns),
                                               judge::integer(offset)};
    if (swizzle_bytes == SwizzleBytes::named) arguments.push_back(judge::integer(columns));
    arguments.push_back(judge::input("src", tile));
    arguments.push_back(judge::output("dest", tile));
    examine({part, common::concat(rows, " x ", columns, " bytes, offset ", offset),
             std::move(arguments), bytes.size()});
  }
};

inline std::string tile_name(const testing::TestParamInfo<SwizzledTile>& info) {
  return common::concat(info.param.rows, 'x', info.param.columns, "_offset_", info.param.offset);
}

class Swizzle64 : public Swizzle {};
class Swizzle32And128 : public Swizzle {};

using Element = SubmissionType;
using enum SubmissionType;

struct Matrix {
  Element type;
  std::size_t rows;
  std::size_t columns;
};

inline const char* type_name(Element type) {
  return type == float32 ? "float" : "bf16";
}

inline std::string matrix_name(const testing::TestParamInfo<Matrix>& info) {
  return common::concat(type_name(info.param.type), '_', info.param.rows, 'x', info.param.columns);
}

class Transposed : public judge::CheckWith<Matrix> {
 protected:
  enum class Way { tma, any };

  void examine_transpose(const judge::Part& part, Way way) {
    if (!wants(part)) GTEST_SKIP();
    if (GetParam().type == float32) {
      examine_elements(part, way, random().any_floats(count(), judge::Subnormals::left_out));
    } else {
      examine_elements(part, way, random().any_bfloat16(count()));
    }
  }

 private:
  std::size_t count() const { return GetParam().rows * GetParam().columns; }

  template <class T>
  void examine_elements(const judge::Part& part, Way way, const std::vector<T>& src) {
    const auto [type, rows, columns] = GetParam();
    std::vector<T> dest(src.size());
    for (std::size_t i = 0; i < src.size(); ++i) dest[i % columns * rows + i / columns] = src[i];
    examine({part,
             common::concat(type_name(type), ' ', rows, " x ", columns),
             {judge::type_argument(type), judge::input("src", judge::tensor({rows, columns}, src)),
              judge::copied("dest", judge::tensor({columns, rows}, dest)),
              judge::integer(static_cast<std::int64_t>(rows)),
              judge::integer(static_cast<std::int64_t>(columns))},
             way == Way::tma ? src.size() * sizeof(T) : 0});
  }
};

class Transpose : public Transposed {};
class AnyShape : public Transposed {};

}  // namespace lab8
