// Accesses outside of a variable or of an allocation. What lies beyond is initialized, so that only
// the bound is wrong.
#include "harness.h"
#include "ptx.h"

// The input from the index on, where nothing follows the last element.
int after_the_first(int i) {
  return i == 127 ? 128 : i + 2;
}
int before_the_last(int i) {
  return i == 0 ? 1 : i;
}
int end_of_the_input(int i) {
  return INPUTS - 128 + after_the_first(i);
}

//: pair past_a_shared_array
template <bool mistaken>
__global__ void past_a_shared_array(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ int another[128];
  tile[threadIdx.x] = in[threadIdx.x];
  another[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const bool has_next = mistaken || threadIdx.x < 127;
  const int next = tile[threadIdx.x + (has_next ? 1 : 0)];  //: out-of-bounds
  out[threadIdx.x] = next + another[127 - threadIdx.x] - (128 - threadIdx.x);
}

//: pair before_a_shared_array
template <bool mistaken>
__global__ void before_a_shared_array(const int* in, int* out) {
  __shared__ int another[128];
  __shared__ int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  another[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  const int at = static_cast<int>(threadIdx.x);
  const int before = tile[at - (mistaken || at > 0 ? 1 : 0)];  //: out-of-bounds
  out[threadIdx.x] = before + another[127 - threadIdx.x] - (128 - threadIdx.x);
}

//: pair one_bin_too_many
int bins_of_sixteen(int) {
  return 8;
}
template <bool mistaken>
__global__ void one_bin_too_many(const int* in, int* out) {
  __shared__ int bins[16];
  __shared__ int others[16];
  if (threadIdx.x < 16) {
    bins[threadIdx.x] = 0;
    others[threadIdx.x] = 0;
  }
  __syncthreads();
  const int bin = in[threadIdx.x] % 16 + (mistaken ? 1 : 0);
  atomicAdd(&bins[bin], 1);  //: out-of-bounds
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x] + others[15 - threadIdx.x];
}

//: pair past_dynamic_shared_memory
// The launch gives the bytes of half as many elements.
template <bool mistaken>
__global__ void fills_dynamic_memory(const int* in, int* out) {
  extern __shared__ int elements[];
  elements[threadIdx.x] = in[threadIdx.x];  //: illegal-address
  out[threadIdx.x] = elements[threadIdx.x];
}
template <bool mistaken>
Outcome past_dynamic_shared_memory() {
  const Memory memory;
  fills_dynamic_memory<mistaken><<<1, 128, 128 * (mistaken ? 2 : 4)>>>(memory.in, memory.out);
  return memory.compare(the_input, 128);
}

//: pair past_an_allocation
template <bool mistaken>
__global__ void past_an_allocation(const int* in, int* out) {
  const int at = INPUTS - 128 + static_cast<int>(threadIdx.x);
  const int next = in[mistaken || at < INPUTS - 1 ? at + 1 : at];  //: out-of-bounds
  out[threadIdx.x] = next;
}

//: pair before_an_allocation
template <bool mistaken>
__global__ void before_an_allocation(const int* in, int* out) {
  const int at = static_cast<int>(threadIdx.x);
  const int before = in[mistaken || at > 0 ? at - 1 : at];  //: illegal-address
  out[threadIdx.x] = before;
}

//: pair past_a_device_variable
__device__ int sixteen[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
__device__ int sixteen_more[16] = {17, 18, 19, 20};
int up_to_sixteen(int i) {
  return i == 15 ? 16 : i + 2;
}
template <bool mistaken>
__global__ void past_a_device_variable(const int*, int* out) {
  const unsigned at = threadIdx.x;
  const int next = sixteen[mistaken || at < 15 ? at + 1 : at];  //: out-of-bounds
  out[at] = next;
  out[16 + at] = sixteen_more[15 - at];
}

//: pair bulk_load_of_too_much
// Half of the bytes are behind the input's end.
template <bool mistaken>
__global__ void bulk_load_of_too_much(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    const int* source = in + INPUTS - (mistaken ? 64 : 128);
    load_bulk(tile, source, sizeof(tile), &loaded);  //: out-of-bounds
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x] - (INPUTS - 128);
}

//: pair bulk_load_into_a_smaller_array
template <bool mistaken>
__global__ void bulk_load_into_a_smaller_array(const int* in, int* out) {
  __shared__ alignas(128) int tile[64];
  __shared__ alignas(128) int another[64];
  __shared__ uint64_t loaded;
  constexpr unsigned bytes = mistaken ? 2 * sizeof(tile) : sizeof(tile);
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, bytes);
    load_bulk(tile, in, bytes, &loaded);  //: out-of-bounds
  }
  wait_parity(&loaded, 0);
  if (threadIdx.x < 64) another[63 - threadIdx.x] = tile[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 64) out[threadIdx.x] = another[63 - threadIdx.x];
}

