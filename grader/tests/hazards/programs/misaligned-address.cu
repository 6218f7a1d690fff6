// Addresses and sizes that are not multiples of what the instruction asks for. All bytes exist.
#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

int from_the_fifth(int i) {
  return i + 5;
}

//: pair source_of_a_bulk_load
template <bool mistaken>
__global__ void source_of_a_bulk_load(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_bulk(tile, in + (mistaken ? 1 : 4), sizeof(tile), &loaded);  //: misaligned-address
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair size_of_a_bulk_load
template <bool mistaken>
__global__ void size_of_a_bulk_load(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t loaded;
  constexpr unsigned bytes = mistaken ? 127 * sizeof(int) : 128 * sizeof(int);
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, bytes);
    load_bulk(tile, in, bytes, &loaded);  //: misaligned-address
  }
  wait_parity(&loaded, 0);
  if (threadIdx.x < 127) out[threadIdx.x] = tile[threadIdx.x];
}

//: pair tile_behind_the_barrier
// 8 bytes of an mbarrier, and then a tile.
template <bool mistaken>
__global__ void tile_behind_the_barrier(const int* in, int* out) {
  __shared__ alignas(128) unsigned char bytes[16 + 512];
  auto* loaded = reinterpret_cast<uint64_t*>(bytes);
  auto* tile = reinterpret_cast<int*>(bytes + (mistaken ? 8 : 16));
  prepare_barrier(loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(loaded, 512);
    load_bulk(tile, in, 512, loaded);  //: misaligned-address
  }
  wait_parity(loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair tile_of_a_tensor_map
// For bulk copies 16 bytes are enough, for boxes they are not.
template <bool mistaken>
__global__ void tile_of_a_tensor_map(const __grid_constant__ TensorMaps maps, const int*,
                                     int* out) {
  __shared__ alignas(128) int elements[TILE_INTS + 32];
  __shared__ uint64_t loaded;
  int* tile = elements + (mistaken ? 4 : 32);
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, TILE_INTS * sizeof(int));
    load_tile(tile, &maps.in, 0, 0, &loaded);  //: misaligned-address
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair destination_of_a_bulk_store
template <bool mistaken>
__global__ void destination_of_a_bulk_store(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x < 4) out[threadIdx.x] = 0;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_bulk(out + (mistaken ? 2 : 4), tile, sizeof(tile));  //: misaligned-address
    commit_group();
    wait_group_read<0>();
  }
}
int from_the_fourth_on(int i) {
  return i < 4 ? 0 : i - 3;
}

//: pair vector_of_four
template <bool mistaken>
__global__ void vector_of_four(const int* in, int* out) {
  const auto* from = reinterpret_cast<const int4*>(in + (mistaken ? 1 : 4));
  auto* to = reinterpret_cast<int4*>(out);
  to[threadIdx.x] = from[threadIdx.x];  //: misaligned-address
}

//: pair atomic_of_eight_bytes
template <bool mistaken>
__global__ void atomic_of_eight_bytes(const int* in, int* out) {
  __shared__ alignas(8) int words[4];
  if (threadIdx.x < 4) words[threadIdx.x] = 0;
  __syncthreads();
  auto* sum = reinterpret_cast<unsigned long long*>(words + (mistaken ? 1 : 2));
  atomicAdd(sum, static_cast<unsigned long long>(in[threadIdx.x]));  //: misaligned-address
  __syncthreads();
  if (threadIdx.x < 2) out[threadIdx.x] = words[2 + threadIdx.x];
}
int low_and_high(int i) {
  return i == 0 ? 128 * 129 / 2 : 0;
}

