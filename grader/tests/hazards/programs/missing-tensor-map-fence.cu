// A kernel changes a tensor map in global memory and uses it, and no acquire fence of its proxy
// lies between the two.
#include "harness.h"
#include "ptx-tensor-map.h"
#include "ptx.h"

// The host puts a map of the input into global memory, and each kernel moves it by a row.
using ChangesMap = void (*)(CUtensorMap*, const int*, int*, int*);
int the_moved_tile(int i) {
  return MAP_COLUMNS + the_first_tile(i);
}
template <ChangesMap kernel, int blocks, int maps>
Outcome run_with_maps() {
  const Memory memory;
  auto* in_memory = reinterpret_cast<CUtensorMap*>(memory.scratch);
  const CUtensorMap map = matrix_map(memory.in);
  for (int i = 0; i < maps; ++i) {
    note(cudaMemcpy(in_memory + i, &map, sizeof(map), cudaMemcpyHostToDevice));
  }
  kernel<<<blocks, 128>>>(in_memory, memory.in, memory.out, memory.scratch + 1024);
  return memory.compare(the_moved_tile, TILE_INTS);
}
template <ChangesMap mistaken, ChangesMap right, int blocks = 1, int maps = 1>
constexpr Pair pair_with_maps(const char* name) {
  return {name, run_with_maps<mistaken, blocks, maps>, run_with_maps<right, blocks, maps>};
}

