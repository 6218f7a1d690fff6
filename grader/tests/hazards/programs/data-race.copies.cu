// What lanes of a warp hand on through another lane's arrival, or do not, and what cp.async of two
// threads bring to one place. That all of them bring the same value is no mistake: the first pairs
// of unusual-right.copies.cu.
#include "harness.h"
#include "ptx.h"

// Lanes write a tile; one of them tells another warp, and does not know that the others are done.
//: pair first_lane_tells_the_readers
template <bool mistaken>
__global__ void first_lane_tells_the_readers(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ uint64_t written;
  prepare_barrier(&written, 1);
  if (threadIdx.x < 32) {
    tile[threadIdx.x] = in[threadIdx.x];  //: other
    if (!mistaken) __syncwarp();
    if (threadIdx.x == 0) arrive(&written);  //: data-race
  } else if (threadIdx.x < 64) {
    wait_parity(&written, 0);
    out[threadIdx.x - 32] = tile[threadIdx.x - 32];  //: other
  }
}

//: pair last_lane_of_each_warp_tells
template <bool mistaken>
__global__ void last_lane_of_each_warp_tells(const int* in, int* out) {
  __shared__ int tile[96];
  __shared__ uint64_t written;
  prepare_barrier(&written, 3);
  if (threadIdx.x < 96) {
    tile[threadIdx.x] = in[threadIdx.x];
    if (!mistaken) __syncwarp();
    if (threadIdx.x % 32 == 31) arrive(&written);  //: data-race
  } else {
    wait_parity(&written, 0);
    for (int i = threadIdx.x - 96; i < 96; i += 32) out[i] = tile[i];
  }
}

//: pair told_to_the_peer
template <bool mistaken>
__global__ void __cluster_dims__(2) told_to_the_peer(const int* in, int* out) {
  __shared__ int tile[32];
  __shared__ uint64_t written;
  if (threadIdx.x == 0) {
    init_barrier(&written, 1);
    fence_barrier_init();
  }
  cluster_sync();
  const unsigned peer = cluster_rank() ^ 1;
  store_remote(address_in_cta(&tile[threadIdx.x], peer), in[32 * cluster_rank() + threadIdx.x]);
  if (!mistaken) __syncwarp();
  if (threadIdx.x == 0) {
    arrive_remote(address_in_cta(&written, peer));  //: data-race
  }
  wait_parity_cluster(&written, 0);
  out[32 * peer + threadIdx.x] = tile[threadIdx.x];
  cluster_sync();
}

// Two copies of different values.
//: pair lanes_copy_to_one_place
template <bool mistaken>
__global__ void lanes_copy_to_one_place(const int* in, int* out) {
  __shared__ int first;
  cp_async_4(&first, in + (mistaken ? threadIdx.x : 0));  //: data-race
  cp_async_commit();
  cp_async_wait<0>();
  __syncwarp();
  out[threadIdx.x] = first + threadIdx.x;
}

// A row for each warp, and the rows overlap by four elements.
//: pair rows_that_overlap
template <bool mistaken>
__global__ void rows_that_overlap(const int* in, int* out) {
  __shared__ int tile[128];
  const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  cp_async_4(&tile[(mistaken ? 28 : 32) * warp + lane], in + threadIdx.x);  //: data-race
  cp_async_commit();
  cp_async_wait<0>();
  __syncthreads();
  if (threadIdx.x < 28) out[threadIdx.x] = tile[threadIdx.x];
}

// The second copy fills a place while the first one may still be on its way.
//: pair copied_again_too_soon
template <bool mistaken>
__global__ void copied_again_too_soon(const int* in, int* out) {
  __shared__ int tile[128];
  cp_async_4(&tile[threadIdx.x], in + 128 + threadIdx.x);
  cp_async_commit();
  if (!mistaken) cp_async_wait<0>();
  cp_async_4(&tile[threadIdx.x], in + threadIdx.x);  //: data-race
  cp_async_commit();
  cp_async_wait<0>();
  out[threadIdx.x] = tile[threadIdx.x];
}

// A warp takes one number after another from a box. It gives the box back as it should; but the
// other one tells it of a number before that is in the box.
//: pair told_before_it_is_written
template <bool mistaken>
__global__ void told_before_it_is_written(const int* in, int* out) {
  __shared__ int box;
  __shared__ uint64_t full, empty;
  prepare_barrier(&full, 1);
  prepare_barrier(&empty, 1);
  for (unsigned lap = 0; lap < 4; ++lap) {
    if (threadIdx.x == 32) {
      if (lap > 0) wait_parity(&empty, (lap - 1) % 2);
      if (mistaken) arrive(&full);
      box = in[lap];  //: other
      if (!mistaken) arrive(&full);
    } else if (threadIdx.x < 32) {
      wait_parity(&full, lap % 2);
      const int value = box;  //: data-race
      __syncwarp();
      if (threadIdx.x == 0) {
        out[lap] = value;
        arrive(&empty);
      }
    }
  }
}

constexpr Pair pairs[] = {
    pair<first_lane_tells_the_readers<true>, first_lane_tells_the_readers<false>, the_input,
         Shape{.threads = 64, .checked = 32}>("first_lane_tells_the_readers"),
    pair<last_lane_of_each_warp_tells<true>, last_lane_of_each_warp_tells<false>, the_input,
         Shape{.checked = 96}>("last_lane_of_each_warp_tells"),
    pair<told_to_the_peer<true>, told_to_the_peer<false>, the_input,
         Shape{.blocks = 2, .threads = 32, .checked = 64}>("told_to_the_peer"),
    pair<lanes_copy_to_one_place<true>, lanes_copy_to_one_place<false>, the_input,
         Shape{.threads = 32, .checked = 32}>("lanes_copy_to_one_place"),
    pair<rows_that_overlap<true>, rows_that_overlap<false>, the_input, Shape{.checked = 28}>(
        "rows_that_overlap"),
    pair<copied_again_too_soon<true>, copied_again_too_soon<false>>("copied_again_too_soon"),
    pair<told_before_it_is_written<true>, told_before_it_is_written<false>, the_input,
         Shape{.threads = 64, .checked = 4}>("told_before_it_is_written"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
