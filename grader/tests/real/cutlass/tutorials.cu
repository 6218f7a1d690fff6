// CuTe's tutorials as the wheel has them, each in a namespace of its own, with our inputs: wgmma
// fed by cp.async, wgmma fed by TMA in clusters, and mma.sync with ldmatrix.
#include <cutlass/arch/barrier.h>
#include <cutlass/arch/mma_sm90.h>
#include <cutlass/device_kernel.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>

#include <cute/tensor.hpp>
#include <cutlass/cluster_launch.hpp>
#include <cutlass/pipeline/sm90_pipeline.hpp>
#include <cutlass/util/GPU_Clock.hpp>
#include <cutlass/util/helper_cuda.hpp>
#include <cutlass/util/print_error.hpp>

#include "cutlass_test.h"

#define main main_of_tutorial
namespace wgmma_sm90 {
#include "cute/tutorial/hopper/wgmma_sm90.cu"
}
namespace wgmma_tma_sm90 {
#include "cute/tutorial/hopper/wgmma_tma_sm90.cu"
}
namespace sgemm_sm80 {
#include "cute/tutorial/sgemm_sm80.cu"
}
#undef main

namespace {

using namespace cutlass_test;
using Half = cute::half_t;

// The tutorials leave no part of a tile over.
constexpr int m = 256, n = 128, k = 320;

// `multiply` is a tutorial's function. C is written in columns; A and B lie along K where the
// letters are TN, and along M and N where they are NT.
template <class Multiply>
void product(Multiply multiply, bool is_tn) {
  const auto a = numbers<Half>(std::size_t{m} * k, 1);
  const auto b = numbers<Half>(std::size_t{n} * k, 2);
  const auto c = numbers<Half>(std::size_t{m} * n, 3);
  const DeviceArray<Half> device_a(a), device_b(b), device_c(c);
  multiply(m, n, k, Half(1.0F), device_a.data(), is_tn ? k : m, device_b.data(), is_tn ? k : n,
           Half(0.5F), device_c.data(), m);
  CHECK_OK(cudaDeviceSynchronize());
  const auto got = device_c.values();
  print_digest(got);

  std::vector<Expected> expected;
  for (int column = 0; column < n; ++column) {
    for (int row = 0; row < m; ++row) {
      double sum = 0.5 * static_cast<float>(c[std::size_t{1} * column * m + row]);
      double size = std::abs(sum);
      for (int i = 0; i < k; ++i) {
        const double term =
            static_cast<double>(static_cast<float>(a[is_tn ? row * k + i : i * m + row])) *
            static_cast<float>(b[is_tn ? column * k + i : i * n + column]);
        sum += term;
        size += std::abs(term);
      }
      expected.push_back({sum, size / 128});  // the sums are of half precision, too
    }
  }
  expect_near(got, expected);
}

// Of a tutorial's overloads and templates, the one for these arguments.
#define TUTORIAL(name, is_tn) [] { product([](auto... arguments) { name(arguments...); }, is_tn); }

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv,
             {{"tutorial_wgmma_sm90_nt", TUTORIAL(wgmma_sm90::gemm_nt, false)},
              {"tutorial_wgmma_sm90_tn", TUTORIAL(wgmma_sm90::gemm_tn, true)},
              {"tutorial_wgmma_tma_sm90_nt", TUTORIAL(wgmma_tma_sm90::gemm_nt, false)},
              {"tutorial_wgmma_tma_sm90_tn", TUTORIAL(wgmma_tma_sm90::gemm_tn, true)},
              {"tutorial_sgemm_sm80_tn", TUTORIAL(sgemm_sm80::gemm_tn, true)}});
}
