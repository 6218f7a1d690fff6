// What the judge calls of cublasLt, as its manual and its header declare it: the header is not
// among what a machine needs to grade. cuBLAS documentation, "Using the cuBLASLt API".
#pragma once

#include <cuda_runtime_api.h>
#include <library_types.h>

#include <cstddef>
#include <cstdint>

namespace judge::cublas_lt {

using Status = int;  // cublasStatus_t: 0 is success
using Handle = struct HandleContents*;
using Description = struct DescriptionContents*;
using Layout = struct LayoutContents*;
using Preference = struct PreferenceContents*;

struct Algorithm {  // cublasLtMatmulAlgo_t
  std::uint64_t data[8];
};
struct Heuristic {  // cublasLtMatmulHeuristicResult_t
  Algorithm algorithm;
  std::size_t workspace_bytes;
  Status state;
  float waves;
  int reserved[4];
};

inline constexpr int compute_32f = 68;          // CUBLAS_COMPUTE_32F
inline constexpr int transposed = 1;            // CUBLAS_OP_T
inline constexpr int description_trans_a = 3;   // CUBLASLT_MATMUL_DESC_TRANSA
inline constexpr int preference_workspace = 1;  // CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES

struct Functions {
  Status (*create)(Handle*);
  Status (*destroy)(Handle);
  Status (*create_description)(Description*, int compute, cudaDataType scale);
  Status (*set_description)(Description, int attribute, const void* value, std::size_t bytes);
  Status (*create_layout)(Layout*, cudaDataType, std::uint64_t rows, std::uint64_t columns,
                          std::int64_t leading);
  Status (*create_preference)(Preference*);
  Status (*set_preference)(Preference, int attribute, const void* value, std::size_t bytes);
  Status (*find)(Handle, Description, Layout a, Layout b, Layout c, Layout d, Preference, int asked,
                 Heuristic*, int* found);
  Status (*multiply)(Handle, Description, const void* alpha, const void* a, Layout, const void* b,
                     Layout, const void* beta, const void* c, Layout, void* d, Layout,
                     const Algorithm*, void* workspace, std::size_t workspace_bytes, cudaStream_t);
};

}  // namespace judge::cublas_lt
