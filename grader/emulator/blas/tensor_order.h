// In which order cuBLAS has the matrix units sum, as seen on an H200 with cuBLAS 13.1. How it comes
// to that is not documented, and depends on types, sizes and addresses.
#pragma once

#include "emulator/blas/gemm.h"

namespace tmaemu::blas {

// Whether a GPU's matrix units multiply the product's factors, and round what they sum.
bool is_for_tensor_sums(const Gemm& gemm);

// Which of the k steps come first, before the rest in instructions of full length.
std::size_t first_steps(const Gemm& gemm);

// Whether the kernel is one of Hopper's own, whose factors TMA loads. That D's lines can be stored
// by TMA is not asked.
bool has_hopper_kernel(const Gemm& gemm);

// Whether several CTAs make the sum of an element of D, and another kernel adds what they have.
bool has_split_sums(const Gemm& gemm);

// How many steps at most make a sum in the matrix units. An ordinary addition in f32 adds these
// sums, one after the other.
std::size_t steps_of_a_sum(const Gemm& gemm);

}  // namespace tmaemu::blas