//: pair same_thread
template <bool mistaken>
__global__ void same_thread(CUtensorMap* map, const int* in, int* out, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    replace_address(map, in + MAP_COLUMNS);  //: other
    release_maps();
    if constexpr (!mistaken) acquire_map(map);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair another_warp
template <bool mistaken>
__global__ void another_warp(CUtensorMap* map, const int* in, int* out, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    replace_address(map, in + MAP_COLUMNS);  //: other
    release_maps();
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    if constexpr (!mistaken) acquire_map(map);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair acquired_before_the_change
template <bool mistaken>
__global__ void acquired_before_the_change(CUtensorMap* map, const int* in, int* out, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (mistaken && threadIdx.x == 64) acquire_map(map);
  __syncthreads();
  if (threadIdx.x == 0) {
    replace_address(map, in + MAP_COLUMNS);  //: other
    release_maps();
  }
  __syncthreads();
  if (threadIdx.x == 64) {
    if constexpr (!mistaken) acquire_map(map);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair change_not_released
template <bool mistaken>
__global__ void change_not_released(CUtensorMap* map, const int* in, int* out, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    replace_address(map, in + MAP_COLUMNS);  //: other
    if constexpr (!mistaken) release_maps();
  }
  __syncthreads();
  if (threadIdx.x == 32) {
    acquire_map(map);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair acquired_behind_a_relaxed_flag
// The acquire comes later, and nothing orders it behind the change.
template <bool mistaken>
__global__ void acquired_behind_a_relaxed_flag(CUtensorMap* map, const int* in, int* out,
                                               int* flag) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    replace_address(map, in + MAP_COLUMNS);  //: other
    release_maps();
    mistaken ? store_relaxed(flag, 1) : store_release(flag, 1);  //: other
  }
  if (threadIdx.x == 32) {
    wait_for_flag(flag, 1);
    acquire_map(map);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair copied_from_shared_memory
template <bool mistaken>
__global__ void copied_from_shared_memory(CUtensorMap* map, const int* in, int* out, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ alignas(128) CUtensorMap draft;
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x < 32) {
    if (threadIdx.x == 0) {
      draft = *map;
      replace_shared_address(&draft, in + MAP_COLUMNS);
    }
    __syncwarp();
    copy_and_release_map(map, &draft);  //: other
    if constexpr (!mistaken) acquire_map(map);
    if (threadIdx.x == 0) {
      arrive_and_expect(&loaded, sizeof(tile));
      load_tile(tile, map, 0, 0, &loaded);  //: missing-tensor-map-fence
    }
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair another_cta
// A flag orders the threads, and not the proxy of the maps.
template <bool mistaken>
__global__ void another_cta(CUtensorMap* map, const int* in, int* out, int* flag) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (blockIdx.x == 0) {
    if (threadIdx.x == 0) {
      replace_address(map, in + MAP_COLUMNS);  //: other
      release_maps();
      store_release(flag, 1);
    }
    return;
  }
  if (threadIdx.x == 0) {
    wait_for_flag(flag, 1);
    if constexpr (!mistaken) acquire_map(map);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, map, 0, 0, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair acquires_another_map
template <bool mistaken>
__global__ void acquires_another_map(CUtensorMap* maps, const int* in, int* out, int*) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    replace_address(&maps[1], in + MAP_COLUMNS);  //: other
    release_maps();
    acquire_map(&maps[mistaken ? 0 : 1]);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, &maps[1], 0, 0, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

//: pair second_change
// The fence behind the first change does nothing for the second one.
template <bool mistaken>
__global__ void second_change(CUtensorMap* map, const int* in, int* out, int*) {
  __shared__ alignas(128) int tiles[2][TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  if (threadIdx.x == 0) {
    for (int i = 0; i < 2; ++i) {
      replace_address(map, in + (2 - i) * MAP_COLUMNS);  //: other
      release_maps();
      if (!mistaken || i == 0) acquire_map(map);
      arrive_and_expect(&loaded, sizeof(tiles[i]));
      load_tile(tiles[i], map, 0, 0, &loaded);  //: missing-tensor-map-fence
      wait_parity(&loaded, i);
    }
  }
  __syncthreads();
  out[threadIdx.x] = tiles[1][threadIdx.x];
}

//: pair store_through_a_changed_map
int minus_one_before(int i) {
  return i < MAP_COLUMNS ? -1 : i < MAP_COLUMNS + TILE_COLUMNS ? i - MAP_COLUMNS + 1 : -1;
}
template <bool mistaken>
__global__ void stores_through(CUtensorMap* map, const int* in, int* out) {
  __shared__ alignas(128) int tile[TILE_INTS];
  tile[threadIdx.x] = in[threadIdx.x];
  fence_proxy_async_shared();
  __syncthreads();
  if (threadIdx.x == 0) {
    replace_address(map, out + MAP_COLUMNS);  //: other
    release_maps();
    if constexpr (!mistaken) acquire_map(map);
    store_tile(map, 0, 0, tile);  //: missing-tensor-map-fence
    commit_group();
    wait_group<0>();
  }
}
template <bool mistaken>
Outcome store_through_a_changed_map() {
  const Memory memory;
  auto* in_memory = reinterpret_cast<CUtensorMap*>(memory.scratch);
  const CUtensorMap map = matrix_map(memory.out);
  note(cudaMemcpy(in_memory, &map, sizeof(map), cudaMemcpyHostToDevice));
  stores_through<mistaken><<<1, 128>>>(in_memory, memory.in, memory.out);
  return memory.compare(minus_one_before, 2 * MAP_COLUMNS);
}

//: pair written_as_data
// Sixteen threads copy a map, as they would copy anything.
template <bool mistaken>
__global__ void written_as_data(CUtensorMap* map, const int* in, int* out, int* copy) {
  __shared__ alignas(128) int tile[TILE_INTS];
  __shared__ uint64_t loaded;
  prepare_barrier(&loaded, 1);
  auto* own_map = reinterpret_cast<CUtensorMap*>(copy);
  if (threadIdx.x < 16) {
    const auto* from = reinterpret_cast<const uint64_t*>(map);
    reinterpret_cast<uint64_t*>(own_map)[threadIdx.x] = from[threadIdx.x];  //: other
    release_maps();
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    if constexpr (!mistaken) acquire_map(own_map);
    arrive_and_expect(&loaded, sizeof(tile));
    load_tile(tile, own_map, 0, 1, &loaded);  //: missing-tensor-map-fence
  }
  wait_parity(&loaded, 0);
  out[threadIdx.x] = tile[threadIdx.x];
}

constexpr Pair pairs[] = {
    pair_with_maps<same_thread<true>, same_thread<false>>("same_thread"),
    pair_with_maps<another_warp<true>, another_warp<false>>("another_warp"),
    pair_with_maps<acquired_before_the_change<true>, acquired_before_the_change<false>>(
        "acquired_before_the_change"),
    pair_with_maps<change_not_released<true>, change_not_released<false>>("change_not_released"),
    pair_with_maps<acquired_behind_a_relaxed_flag<true>, acquired_behind_a_relaxed_flag<false>>(
        "acquired_behind_a_relaxed_flag"),
    pair_with_maps<copied_from_shared_memory<true>, copied_from_shared_memory<false>>(
        "copied_from_shared_memory"),
    pair_with_maps<another_cta<true>, another_cta<false>, 2>("another_cta"),
    pair_with_maps<acquires_another_map<true>, acquires_another_map<false>, 1, 2>(
        "acquires_another_map"),
    pair_with_maps<second_change<true>, second_change<false>>("second_change"),
    {"store_through_a_changed_map", store_through_a_changed_map<true>,
     store_through_a_changed_map<false>},

    pair_with_maps<written_as_data<true>, written_as_data<false>>("written_as_data"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
