// What a case of lab6-memcpy is: memory that is somewhere else afterward, bit for bit. The cases
// themselves are in checks.cpp, which students have too, and in grader_checks.cpp.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "judge/arrays/lengths.h"
#include "judge/cases/parts.h"
#include "judge/session/check.h"

namespace lab6 {

namespace parts {
#include "checks/lab6-memcpy/parts.def"
}

inline judge::CallArgument source(judge::Tensor contents, std::size_t misalignment) {
  return judge::BufferArgument{"src", contents, contents, true, misalignment, {}};
}

inline judge::CallArgument destination(judge::Tensor expected, std::size_t misalignment) {
  judge::Tensor before = judge::poison(expected.type, expected.shape);
  judge::BufferArgument made{"dest", std::move(before), std::move(expected),
                             false,  misalignment,      {}};
  made.nans = judge::Nans::bit_for_bit;
  return made;
}

// A number of bfloat16 elements, between arrays that are as far past an address of cudaMalloc's.
struct Elements {
  std::size_t count;
  std::size_t misalignment = 0;  // a multiple of 16
};

inline std::string name_of_elements(const testing::TestParamInfo<Elements>& info) {
  return common::concat(info.param.count, info.param.misalignment == 0 ? "" : "_aligned_to_16");
}

class TmaCopy : public judge::CheckWith<Elements> {
 protected:
  void examine_copy() {
    if (!wants(parts::tma_copy)) GTEST_SKIP();
    const auto [count, misalignment] = GetParam();
    const judge::Tensor src = judge::tensor({count}, random().any_bfloat16(count));
    const std::size_t by_tma = src.bytes.size() / 16 * 16;  // whole vectors
    examine({parts::tma_copy,
             common::counted(count, "element") +
                 (misalignment == 0 ? "" : ", aligned to 16 bytes only"),
             judge::arguments(destination(src, misalignment), source(src, misalignment),
                              judge::integer(static_cast<std::int64_t>(count))),
             by_tma});
  }
};

// A number of bytes, and how far past a multiple of 16 they go and come from.
struct Bytes {
  std::size_t count;
  std::size_t dest = 0;
  std::size_t src = 0;
};

inline std::string name_of_bytes(const testing::TestParamInfo<Bytes>& info) {
  const auto [count, dest, src] = info.param;
  return common::concat(count, "_to_", dest, "_from_", src);
}

class Memcpy : public judge::CheckWith<Bytes> {
 protected:
  void examine_memcpy() {
    if (!wants(parts::memcpy)) GTEST_SKIP();
    const auto [count, dest_offset, src_offset] = GetParam();
    std::vector<std::uint8_t> bytes(count);
    random().fill(reinterpret_cast<std::byte*>(bytes.data()), count);
    const judge::Tensor src = judge::tensor({count}, bytes);
    // Between addresses that are equally far from a multiple of 16: all whole vectors.
    const std::size_t head = std::min(count, (16 - src_offset) % 16);
    const std::size_t by_tma = dest_offset == src_offset ? (count - head) / 16 * 16 : 0;
    examine({parts::memcpy,
             common::concat(common::counted(count, "byte"), ", src % 16 = ", src_offset,
                            ", dest % 16 = ", dest_offset),
             judge::arguments(destination(src, dest_offset), source(src, src_offset),
                              judge::integer(static_cast<std::int64_t>(count))),
             by_tma});
  }
};

// A number of bytes of which no array has memory of its own, between aligned addresses.
class LargeMemcpy : public judge::LongCases<judge::CheckWith<std::size_t>> {
 protected:
  void examine_memcpy() {
    if (!wants(parts::memcpy)) GTEST_SKIP();
    const std::size_t count = GetParam();
    std::vector<std::uint8_t> bytes(judge::repeated_bytes);
    random().fill(reinterpret_cast<std::byte*>(bytes.data()), bytes.size());
    examine(judge::RepeatedCopy{
        parts::memcpy,
        common::concat(common::counted(count, "byte"), ", src % 16 = 0, dest % 16 = 0"),
        judge::tensor({bytes.size()}, bytes), count, static_cast<std::int64_t>(count),
        count / 16 * 16});
  }
};

}  // namespace lab6
