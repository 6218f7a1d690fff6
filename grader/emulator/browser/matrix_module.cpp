#include "emulator/browser/matrix_module.h"

#include <cstdint>
#include <vector>

#include "emulator/profile/banks.h"
#include "emulator/tensor/shared_matrix.h"

namespace tmaemu::browser {
namespace {

constexpr std::uint32_t line_bytes = 32;  // 16 elements of k
constexpr std::uint32_t rows_of_core = 8;

MatrixQuestion question;
MatrixAnswer answer;
std::vector<std::uint32_t> units;

// PTX ISA, "Matrix Descriptor Format": offsets and the address without their last four bits.
std::uint64_t bits_of(const MatrixQuestion& asked) {
  const auto field = [](std::uint32_t bytes) { return std::uint64_t{bytes >> 4 & 0x3fff}; };
  return field(asked.start) | field(asked.leading) << 16 | field(asked.stride) << 32 |
         std::uint64_t{asked.base_offset & 7} << 49 | std::uint64_t{asked.swizzle & 3} << 62;
}

// Of 8 lines and the same 8 elements of k.
std::uint32_t wavefronts_of_core(const tensor::SharedMatrix& matrix) {
  std::vector<profile::LaneOffset> offsets;
  for (std::uint32_t row = 0; row < rows_of_core; ++row) {
    const std::uint32_t address =
        matrix.is_transposed() ? matrix.transposed_unit(0, row) : matrix.unit(row, 0);
    offsets.push_back({row, address});
  }
  return profile::count_wavefronts(offsets, tensor::SharedMatrix::unit_bytes,
                                   profile::SharedAccess::store)
      .actual;
}

void answer_question() {
  const std::uint64_t bits = bits_of(question);
  const tensor::MatrixDescriptor descriptor(bits);
  const tensor::SharedMatrix matrix(descriptor, question.is_transposed != 0);
  units.clear();
  matrix.for_each_unit(0, question.lines, line_bytes,
                       [](std::uint32_t address) { units.push_back(address); });
  answer.bits[0] = static_cast<std::uint32_t>(bits);
  answer.bits[1] = static_cast<std::uint32_t>(bits >> 32);
  answer.start = descriptor.start;
  answer.leading = descriptor.leading;
  answer.stride = descriptor.stride;
  answer.base_offset = descriptor.base_offset;
  answer.uses_leading = matrix.uses_leading(question.lines) ? 1 : 0;
  answer.uses_stride = matrix.uses_stride(question.lines) ? 1 : 0;
  answer.wavefronts = wavefronts_of_core(matrix);
  answer.units = static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(units.data()));
  answer.unit_count = static_cast<std::uint32_t>(units.size());
}

}  // namespace

extern "C" {

[[clang::export_name("matrix_question")]] MatrixQuestion* matrix_question() {
  return &question;
}

// The answer's address, anew after each question.
[[clang::export_name("ask_matrix")]] const MatrixAnswer* ask_matrix() {
  answer_question();
  return &answer;
}

}  // extern "C"

}  // namespace tmaemu::browser
