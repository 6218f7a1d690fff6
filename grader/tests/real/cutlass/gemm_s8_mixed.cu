// s8 to s8 and, from registers, s8 by bf16.
#include "gemm_sm90.cuh"

namespace {

using namespace cutlass_test;
namespace epilogue = cutlass::epilogue;

struct S8 : Of<std::int8_t> {
  using Sum = std::int32_t;
  using C = std::int32_t;
  using D = std::int32_t;
  using Tile = Shape<_128, _128, _128>;
  using Cluster = Shape<_2, _1, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::TmaWarpSpecializedCooperative;
  using Fusion = epilogue::fusion::LinearCombination<D, float, C, float>;
};
struct S8Pingpong : S8 {
  using D = std::int8_t;
  using C = std::int8_t;
  using Tile = Shape<_64, _128, _128>;
  using Cluster = Shape<_2, _2, _1>;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedPingpong;
  using Epilogue = epilogue::TmaWarpSpecialized;
  using Fusion = epilogue::fusion::LinearCombination<D, float, C, float>;
  static double activation(double x) { return std::fmin(std::fmax(x, -128), 127); }
};

using Bf16 = cutlass::bfloat16_t;
struct S8TimesBf16 : Of<std::int8_t> {
  using B = Bf16;
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = epilogue::TmaWarpSpecializedCooperative;
  using C = float;
  using D = float;
  using Fusion = epilogue::fusion::LinearCombination<D, float, C, float>;
  static constexpr int align_b = 8;
};

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv,
             {case_of<S8Pingpong>("s8_to_s8_pingpong_2x2"),
              case_of<S8TimesBf16>("s8_times_bf16_cooperative")});
}
