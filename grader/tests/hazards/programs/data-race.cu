// Threads access the same bytes, one of them writes, and nothing orders the two.
#include "harness.h"
#include "ptx-tensor-map.h"
#include "ptx.h"

constexpr Shape one_output{.checked = 1};
constexpr Shape one_warp{.threads = 32, .checked = 16};
constexpr Shape one_output_of_two_ctas{.blocks = 2, .threads = 128, .checked = 1};

int with_both_sides(int i) {
  return (i == 0 ? 128 : i) + (i == 127 ? 1 : i + 2);
}

int sum_of_laps(int i) {
  return 4 * (128 - i) + 128 * (0 + 1 + 2 + 3);
}

int the_one_before(int i) {
  return i == 0 ? 128 : i;
}

int sum_of_two_laps(int i) {
  return 2 * (32 - i) + 32;
}

int the_input_and_two(int i) {
  return i + 3;
}

//: pair missing_syncthreads
template <bool mistaken>
__global__ void missing_syncthreads(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (!mistaken) __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: data-race
}

// Four pairs of lines, which one barrier would order.
//: pair one_barrier_for_all_reads
template <bool mistaken>
__global__ void one_barrier_for_all_reads(const int* in, int* out) {
  __shared__ int tile[128], ends[2];
  tile[threadIdx.x] = in[threadIdx.x];  //: other
  if (threadIdx.x % 127 == 0) ends[threadIdx.x / 127] = in[threadIdx.x];
  if constexpr (!mistaken) __syncthreads();
  const int left = threadIdx.x == 0 ? ends[1] : tile[threadIdx.x - 1];     //: data-race
  const int right = threadIdx.x == 127 ? ends[0] : tile[threadIdx.x + 1];  //: other
  out[threadIdx.x] = left + right;
}

// Two barriers are missing, and what the first one orders the second one does not.
//: pair two_barriers
template <bool mistaken>
__global__ void two_barriers(const int* in, int* out) {
  __shared__ int there[128], back[128];
  there[threadIdx.x] = in[threadIdx.x];  //: other
  if constexpr (!mistaken) __syncthreads();
  back[threadIdx.x] = there[127 - threadIdx.x];  //: data-race //: other
  if constexpr (!mistaken) __syncthreads();
  out[threadIdx.x] = back[127 - threadIdx.x];  //: data-race
}

//: pair missing_syncwarp
template <bool mistaken>
__global__ void missing_syncwarp(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x ^ 31] = in[threadIdx.x ^ 31];  //: other
  if constexpr (!mistaken) __syncwarp();
  out[threadIdx.x] = tile[threadIdx.x];  //: data-race
}

//: pair reduction_tree
int sum_of_128(int) {
  return 128 * 129 / 2;
}
template <bool mistaken>
__global__ void reduction_tree(const int* in, int* out) {
  __shared__ int sums[128];
  sums[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) {
      const int upper = sums[threadIdx.x + stride];  //: data-race
      sums[threadIdx.x] += upper;                    //: other
    }
    if constexpr (!mistaken) __syncthreads();
  }
  if (threadIdx.x == 0) out[0] = sums[0];
}

//: pair one_barrier_a_lap
// With two buffers one barrier a lap is enough.
template <bool mistaken>
__global__ void one_barrier_a_lap(const int* in, int* out) {
  constexpr int buffers = mistaken ? 1 : 2;
  __shared__ int buffer[buffers][128];
  int sum = 0;
  for (int lap = 0; lap < 4; ++lap) {
    buffer[lap % buffers][threadIdx.x] = in[lap * 128 + threadIdx.x];  //: other
    __syncthreads();
    sum += buffer[lap % buffers][127 - threadIdx.x];  //: data-race
  }
  out[threadIdx.x] = sum;
}

