// What a program describes a product to cublasLt with. The program may have it in memory of its
// own, of a size that the header says (cublasLtMatmulDescOpaque_t): so it holds no more than that,
// and is copied as it is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tmaemu::runtime {

struct MatrixLayout {
  int type = 0;   // cudaDataType
  int order = 0;  // cublasLtOrder_t
  std::uint64_t rows = 0, columns = 0;
  std::int64_t leading = 0;
  int batch_count = 1;
  unsigned batch_mode = 0;  // cublasLtBatchMode_t
  std::int64_t batch_stride = 0;
  std::int64_t plane_offset = 0;
};

struct MatmulDescription {
  int compute = 0;  // cublasComputeType_t
  int scale = 0;    // cudaDataType
  int pointer_mode = 0;
  int transpose_a = 0, transpose_b = 0, transpose_c = 0;
  int fill_mode = 2;      // CUBLAS_FILL_MODE_FULL
  unsigned epilogue = 1;  // CUBLASLT_EPILOGUE_DEFAULT
  int bias_type = -1;     // cudaDataType, or -1: as the matrices are
  int sm_count_target = 0;
  std::int8_t fast_accumulation = 0;
  std::uint64_t bias = 0;
  std::int64_t bias_batch_stride = 0;
  std::array<std::uint64_t, 4> scales{};  // of A, B, C, D
  std::array<int, 4> scale_modes{};       // cublasLtMatmulMatrixScale_t
  std::uint64_t largest = 0;
};

struct MatmulPreference {
  unsigned search_mode = 0;
  unsigned reduction_schemes = ~0u;
  std::uint64_t most_workspace = 0;
  std::array<unsigned, 4> least_alignments{256, 256, 256, 256};
  float most_waves = 0;
  std::uint64_t implementations = ~std::uint64_t{0};
};

// How large cublasLt.h makes them, in bytes.
template <class Description>
inline constexpr std::size_t opaque_size = 64;
template <>
inline constexpr std::size_t opaque_size<MatmulDescription> = 256;

static_assert(sizeof(MatrixLayout) <= opaque_size<MatrixLayout>);
static_assert(sizeof(MatmulDescription) <= opaque_size<MatmulDescription>);
static_assert(sizeof(MatmulPreference) <= opaque_size<MatmulPreference>);
static_assert(std::is_trivially_copyable_v<MatmulDescription>);

}  // namespace tmaemu::runtime
