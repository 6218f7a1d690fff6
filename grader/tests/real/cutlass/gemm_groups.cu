// Products whose matrices lie anywhere: arrays of pointers to those of one size, and groups of
// products each of its own size, whose tensor maps the kernel changes as it goes.
#include <cutlass/gemm/group_array_problem_shape.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "gemm_sm90.cuh"

namespace {

using namespace cutlass_test;

struct Arrays : Form {
  using Problem = cutlass::gemm::ArrayProblemShape<Shape<int, int, int, int>>;
  using MainLoop = cutlass::gemm::KernelPtrArrayTmaWarpSpecializedCooperative;
  using Epilogue = cutlass::epilogue::PtrArrayTmaWarpSpecializedCooperative;
};
struct Groups : Form {
  using Problem = cutlass::gemm::GroupProblemShape<Shape<int, int, int>>;
  using Tile = Shape<_64, _128, _64>;
  using MainLoop = cutlass::gemm::KernelPtrArrayTmaWarpSpecializedPingpong;
  using Epilogue = cutlass::epilogue::PtrArrayTmaWarpSpecializedPingpong;
};
struct GroupsOfE4m3 : Groups {
  using A = cutlass::float_e4m3_t;
  using B = A;
  using Tile = Shape<_128, _128, _128>;
  using Cluster = Shape<_2, _1, _1>;
  using MainLoop = cutlass::gemm::KernelPtrArrayTmaWarpSpecializedCooperativeFP8FastAccum;
  using Epilogue = cutlass::epilogue::PtrArrayTmaWarpSpecializedCooperative;
  static constexpr int align_a = 16, align_b = 16;
  static constexpr double precision = 1.0 / 128;
};

template <class F>
constexpr bool is_grouped = rank_v<typename F::Problem::UnderlyingProblemShape> == 3;

template <class F>
struct PointerKernel {
  // A pointer says that each product has strides of its own.
  template <class Layout>
  using Passed = std::conditional_t<is_grouped<F>, Layout*, Layout>;
  using Epilogue = typename cutlass::epilogue::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, typename F::Tile, typename F::Cluster,
      cutlass::epilogue::collective::EpilogueTileAuto, float, float, typename F::C,
      Passed<typename F::LayoutD>, 8, typename F::D, Passed<typename F::LayoutD>, 8,
      typename F::Epilogue, typename F::Fusion>::CollectiveOp;
  using MainLoop = typename cutlass::gemm::collective::CollectiveBuilder<
      cutlass::arch::Sm90, cutlass::arch::OpClassTensorOp, typename F::A,
      Passed<typename F::LayoutA>, F::align_a, typename F::B, Passed<typename F::LayoutB>,
      F::align_b, float, typename F::Tile, typename F::Cluster,
      cutlass::gemm::collective::StageCountAutoCarveout<static_cast<int>(
          sizeof(typename Epilogue::SharedStorage))>,
      typename F::MainLoop>::CollectiveOp;
  using Kernel = cutlass::gemm::kernel::GemmUniversal<typename F::Problem, MainLoop, Epilogue>;
};

struct Size {
  int m, n, k;
};

// One of several products: its matrices on both sides, and where D is to be.
template <class F>
struct Product {
  Product(const Size& size, unsigned seed)
      : size(size),
        a(numbers<typename F::A>(std::size_t{1} * size.m * size.k, seed)),
        b(numbers<typename F::B>(std::size_t{1} * size.n * size.k, seed + 1)),
        c(numbers<typename F::C>(std::size_t{1} * size.m * size.n, seed + 2)),
        device_a(a),
        device_b(b),
        device_c(c),
        device_d(c.size()) {}