//: pair shift_in_place
template <bool mistaken>
__global__ void shift_in_place(const int* in, int* out) {
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int before = tile[(threadIdx.x + 127) % 128];  //: data-race
  if constexpr (!mistaken) __syncthreads();
  tile[threadIdx.x] = before;  //: other
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair histogram
// Both parties are this one line, in different threads.
int eight(int) {
  return 8;
}
template <bool mistaken>
__global__ void histogram(const int* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int bin = in[threadIdx.x] % 16;
  if constexpr (mistaken) {
    bins[bin] += 1;  //: data-race //: other
  } else {
    atomicAdd(&bins[bin], 1);
  }
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

//: pair atomics_and_a_plain_read
int all_128(int) {
  return 128;
}
template <bool mistaken>
__global__ void atomics_and_a_plain_read(const int*, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = 0;
  __syncthreads();
  atomicAdd(&count, 1);  //: other
  if constexpr (!mistaken) __syncthreads();
  if (threadIdx.x == 0) out[0] = count;  //: data-race
}

//: pair words_of_a_vector
// Warp 0 writes 16 bytes a thread, all warps read 4 bytes a thread.
template <bool mistaken>
__global__ void words_of_a_vector(const int* in, int* out) {
  __shared__ alignas(16) int tile[128];
  if (threadIdx.x < 32) {
    const int4 four = reinterpret_cast<const int4*>(in)[threadIdx.x];
    reinterpret_cast<int4*>(tile)[threadIdx.x] = four;  //: other
  }
  if constexpr (!mistaken) __syncthreads();
  out[threadIdx.x] = tile[127 - threadIdx.x];  //: data-race
}

//: pair named_barriers
// A producer warp and a consumer warp: barriers 1 and 2 say that a lap's box is full, 3 that the
// first lap's box is read.
template <bool mistaken>
__global__ void named_barriers(const int* in, int* out) {
  __shared__ int box[32];
  const unsigned lane = threadIdx.x % 32;
  int sum = 0;
  for (int lap = 0; lap < 2; ++lap) {
    if (threadIdx.x < 32) {
      if (!mistaken && lap == 1) named_barrier_sync(3, 64);
      box[lane] = in[lap * 32 + lane];  //: other
      named_barrier_arrive(1 + lap, 64);
    } else {
      named_barrier_sync(1 + lap, 64);
      sum += box[31 - lane];  //: data-race
      if (!mistaken && lap == 0) named_barrier_arrive(3, 64);
    }
  }
  if (threadIdx.x >= 32) out[lane] = sum;
}

//: pair two_streams
__global__ void writes(const int* in, int* message) {
  message[threadIdx.x] = in[threadIdx.x];  //: other
}
__global__ void reads(const int* message, int* out) {
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
}
template <bool mistaken>
Outcome two_streams() {
  const Memory memory;
  note(cudaDeviceSynchronize());
  cudaStream_t streams[2];
  cudaEvent_t written;
  note(cudaEventCreateWithFlags(&written, cudaEventDisableTiming));
  for (cudaStream_t& stream : streams) {
    note(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  writes<<<1, 128, 0, streams[0]>>>(memory.in, memory.scratch);
  note(cudaEventRecord(written, streams[0]));
  if constexpr (!mistaken) note(cudaStreamWaitEvent(streams[1], written));
  reads<<<1, 128, 0, streams[1]>>>(memory.scratch, memory.out);
  const Outcome outcome = memory.compare(mirrored, 128);
  for (const cudaStream_t stream : streams) {
    note(cudaStreamDestroy(stream));
  }
  note(cudaEventDestroy(written));
  return outcome;
}

//: pair read_before_the_earlier_kernel_is_over
// The next kernel may start when this one lets it, and its wait comes behind the read.
__global__ void lets_others_start(const int* in, int* message) {
  let_dependents_start();
  message[threadIdx.x] = in[threadIdx.x];  //: other
}
template <bool mistaken>
__global__ void starts_early(const int* message, int* out) {
  if constexpr (!mistaken) wait_for_earlier_kernels();
  out[threadIdx.x] = message[127 - threadIdx.x];  //: data-race
  if constexpr (mistaken) wait_for_earlier_kernels();
}
template <bool mistaken>
Outcome read_before_the_earlier_kernel_is_over() {
  const Memory memory;
  lets_others_start<<<1, 128>>>(memory.in, memory.scratch);
  launch_early(starts_early<mistaken>, memory.scratch, memory.out);
  return memory.compare(mirrored, 128);
}

//: pair two_streams_write
// Both kernels add to the same numbers, and the host waits for neither in between.
__global__ void adds_one(int* numbers) {
  numbers[threadIdx.x] += 1;  //: data-race //: other
}
template <bool mistaken>
Outcome two_streams_write() {
  const Memory memory;
  note(cudaDeviceSynchronize());
  cudaStream_t streams[2];
  for (cudaStream_t& stream : streams) {
    note(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  note(cudaMemcpy(memory.out, memory.in, 128 * sizeof(int), cudaMemcpyDeviceToDevice));
  note(cudaDeviceSynchronize());
  adds_one<<<1, 128, 0, streams[0]>>>(memory.out);
  if constexpr (!mistaken) note(cudaStreamSynchronize(streams[0]));
  adds_one<<<1, 128, 0, streams[1]>>>(memory.out);
  const Outcome outcome = memory.compare(the_input_and_two, 128);
  for (const cudaStream_t stream : streams) {
    note(cudaStreamDestroy(stream));
  }
  return outcome;
}

//: pair atomics_of_the_peer
// Both CTAs count in the first one, and only its own threads have come to the barrier.
template <bool mistaken>
__global__ void __cluster_dims__(2) atomics_of_the_peer(const int* in, int* out) {
  __shared__ int count;
  if (threadIdx.x == 0) count = in[0] - 1;
  cluster_sync();
  add_remote(address_in_cta(&count, 0), 1);  //: other
  if constexpr (mistaken) {
    __syncthreads();
  } else {
    cluster_sync();
  }
  if (cluster_rank() == 0 && threadIdx.x == 0) {
    out[0] = count;  //: data-race
  }
  cluster_sync();
}
int all_of_two_blocks(int) {
  return 256;
}

//: pair map_changed_by_another_lane
// tensormap.replace writes the whole map, of which other lanes have copied their words.
template <bool mistaken>
__global__ void map_changed_by_another_lane(const TensorMaps __grid_constant__ maps, const int* in,
                                            int* out) {
  __shared__ alignas(128) uint64_t map[16];
  const auto* const words = reinterpret_cast<const uint64_t*>(&maps.in);
  if (threadIdx.x < 16) map[threadIdx.x] = words[threadIdx.x];  //: other
  if constexpr (!mistaken) __syncwarp();
  if (threadIdx.x == 0) {
    replace_shared_address(reinterpret_cast<CUtensorMap*>(map), out);  //: data-race
  }
  __syncwarp();
  if (threadIdx.x < 16) out[threadIdx.x] = in[threadIdx.x] + static_cast<int>(map[1] & 0);
}

constexpr Pair pairs[] = {
    pair<missing_syncthreads<true>, missing_syncthreads<false>, mirrored>("missing_syncthreads"),
    pair<one_barrier_for_all_reads<true>, one_barrier_for_all_reads<false>, with_both_sides>(
        "one_barrier_for_all_reads"),
    pair<two_barriers<true>, two_barriers<false>>("two_barriers"),
    pair<missing_syncwarp<true>, missing_syncwarp<false>>("missing_syncwarp"),
    pair<reduction_tree<true>, reduction_tree<false>, sum_of_128, one_output>("reduction_tree"),
    pair<one_barrier_a_lap<true>, one_barrier_a_lap<false>, sum_of_laps>("one_barrier_a_lap"),
    pair<shift_in_place<true>, shift_in_place<false>, the_one_before>("shift_in_place"),
    pair<histogram<true>, histogram<false>, eight, Shape{.checked = 16}>("histogram"),
    pair<atomics_and_a_plain_read<true>, atomics_and_a_plain_read<false>, all_128, one_output>(
        "atomics_and_a_plain_read"),
    pair<words_of_a_vector<true>, words_of_a_vector<false>, mirrored>("words_of_a_vector"),
    pair<named_barriers<true>, named_barriers<false>, sum_of_two_laps,
         Shape{.threads = 64, .checked = 32}>("named_barriers"),
    {"two_streams", two_streams<true>, two_streams<false>},
    {"read_before_the_earlier_kernel_is_over", read_before_the_earlier_kernel_is_over<true>,
     read_before_the_earlier_kernel_is_over<false>},
    {"two_streams_write", two_streams_write<true>, two_streams_write<false>},
    pair<atomics_of_the_peer<true>, atomics_of_the_peer<false>, all_of_two_blocks,
         one_output_of_two_ctas>("atomics_of_the_peer"),
    pair<map_changed_by_another_lane<true>, map_changed_by_another_lane<false>, the_input,
         one_warp>("map_changed_by_another_lane"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