//: pair bulk_store_past_the_output
template <bool mistaken>
__global__ void bulk_store_past_the_output(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 64) out[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out + OUTPUTS - (mistaken ? 64 : 128), tile, sizeof(tile));  //: out-of-bounds
    commit_group();
    wait_group_read<0>();
  }
}

//: pair map_of_more_than_there_is
// The map's first row is the matrix's second, and the last one is behind the end.
template <bool mistaken>
__global__ void loads_the_last_rows(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &map, 0, MAP_ROWS - TILE_ROWS, &loaded);  //: out-of-bounds
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
int the_last_tile(int i) {
  return (MAP_ROWS - TILE_ROWS) * MAP_COLUMNS + the_first_tile(i);
}
template <bool mistaken>
Outcome map_of_more_than_there_is() {
  const Memory memory;
  const CUtensorMap map = matrix_map(memory.in + (mistaken ? MAP_COLUMNS : 0));
  loads_the_last_rows<mistaken><<<1, 128>>>(map, memory.out);
  return memory.compare(the_last_tile, TILE_INTS);
}

//: pair past_the_tile_of_the_other_cta
int next_of_the_other_cta(int i) {
  return i % 128 == 127 ? 128 : i % 128 + 2;
}
template <bool mistaken>
__global__ void __cluster_dims__(2) past_the_tile_of_the_other_cta(const int* in, int* out) {
  __shared__ int tile[128];
  __shared__ int another[128];
  tile[threadIdx.x] = in[threadIdx.x];
  another[threadIdx.x] = in[threadIdx.x];
  cluster_sync();
  const unsigned next = mistaken || threadIdx.x < 127 ? threadIdx.x + 1 : threadIdx.x;
  const unsigned other_cta = cluster_rank() ^ 1;
  const int value = load_remote(address_in_cta(tile, other_cta) + 4 * next);  //: out-of-bounds
  out[cluster_rank() * 128 + threadIdx.x] = value + another[0] - 1;
  cluster_sync();
}

constexpr Pair pairs[] = {
    pair<past_a_shared_array<true>, past_a_shared_array<false>, after_the_first>(
        "past_a_shared_array"),
    pair<before_a_shared_array<true>, before_a_shared_array<false>, before_the_last>(
        "before_a_shared_array"),
    pair<one_bin_too_many<true>, one_bin_too_many<false>, bins_of_sixteen, Shape{.checked = 16}>(
        "one_bin_too_many"),
    {"past_dynamic_shared_memory", past_dynamic_shared_memory<true>,
     past_dynamic_shared_memory<false>},
    pair<past_an_allocation<true>, past_an_allocation<false>, end_of_the_input>(
        "past_an_allocation"),
    pair<before_an_allocation<true>, before_an_allocation<false>, before_the_last>(
        "before_an_allocation"),
    pair<past_a_device_variable<true>, past_a_device_variable<false>, up_to_sixteen,
         Shape{.threads = 16, .checked = 16}>("past_a_device_variable"),
    pair<bulk_load_of_too_much<true>, bulk_load_of_too_much<false>>("bulk_load_of_too_much"),
    pair<bulk_load_into_a_smaller_array<true>, bulk_load_into_a_smaller_array<false>, the_input,
         Shape{.checked = 64}>("bulk_load_into_a_smaller_array"),
    pair<bulk_store_past_the_output<true>, bulk_store_past_the_output<false>, the_input,
         Shape{.checked = 64}>("bulk_store_past_the_output"),
    {"map_of_more_than_there_is", map_of_more_than_there_is<true>,
     map_of_more_than_there_is<false>},
    pair<past_the_tile_of_the_other_cta<true>, past_the_tile_of_the_other_cta<false>,
         next_of_the_other_cta, Shape{.blocks = 2, .threads = 128, .checked = 256}>(
        "past_the_tile_of_the_other_cta"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
