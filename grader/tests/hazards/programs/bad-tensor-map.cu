// A TMA operation is given what is no valid tensor map, or a map where the engine need not find it.
#include "harness.h"
#include "ptx.h"

//: pair copy_of_the_thread
template <bool mistaken>
__global__ void copy_of_the_thread(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    if constexpr (mistaken) {
      CUtensorMap copy = maps.in;
      load_tile(tile, &copy, 0, 0, &loaded);  //: bad-tensor-map
    } else {
      load_tile(tile, &maps.in, 0, 0, &loaded);
    }
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair parameter_by_value
// Without __grid_constant__ the address of the parameter is that of a copy.
__global__ void map_by_value(const TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &loaded);  //: bad-tensor-map
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void map_as_constant(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &maps.in, 0, 0, &loaded);
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair copy_in_shared_memory
template <bool mistaken>
__global__ void copy_in_shared_memory(const __grid_constant__ TensorMaps maps, const int* in,
                                      int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ alignas(128) CUtensorMap copy;
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) copy = maps.out;
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    store_tile(mistaken ? &copy : &maps.out, 0, 0, tile);  //: bad-tensor-map
    commit_group();
    wait_group_read<0>();
  }
}

//: pair the_data_as_map
template <bool mistaken>
__global__ void the_data_as_map(const __grid_constant__ TensorMaps maps, const int* in, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    const auto* map = mistaken ? reinterpret_cast<const CUtensorMap*>(in) : &maps.in;
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: bad-tensor-map
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair between_two_maps
// 64 bytes behind the beginning of one map: its second half and the first one of the next.
template <bool mistaken>
__global__ void between_two_maps(const __grid_constant__ TensorMaps maps, const int*, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    const auto* bytes = reinterpret_cast<const char*>(&maps.in) + (mistaken ? 64 : 0);
    const auto* map = reinterpret_cast<const CUtensorMap*>(bytes);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: bad-tensor-map
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair half_of_a_map
// The host copies 64 of the map's 128 bytes; the other ones are zero.
template <bool mistaken>
__global__ void loads_through(const CUtensorMap* map, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: bad-tensor-map
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
template <bool mistaken>
Outcome half_of_a_map() {
  const Memory memory;
  const CUtensorMap map = matrix_map(memory.in);
  const size_t bytes = mistaken ? sizeof(map) / 2 : sizeof(map);
  note(cudaMemcpy(memory.scratch, &map, bytes, cudaMemcpyHostToDevice));
  loads_through<mistaken>
      <<<1, 128>>>(reinterpret_cast<const CUtensorMap*>(memory.scratch), memory.out);
  return memory.compare(the_first_tile, TILE_INTS);
}

//: pair refused_and_not_looked_at
// Nobody looks at what the encoder says: a stride that is not a multiple of 16.
template <bool mistaken>
__global__ void loads_through_what_was_encoded(const __grid_constant__ CUtensorMap map, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &map, 0, 0, &loaded);  //: bad-tensor-map
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}
template <bool mistaken>
Outcome refused_and_not_looked_at() {
  const Memory memory;
  CUtensorMap map{};
  const cuuint64_t size[] = {MAP_COLUMNS, MAP_ROWS};
  const cuuint64_t stride[] = {MAP_COLUMNS * sizeof(int) + (mistaken ? 4 : 0)};
  const cuuint32_t box[] = {TILE_COLUMNS, TILE_ROWS};
  const cuuint32_t element_stride[] = {1, 1};
  cuTensorMapEncodeTiled(&map, CU_TENSOR_MAP_DATA_TYPE_INT32, 2, memory.in, size, stride, box,
                         element_stride, CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                         CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  loads_through_what_was_encoded<mistaken><<<1, 128>>>(map, memory.out);
  return memory.compare(the_first_tile, TILE_INTS);
}

constexpr Pair pairs[] = {
    pair<copy_of_the_thread<true>, copy_of_the_thread<false>, the_first_tile>("copy_of_the_thread"),
    pair<map_by_value, map_as_constant, the_first_tile>("parameter_by_value"),
    pair<copy_in_shared_memory<true>, copy_in_shared_memory<false>, the_input,
         Shape{.checked = TILE_COLUMNS}>("copy_in_shared_memory"),
    pair<the_data_as_map<true>, the_data_as_map<false>, the_first_tile>("the_data_as_map"),
    pair<between_two_maps<true>, between_two_maps<false>, the_first_tile>("between_two_maps"),
    {"half_of_a_map", half_of_a_map<true>, half_of_a_map<false>},
    {"refused_and_not_looked_at", refused_and_not_looked_at<true>,
     refused_and_not_looked_at<false>},
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
