// What a case of lab8-swizzle is: a tile that comes out of its swizzle as it went in, or a matrix
// that comes out transposed. The cases themselves are in checks.cpp, which students have too, and
// in grader_checks.cpp.
#pragma once

#include <string>
#include <vector>

#include "checks/lab8-swizzle/swizzled_tiles.h"
#include "judge/check.h"

namespace lab8 {

inline constexpr judge::Part kSwizzle64{
    "swizzle-64",
    "template<int TILE_M, int TILE_N, int OFFSET> void launch_tma_swizzle(uint8_t *src, uint8_t "
    "*dest)"};
inline constexpr judge::Part kSwizzle32And128{
    "swizzle-32-128",
    "template<int TILE_M, int TILE_N, int OFFSET, int SWIZZLE_BYTES> void "
    "launch_tma_swizzle(uint8_t *src, uint8_t *dest)"};
inline constexpr const char* kLaunchTranspose =
    "template<typename T> void launch_transpose(const T *src, T *dest, int rows, int columns)";
inline constexpr judge::Part kTranspose{"transpose", kLaunchTranspose};
inline constexpr judge::Part kAnyShape{"any-shape", kLaunchTranspose};

class Swizzle : public judge::CheckWith<SwizzledTile> {
 protected:
  void examine_swizzle(const judge::Part& part) {
    const auto [rows, columns, offset] = GetParam();
    const std::vector<std::size_t> shape{static_cast<std::size_t>(rows),
                                         static_cast<std::size_t>(columns)};
    std::vector<std::uint8_t> bytes(shape[0] * shape[1]);
    random().fill(reinterpret_cast<std::byte*>(bytes.data()), bytes.size());
    const judge::Tensor tile = judge::tensor(shape, bytes);
    // The template arguments come first, then src and dest.
    examine({part,
             judge::concat(rows, " x ", columns, " bytes, offset ", offset),
             {judge::integer(rows), judge::integer(columns), judge::integer(offset),
              judge::input("src", tile), judge::output("dest", tile)},
             bytes.size()});
  }
};

inline std::string tile_name(const testing::TestParamInfo<SwizzledTile>& info) {
  return judge::concat(info.param.rows, 'x', info.param.columns, "_offset_", info.param.offset);
}

class Swizzle64 : public Swizzle {};
class Swizzle32And128 : public Swizzle {};

struct Matrix {
  judge::ElementType type;
  std::size_t rows;
  std::size_t columns;
};

inline constexpr judge::ElementType kFloat = judge::ElementType::kFloat32;
inline constexpr judge::ElementType kBfloat16 = judge::ElementType::kBfloat16;

inline const char* type_name(judge::ElementType type) {
  return type == kFloat ? "float" : "bf16";
}

inline std::string matrix_name(const testing::TestParamInfo<Matrix>& info) {
  return judge::concat(type_name(info.param.type), '_', info.param.rows, 'x', info.param.columns);
}

class Transposed : public judge::CheckWith<Matrix> {
 protected:
  enum class Way { kTma, kAny };

  void examine_transpose(const judge::Part& part, Way way) {
    if (GetParam().type == kFloat) {
      examine_elements(part, way, random().floats(count()));
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
    // The size of an element stands for T.
    examine({part,
             judge::concat(type_name(type), ' ', rows, " x ", columns),
             {judge::integer(sizeof(T)), judge::input("src", judge::tensor({rows, columns}, src)),
              judge::output("dest", judge::tensor({columns, rows}, dest)),
              judge::integer(static_cast<std::int64_t>(rows)),
              judge::integer(static_cast<std::int64_t>(columns))},
             way == Way::kTma ? src.size() * sizeof(T) : 0});
  }
};

class Transpose : public Transposed {};
class AnyShape : public Transposed {};

}  // namespace lab8
