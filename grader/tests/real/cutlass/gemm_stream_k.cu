// How tiles are handed out: a batch, stream-K and a split of K.
#include "gemm_sm90.cuh"

namespace {

using namespace cutlass_test;
namespace detail = cutlass::gemm::kernel::detail;

struct Cooperative : Form {
  using MainLoop = cutlass::gemm::KernelTmaWarpSpecializedCooperative;
  using Epilogue = cutlass::epilogue::TmaWarpSpecializedCooperative;
};

struct Batch : Cooperative {
  static constexpr int m = 136, n = 144, k = 96, batches = 3;
};

// Four CTAs for nine tiles, wherever it runs: a tile's sum over K is cut where a CTA's share ends.
struct StreamK : Cooperative {
  using Scheduler = cutlass::gemm::StreamKScheduler;
  static constexpr int k = 288;
  template <class Arguments>
  static void adjust(Arguments& arguments) {
    arguments.hw_info.sm_count = 4;
    arguments.scheduler.decomposition_mode = detail::DecompositionMode::StreamK;
  }
};
struct StreamK2x1 : StreamK {
  using Cluster = Shape<_2, _1, _1>;
};
struct SplitK : Cooperative {
  using Scheduler = cutlass::gemm::StreamKScheduler;
  static constexpr int k = 288;
  template <class Arguments>
  static void adjust(Arguments& arguments) {
    arguments.hw_info.sm_count = 8;
    arguments.scheduler.splits = 3;
    arguments.scheduler.decomposition_mode = detail::DecompositionMode::SplitK;
  }
};

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv,
             {case_of<Batch>("f16_batch_cooperative"), case_of<StreamK>("f16_stream_k"),
              case_of<StreamK2x1>("f16_stream_k_2x1"), case_of<SplitK>("f16_split_k")});
}
