// D = activation(A * B + C / 2) by what CUTLASS's builders make for sm_90: a main loop, an epilogue
// and a scheduler of tiles. A form is a struct that says how it differs from Form.
#pragma once

#include <cutlass/cutlass.h>
#include <cutlass/epilogue/thread/activation.h>
#include <cutlass/gemm/device/gemm_universal_adapter.h>

#include <cute/tensor.hpp>
#include <cutlass/epilogue/collective/collective_builder.hpp>
#include <cutlass/gemm/collective/collective_builder.hpp>
#include <cutlass/gemm/kernel/gemm_universal.hpp>
#include <cutlass/gemm/kernel/tile_scheduler.hpp>
#include <cutlass/util/packed_stride.hpp>

#include "product.h"

namespace cutlass_test {

using namespace cute;

struct Form {
  using A = cutlass::half_t;
  using B = cutlass::half_t;
  using Sum = float;
  using C = cutlass::half_t;
  using D = cutlass::half_t;
  using LayoutA = Row;  // "T" of "TN", in the words of BLAS
  using LayoutB = Column;
  using LayoutD = Row;
  using Tile = Shape<_128, _128, _64>;
  using Cluster = Shape<_1, _1, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecialized;
  using Epilogue = cutlass::epilogue::TmaWarpSpecialized;
  using Scheduler = cutlass::gemm::PersistentScheduler;
  using Fusion = cutlass::epilogue::fusion::LinearCombination<D, float, C, float>;
  static constexpr int align_a = 16 / sizeof(A), align_b = 16 / sizeof(B);
  // Two tiles and a part of one each way, so that edges are cut off.
  static constexpr int m = 264, n = 272, k = 160, batches = 1;
  static constexpr float beta = 0.5F;
  // Of a sum's terms: what the type of the result, and of the partial sums, cannot hold.
  static constexpr double precision = 1.0 / 1024;
  static double activation(double x) { return x; }
  template <class Arguments>
  static void adjust(Arguments&) {}
};

template <class F>
struct KernelOf {
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, typename F::Tile, typename F::Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, typename F::Sum, float, typename F::C,
      typename F::LayoutD, 16 / sizeof(typename F::C), typename F::D, typename F::LayoutD,
      16 / sizeof(typename F::D), typename F::Epilogue, typename F::Fusion>::CollectiveOp;
  using MainLoop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, typename F::A, typename F::LayoutA,
      F::align_a, typename F::B, typename F::LayoutB, F::align_b, typename F::Sum, typename F::Tile,
      typename F::Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      typename F::MainLoop>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<Shape<int, int, int, int>, MainLoop, Epilogue,
                                                      typename F::Scheduler>;
};

template <class F>
void gemm() {
  using Kernel = typename KernelOf<F>::Kernel;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
  const std::size_t all = std::size_t{F::m} * F::n * F::batches;
  const auto a = numbers<typename F::A>(std::size_t{F::m} * F::k * F::batches, 1);
  const auto b = numbers<typename F::B>(std::size_t{F::n} * F::k * F::batches, 2);
  const auto c = numbers<typename F::C>(all, 3);
  const DeviceArray<typename F::A> device_a(a);
  const DeviceArray<typename F::B> device_b(b);
  const DeviceArray<typename F::C> device_c(c);
  const DeviceArray<typename F::D> device_d(all);

  const auto stride = [](auto of, int rows, int columns) {
    return cutlass::make_cute_packed_stride(of, {rows, columns, F::batches});
  };
  typename Gemm::Arguments arguments{
      cutlass::gemm::GemmUniversalMode::kGemm,
      {F::m, F::n, F::k, F::batches},
      {device_a.data(), stride(typename Kernel::StrideA{}, F::m, F::k), device_b.data(),
       stride(typename Kernel::StrideB{}, F::n, F::k)},
      {{1.0F, F::beta},
       device_c.data(),
       stride(typename Kernel::StrideC{}, F::m, F::n),
       device_d.data(),
       stride(typename Kernel::StrideD{}, F::m, F::n)}};
  F::adjust(arguments);

  Gemm gemm;
  const DeviceArray<char> workspace(Gemm::get_workspace_size(arguments));
  CHECK(gemm.can_implement(arguments) == cutlass::Status::kSuccess);
  CHECK(gemm.initialize(arguments, workspace.data()) == cutlass::Status::kSuccess);
  CHECK(gemm.run() == cutlass::Status::kSuccess);
  CHECK_OK(cudaDeviceSynchronize());

  const auto d = device_d.values();
  print_digest(d);
  std::vector<Expected> expected;
  for (std::size_t i = 0; i < F::batches; ++i) {
    expect_product<F>(F::m, F::n, F::k, &a[i * F::m * F::k], &b[i * F::n * F::k],
                      &c[i * F::m * F::n], expected);
  }
  expect_near(d, expected);
}

template <class F>
Case case_of(const char* name) {
  return {name, gemm<F>};
}

}  // namespace cutlass_test
