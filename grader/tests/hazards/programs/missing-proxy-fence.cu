// Threads write bytes, the TMA engine reads or overwrites them: ordered, but without a proxy fence
// on the way.
#include "harness.h"
#include "ptx.h"

//: pair plain_store
template <bool mistaken>
__global__ void plain_store(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (!mistaken) {
    fence_proxy_async_shared();
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out, tile, sizeof(tile));  //: missing-proxy-fence
    commit_group();
    wait_group_read<0>();
  }
}

constexpr Pair pairs[] = {
    pair<plain_store<true>, plain_store<false>>("plain_store"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
