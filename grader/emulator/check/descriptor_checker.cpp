#include "emulator/check/descriptor_checker.h"

#include <string>
#include <utility>

#include "contract/findings/sentences.h"
#include "emulator/check/lanes.h"
#include "emulator/check/matrix_step.h"
#include "emulator/check/operations.h"
#include "emulator/memory/address_space.h"

namespace tmaemu::check {
namespace {

constexpr std::size_t most_laid_tiles = 1024;
constexpr std::uint32_t rows_of_atom = 8;

std::string name_of_swizzle(std::uint32_t bytes) {
  return bytes == 0 ? "without swizzle" : "with a swizzle of " + std::to_string(bytes) + " bytes";
}

}  // namespace

void DescriptorChecker::issue(const events::Bulk& bulk) {
  if (bulk.kind != BulkKind::global_to_shared || !bulk.is_tensor) return;
  if (tiles_.size() == most_laid_tiles) tiles_.erase(tiles_.begin());
  tiles_[number_of(bulk)] = {bulk.swizzle_bytes, bulk.row_bytes, bulk.site, bulk.thread};
}

void DescriptorChecker::issue(const events::WarpgroupProduct& product) {
  if (product.a != nullptr) check_offsets(product, *product.a, "A");
  if (product.b != nullptr) check_offsets(product, *product.b, "B");
  if (tiles_.empty()) return;
  if (product.a != nullptr) check(product, *product.a);
  if (product.b != nullptr) check(product, *product.b);
}

// Whoever wrote what lies there.
void DescriptorChecker::check_offsets(const events::WarpgroupProduct& product,
                                      const events::MatrixInShared& matrix, const char* name) {
  const bool overlaps = overlaps_itself(matrix);
  if (!overlaps && !meets_itself(matrix)) return;
  Finding finding = state_.finding(
      overlaps ? Sentence::matrix_overlaps_itself : Sentence::matrix_meets_itself, product.site,
      thread_of(product.warp, 0), {name, matrix.leading, matrix.stride});
  finding.bytes = SharedBytes{shared_offset(matrix.start), bytes_of_unit};
  state_.report(std::move(finding));
}

// What lies there was written by the load, and by nobody since.
void DescriptorChecker::check(const events::WarpgroupProduct& product,
                              const events::MatrixInShared& matrix) {
  const PastAccess* const writer = accesses_.writer_of(matrix.start);
  const auto tile = writer == nullptr ? tiles_.end() : tiles_.find(writer->operation());
  if (tile == tiles_.end()) return;
  auto mismatch = find_mismatch(tile->second, matrix);
  if (!mismatch) return;
  Values values{"shared memory"};
  values.insert(values.end(), mismatch->values.begin(), mismatch->values.end());
  Finding finding = state_.finding(mismatch->sentence, product.site, thread_of(product.warp, 0),
                                   std::move(values));
  finding.bytes = SharedBytes{shared_offset(matrix.start), bytes_of_unit};
  state_.report(std::move(finding), state_.note(NoteSentence::load_issued_here, tile->second.site,
                                                tile->second.thread));
}

std::optional<DescriptorChecker::Mismatch> DescriptorChecker::find_mismatch(
    const Tile& tile, const events::MatrixInShared& matrix) {
  if (tile.swizzle != matrix.swizzle_bytes) {
    return Mismatch{Sentence::matrix_of_another_swizzle,
                    {name_of_swizzle(matrix.swizzle_bytes), name_of_swizzle(tile.swizzle)}};
  }
  if (tile.swizzle == 0) {
    if (tile.row_bytes == 0 || tile.row_bytes == bytes_of_unit) return std::nullopt;
    return Mismatch{Sentence::matrix_of_wide_rows, {tile.row_bytes}};
  }
  const std::uint32_t pattern = tile.swizzle / bytes_of_unit;  // is one of so many
  if (matrix.base_offset % pattern != 0) {
    return Mismatch{Sentence::matrix_with_base_offset, {matrix.base_offset, tile.swizzle}};
  }
  const std::uint32_t atom = rows_of_atom * tile.swizzle;
  const auto of_offset = [&](const char* name, std::uint32_t offset) {
    return Mismatch{Sentence::matrix_of_other_strides, {name, offset, atom, tile.swizzle}};
  };
  if (matrix.uses_stride && matrix.stride % atom != 0) {
    return of_offset("stride dimension byte offset", matrix.stride);
  }
  if (matrix.uses_leading && matrix.leading % atom != 0) {
    return of_offset("leading dimension byte offset", matrix.leading);
  }
  return std::nullopt;
}

}  // namespace tmaemu::check