//: pair barrier_behind_an_int
template <bool mistaken>
__global__ void barrier_behind_an_int(const int* in, int* out) {
  __shared__ alignas(16) int words[128 + 4];
  auto* written = reinterpret_cast<uint64_t*>(words + (mistaken ? 1 : 2));
  if (threadIdx.x == 0) init_barrier(written, 128);  //: misaligned-address
  __syncthreads();
  words[4 + threadIdx.x] = in[threadIdx.x];
  arrive(written);
  wait_parity(written, 0);
  out[threadIdx.x] = words[4 + 127 - threadIdx.x];
}
//: pair map_behind_a_header
// A map lies at a multiple of 64 bytes.
template <bool mistaken>
__global__ void loads_through(const CUtensorMap* map, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: misaligned-address
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
template <bool mistaken>
Outcome map_behind_a_header() {
  const Memory memory;
  const CUtensorMap map = matrix_map(memory.in);
  int* place = memory.scratch + (mistaken ? 8 : 16);
  note(cudaMemcpy(place, &map, sizeof(map), cudaMemcpyHostToDevice));
  loads_through<mistaken><<<1, 128>>>(reinterpret_cast<const CUtensorMap*>(place), memory.out);
  return memory.compare(the_first_tile, TILE_INTS);
}

//: pair vector_to_the_other_cta
template <bool mistaken>
__global__ void __cluster_dims__(2) vector_to_the_other_cta(const int* in, int* out) {
  __shared__ alignas(16) int words[8];
  const unsigned rank = cluster_rank();
  if (threadIdx.x < 8) words[threadIdx.x] = 0;
  cluster_sync();
  if (threadIdx.x == 0) {
    const uint32_t remote = address_in_cta(words + (mistaken ? 2 : 4), rank ^ 1);
    const int4 four{in[0], in[1], in[2], in[3]};
    store_remote_four(remote, four);  //: misaligned-address
  }
  cluster_sync();
  if (threadIdx.x < 4) out[4 * rank + threadIdx.x] = words[4 + threadIdx.x];
}
int four_twice(int i) {
  return i % 4 + 1;
}

//: pair half_a_row_too_far
// The last row of a fragment, at half a row too far, ends in the stage behind it, which is under
// way.
template <bool mistaken>
__global__ void half_a_row_too_far(const int* in, int* out) {
  __shared__ alignas(128) int ring[2][32];  // of eight rows of 16 bytes
  __shared__ uint64_t full[2];
  for (int stage = 0; stage < 2; ++stage) {
    prepare_barrier(&full[stage], 1);
  }
  if (threadIdx.x == 0) {
    for (int stage = 0; stage < 2; ++stage) {
      arrive_and_expect(&full[stage], sizeof(ring[0]));
      load_bulk(ring[stage], in + 32 * stage, sizeof(ring[0]), &full[stage]);
    }
  }
  for (int stage = 0; stage < 2; ++stage) {
    wait_parity(&full[stage], 0);
    const int* row = ring[stage] + 4 * (threadIdx.x % 8) + (mistaken ? 2 : 0);
    out[32 * stage + threadIdx.x] = load_fragment(row);  //: misaligned-address
  }
}

constexpr Pair pairs[] = {
    pair<source_of_a_bulk_load<true>, source_of_a_bulk_load<false>, from_the_fifth>(
        "source_of_a_bulk_load"),
    pair<size_of_a_bulk_load<true>, size_of_a_bulk_load<false>, the_input, Shape{.checked = 127}>(
        "size_of_a_bulk_load"),
    pair<tile_behind_the_barrier<true>, tile_behind_the_barrier<false>>("tile_behind_the_barrier"),
    pair<tile_of_a_tensor_map<true>, tile_of_a_tensor_map<false>, the_first_tile>(
        "tile_of_a_tensor_map"),
    pair<destination_of_a_bulk_store<true>, destination_of_a_bulk_store<false>, from_the_fourth_on>(
        "destination_of_a_bulk_store"),
    pair<vector_of_four<true>, vector_of_four<false>, from_the_fifth,
         Shape{.threads = 32, .checked = 128}>("vector_of_four"),
    pair<atomic_of_eight_bytes<true>, atomic_of_eight_bytes<false>, low_and_high,
         Shape{.checked = 2}>("atomic_of_eight_bytes"),
    pair<barrier_behind_an_int<true>, barrier_behind_an_int<false>, mirrored>(
        "barrier_behind_an_int"),
    {"map_behind_a_header", map_behind_a_header<true>, map_behind_a_header<false>},
    pair<vector_to_the_other_cta<true>, vector_to_the_other_cta<false>, four_twice,
         Shape{.blocks = 2, .threads = 32, .checked = 8}>("vector_to_the_other_cta"),
    pair<half_a_row_too_far<true>, half_a_row_too_far<false>, the_input,
         Shape{.threads = 32, .checked = 64}>("half_a_row_too_far"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