  Size size;
  std::vector<typename F::A> a;
  std::vector<typename F::B> b;
  std::vector<typename F::C> c;
  DeviceArray<typename F::A> device_a;
  DeviceArray<typename F::B> device_b;
  DeviceArray<typename F::C> device_c;
  DeviceArray<typename F::D> device_d;
};

// What `of` says of each product, on the device.
template <class Products, class Of>
auto each(const Products& products, Of of) {
  std::vector<decltype(of(*products.front()))> values;
  for (const auto& product : products) values.push_back(of(*product));
  return DeviceArray<typename decltype(values)::value_type>(values);
}

template <class F>
void multiply(const std::vector<Size>& all) {
  using Kernel = typename PointerKernel<F>::Kernel;
  using Gemm = cutlass::gemm::device::GemmUniversalAdapter<Kernel>;
  std::vector<std::unique_ptr<Product<F>>> products;
  for (const Size& size : all) {
    products.push_back(
        std::make_unique<Product<F>>(size, static_cast<unsigned>(3 * products.size() + 1)));
  }
  using Problem = typename F::Problem::UnderlyingProblemShape;
  std::vector<Problem> problems;
  for (const Size& size : all) {
    if constexpr (is_grouped<F>) {
      problems.push_back({size.m, size.n, size.k});
    } else {
      problems.push_back({size.m, size.n, size.k, static_cast<int>(all.size())});
    }
  }
  const DeviceArray<Problem> device_problems(problems);
  const auto a = each(products, [](auto& p) -> const typename F::A* { return p.device_a.data(); });
  const auto b = each(products, [](auto& p) -> const typename F::B* { return p.device_b.data(); });
  const auto c = each(products, [](auto& p) -> const typename F::C* { return p.device_c.data(); });
  const auto d = each(products, [](auto& p) { return p.device_d.data(); });
  const auto strides = [&](auto stride, auto of) {
    return each(products, [&](auto& p) {
      const auto [rows, columns] = of(p.size);
      return cutlass::make_cute_packed_stride(stride, {rows, columns, 1});
    });
  };
  const auto mk = [](const Size& s) { return std::pair{s.m, s.k}; };
  const auto nk = [](const Size& s) { return std::pair{s.n, s.k}; };
  const auto mn = [](const Size& s) { return std::pair{s.m, s.n}; };
  const auto stride_a = strides(typename Kernel::InternalStrideA{}, mk);
  const auto stride_b = strides(typename Kernel::InternalStrideB{}, nk);
  const auto stride_c = strides(typename Kernel::InternalStrideC{}, mn);
  const auto stride_d = strides(typename Kernel::InternalStrideD{}, mn);

  typename Gemm::Arguments arguments;
  if constexpr (is_grouped<F>) {
    arguments.mode = cutlass::gemm::GemmUniversalMode::kGrouped;
    arguments.problem_shape = {static_cast<int>(all.size()), device_problems.data(),
                               problems.data()};
    arguments.mainloop = {a.data(), stride_a.data(), b.data(), stride_b.data()};
    arguments.epilogue = {{}, c.data(), stride_c.data(), d.data(), stride_d.data()};
  } else {
    arguments.mode = cutlass::gemm::GemmUniversalMode::kArray;
    arguments.problem_shape = {problems.front()};
    arguments.mainloop = {a.data(), stride_a.values().front(), b.data(), stride_b.values().front()};
    arguments.epilogue = {
        {}, c.data(), stride_c.values().front(), d.data(), stride_d.values().front()};
  }
  arguments.epilogue.thread.alpha = 1.0F;
  arguments.epilogue.thread.beta = F::beta;
  // Fewer CTAs than tiles, so that each goes from one product to the next.
  arguments.hw_info.sm_count = 4;

  Gemm gemm;
  const DeviceArray<char> workspace(Gemm::get_workspace_size(arguments));
  CHECK(gemm.can_implement(arguments) == cutlass::Status::kSuccess);
  CHECK(gemm.initialize(arguments, workspace.data()) == cutlass::Status::kSuccess);
  CHECK(gemm.run() == cutlass::Status::kSuccess);
  CHECK_OK(cudaDeviceSynchronize());

  std::vector<typename F::D> results;
  std::vector<Expected> expected;
  for (const auto& product : products) {
    const auto values = product->device_d.values();
    results.insert(results.end(), values.begin(), values.end());
    const auto [m, n, k] = product->size;
    expect_product<F>(m, n, k, product->a.data(), product->b.data(), product->c.data(), expected);
  }
  print_digest(results);
  expect_near(results, expected);
}

void arrays() {
  multiply<Arrays>({{136, 264, 160}, {136, 264, 160}, {136, 264, 160}});
}
template <class F>
void groups() {
  multiply<F>({{264, 136, 160}, {64, 272, 96}, {128, 128, 64}});
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv,
             {{"f16_arrays_cooperative", arrays},
              {"f16_groups_pingpong", groups<Groups>},
              {"e4m3_groups_cooperative_2x1", groups<GroupsOfE4m3>}});
}
