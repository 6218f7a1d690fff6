// Lab 5: tensor ranks. The engine does the address arithmetic.
//
// Boxes in 1 to 5 dimensions. Where an ordinary kernel loops over indices and tests bounds, here is
// a field of the tensor map, or a coordinate. Five parts:
//   boxes            a tensor of any rank, copied box by box
//   pad              a border of zeros or NaNs around a matrix
//   element-strides  every k-th pixel of an image
//   slices           any two dimensions of a tensor, as a matrix
//   stencil          a seven-point stencil whose halo the engine fills
//
// Everywhere in this file the innermost dimension comes first, as in a tensor map.
#include <cuda_bf16.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <vector>

#include "cuda-check.cuh"
#include "tensor-map.cuh"
#include "tma-interface.cuh"

inline constexpr int VECTOR_BYTES = 16;  // along the row, boxes begin and end at multiples of it

__host__ __device__ constexpr int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

// A place in a tensor, or a number for each of its dimensions.
template <int RANK>
struct Index {
  int at[RANK];
};

// The five loads and the five stores differ only in the number of coordinates.

template <int RANK>
__device__ void load_box(void* tile, const CUtensorMap* map, const Index<RANK>& first,
                         uint64_t* bar) {
  const auto& c = first.at;
  if constexpr (RANK == 1) {
    cp_async_bulk_tensor_1d_global_to_shared(tile, map, c[0], bar);
  } else if constexpr (RANK == 2) {
    cp_async_bulk_tensor_2d_global_to_shared(tile, map, c[0], c[1], bar);
  } else if constexpr (RANK == 3) {
    cp_async_bulk_tensor_3d_global_to_shared(tile, map, c[0], c[1], c[2], bar);
  } else if constexpr (RANK == 4) {
    cp_async_bulk_tensor_4d_global_to_shared(tile, map, c[0], c[1], c[2], c[3], bar);
  } else {
    cp_async_bulk_tensor_5d_global_to_shared(tile, map, c[0], c[1], c[2], c[3], c[4], bar);
  }
}

template <int RANK>
__device__ void store_box(const CUtensorMap* map, const Index<RANK>& first, const void* tile) {
  const auto& c = first.at;
  if constexpr (RANK == 1) {
    cp_async_bulk_tensor_1d_shared_to_global(map, c[0], tile);
  } else if constexpr (RANK == 2) {
    cp_async_bulk_tensor_2d_shared_to_global(map, c[0], c[1], tile);
  } else if constexpr (RANK == 3) {
    cp_async_bulk_tensor_3d_shared_to_global(map, c[0], c[1], c[2], tile);
  } else if constexpr (RANK == 4) {
    cp_async_bulk_tensor_4d_shared_to_global(map, c[0], c[1], c[2], c[3], tile);
  } else {
    cp_async_bulk_tensor_5d_shared_to_global(map, c[0], c[1], c[2], c[3], c[4], tile);
  }
}

// The tensor map of a tensor without gaps. A row is a multiple of 16 bytes.
template <typename T, int RANK>
CUtensorMap dense_tensor_map(const T* tensor, const std::array<int, RANK>& sizes,
                             const std::array<uint32_t, RANK>& box,
                             const TensorMapOptions& options = {}) {
  // BEGIN SOLUTION
  //: // TODO: sizes and box are given; what is the stride of each dimension except the innermost?
  //: (void)tensor, (void)sizes, (void)box, (void)options;
  //: return {};
  std::array<uint64_t, RANK> global_sizes;
  std::array<uint64_t, RANK - 1> strides_bytes;
  uint64_t bytes = sizeof(T);  // from one index of the dimension to the next
  for (int d = 0; d < RANK; ++d) {
    global_sizes[d] = sizes[d];
    if (d > 0) strides_bytes[d - 1] = bytes;
    bytes *= sizes[d];
  }
  return make_tensor_map<T, RANK>(tensor, global_sizes, strides_bytes, box, options);
  // END SOLUTION
}

// ---------------------------------------------------------------------------------------------
// Part boxes: dest = src, for a tensor of 1 to 5 dimensions. One CTA of one thread per box.

inline constexpr int BOX_ROW = 16;  // elements along the row
inline constexpr int BOX_SIDE = 4;  // along every other dimension

__host__ __device__ constexpr int box_elements(int rank) {
  return rank == 1 ? BOX_ROW : BOX_SIDE * box_elements(rank - 1);
}

// CTAs are numbered along a row of boxes, then row by row, and so on. `boxes` counts them along
// each dimension.
template <typename T, int RANK>
__global__ void copy_boxes(const __grid_constant__ CUtensorMap dest_map,
                           const __grid_constant__ CUtensorMap src_map, Index<RANK> boxes) {
  // BEGIN SOLUTION
  //: // TODO: load this CTA's box (load_box), wait, store it (store_box).
  //: //   * From blockIdx.x, the box's number along each dimension; from that, its first element.
  //: //   * Boxes may hang over the edge. How many bytes does a load of such a box deliver?
  //: //   * No thread touches the tile between load and store. Which fences are needed?
  //: (void)boxes;
  __shared__ alignas(128) T tile[box_elements(RANK)];
  __shared__ uint64_t loaded;

  Index<RANK> first;
  int number = blockIdx.x;
  for (int d = 0; d < RANK; ++d) {
    first.at[d] = number % boxes.at[d] * (d == 0 ? BOX_ROW : BOX_SIDE);
    number /= boxes.at[d];
  }

  init_barrier(&loaded, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&loaded, sizeof(tile));  // the whole box, even if it hangs over
  load_box(tile, &src_map, first, &loaded);
  wait(&loaded, 0);
  store_box(&dest_map, first, tile);  // the engine wrote the tile: nothing to fence
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
  // END SOLUTION
}

template <typename T, int RANK>
void launch_copy_boxes(T* dest, const T* src, std::array<int, RANK> sizes) {
  // BEGIN SOLUTION
  //: // TODO: the two maps, the number of boxes along each dimension, the launch.
  //: (void)dest, (void)src, (void)sizes;
  std::array<uint32_t, RANK> box;
  Index<RANK> boxes;
  unsigned ctas = 1;
  for (int d = 0; d < RANK; ++d) {
    box[d] = d == 0 ? BOX_ROW : BOX_SIDE;
    boxes.at[d] = ceil_div(sizes[d], box[d]);
    ctas *= boxes.at[d];
  }
  const CUtensorMap dest_map = dense_tensor_map<T, RANK>(dest, sizes, box);
  const CUtensorMap src_map = dense_tensor_map<T, RANK>(src, sizes, box);
  copy_boxes<T, RANK><<<ctas, 1>>>(dest_map, src_map, boxes);
  cuda_check(cudaGetLastError());
  // END SOLUTION
}

// ---------------------------------------------------------------------------------------------
// Part pad: dest is src with a border of pad_columns columns on the left and on the right, and of
// pad_rows rows above and below. The border is zero or NaN. One CTA of one thread per tile of dest.

inline constexpr int PAD_COLUMNS = 32;  // of a tile
inline constexpr int PAD_ROWS = 8;

template <typename T>
__global__ void pad(const __grid_constant__ CUtensorMap dest_map,
                    const __grid_constant__ CUtensorMap src_map, int pad_columns, int pad_rows) {
  // BEGIN SOLUTION
  //: // TODO: load what belongs into tile (blockIdx.x, blockIdx.y) of dest, and store it there.
  //: //   * Where is the tile in src? Coordinates of a load may be negative, or past the end.
  //: //   * Those of a store may not be negative.
  //: (void)pad_columns, (void)pad_rows;
  __shared__ alignas(128) T tile[PAD_ROWS * PAD_COLUMNS];
  __shared__ uint64_t loaded;
  const int column = blockIdx.x * PAD_COLUMNS;  // in dest
  const int row = blockIdx.y * PAD_ROWS;

  init_barrier(&loaded, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&loaded, sizeof(tile));
  cp_async_bulk_tensor_2d_global_to_shared(tile, &src_map, column - pad_columns, row - pad_rows,
                                           &loaded);
  wait(&loaded, 0);
  cp_async_bulk_tensor_2d_shared_to_global(&dest_map, column, row, tile);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
  // END SOLUTION
}

// width and pad_columns are multiples of 16 bytes.
template <typename T>
void launch_pad(T* dest, const T* src, int width, int height, int pad_columns, int pad_rows,
                bool with_nan) {
  const int dest_width = width + 2 * pad_columns;
  const int dest_height = height + 2 * pad_rows;
  // BEGIN SOLUTION
  //: // TODO: the two maps. The map's `fill` (TensorMapOptions) says what is outside src.
  //: (void)dest, (void)src, (void)with_nan;
  //: const CUtensorMap dest_map{}, src_map{};
  TensorMapOptions options;
  if (with_nan) options.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA;
  const std::array<uint32_t, 2> box = {PAD_COLUMNS, PAD_ROWS};
  const CUtensorMap dest_map = dense_tensor_map<T, 2>(dest, {dest_width, dest_height}, box);
  const CUtensorMap src_map = dense_tensor_map<T, 2>(src, {width, height}, box, options);
  // END SOLUTION
  const dim3 tiles(ceil_div(dest_width, PAD_COLUMNS), ceil_div(dest_height, PAD_ROWS));
  pad<T><<<tiles, 1>>>(dest_map, src_map, pad_columns, pad_rows);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part element-strides: dest is every step_x-th pixel of every step_y-th row of src. A pixel is
// four floats. One CTA of one thread per tile of dest.

inline constexpr int CHANNELS = 4;
inline constexpr int TILE_X = 16;  // pixels of dest
inline constexpr int TILE_Y = 8;
inline constexpr int MAX_STEP = 8;

__global__ void subsample(const __grid_constant__ CUtensorMap dest_map,
                          const __grid_constant__ CUtensorMap src_map, int step_x, int step_y) {
  // BEGIN SOLUTION
  //: // TODO: load the pixels of tile (blockIdx.x, blockIdx.y) of dest, and store them.
  //: //   * The engine leaves out the pixels between; the tile has no gaps. How many bytes arrive?
  //: //   * Coordinates of a load count the elements of src.
  //: (void)step_x, (void)step_y;
  __shared__ alignas(128) float tile[TILE_Y * TILE_X * CHANNELS];
  __shared__ uint64_t loaded;
  const int x = blockIdx.x * TILE_X;  // in dest
  const int y = blockIdx.y * TILE_Y;

  init_barrier(&loaded, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&loaded, sizeof(tile));  // what the tile holds, not what the box spans
  cp_async_bulk_tensor_3d_global_to_shared(tile, &src_map, 0, x * step_x, y * step_y, &loaded);
  wait(&loaded, 0);
  cp_async_bulk_tensor_3d_shared_to_global(&dest_map, 0, x, y, tile);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
  // END SOLUTION
}

// The steps are 1 to MAX_STEP. dest has a pixel for every step that src begins.
void launch_subsample(float* dest, const float* src, int width, int height, int step_x,
                      int step_y) {
  const int dest_width = ceil_div(width, step_x);
  const int dest_height = ceil_div(height, step_y);
  // BEGIN SOLUTION
  //: // TODO: the two maps, of three dimensions: channels, columns, rows.
  //: //   * src_map's box is what the tile spans in src; TensorMapOptions has `element_strides`.
  //: (void)dest, (void)src;
  //: const CUtensorMap dest_map{}, src_map{};
  const std::array<uint32_t, 3> dest_box = {CHANNELS, TILE_X, TILE_Y};
  const std::array<uint32_t, 3> src_box = {CHANNELS, static_cast<uint32_t>(TILE_X * step_x),
                                           static_cast<uint32_t>(TILE_Y * step_y)};
  TensorMapOptions thinned;
  thinned.element_strides[1] = step_x;
  thinned.element_strides[2] = step_y;
  const CUtensorMap dest_map =
      dense_tensor_map<float, 3>(dest, {CHANNELS, dest_width, dest_height}, dest_box);
  const CUtensorMap src_map =
      dense_tensor_map<float, 3>(src, {CHANNELS, width, height}, src_box, thinned);
  // END SOLUTION
  const dim3 tiles(ceil_div(dest_width, TILE_X), ceil_div(dest_height, TILE_Y));
  subsample<<<tiles, 1>>>(dest_map, src_map, step_x, step_y);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part slices: dest is the matrix that two dimensions of src span at a given place: its columns are
// dimension dims[0] of src, its rows dimension dims[1], and offsets[d] is the index in every other
// dimension d. One CTA per tile of dest.

inline constexpr int SLICE_SIDE = 32;  // a tile has this many columns, and this many rows
inline constexpr int SLICE_THREADS = 256;
inline constexpr int VECTOR_FLOATS = VECTOR_BYTES / sizeof(float);

// Where an element of dest is in the tile: column * column_step + row * row_step + first.
struct TileLayout {
  int column_step;
  int row_step;
  int first;
};

template <int RANK>
__global__ void slice(float* dest, int columns, int rows,
                      const __grid_constant__ CUtensorMap src_map, Index<RANK> first, int dim0,
                      int dim1, TileLayout layout, int tile_bytes) {
  // BEGIN SOLUTION
  //: // TODO: load the box whose first element is `first`, moved to this CTA's tile along dim0 and
  //: //   dim1; copy it to dest with plain stores.
  //: (void)dest, (void)columns, (void)rows, (void)first, (void)dim0, (void)dim1, (void)layout;
  //: (void)tile_bytes;
  // Room for boxes across the rows: they are four floats wide, for the one that is wanted.
  __shared__ alignas(128) float tile[SLICE_SIDE * SLICE_SIDE * VECTOR_FLOATS];
  __shared__ uint64_t loaded;
  const int first_column = blockIdx.x * SLICE_SIDE;
  const int first_row = blockIdx.y * SLICE_SIDE;

  if (threadIdx.x == 0) {
    init_barrier(&loaded, 1);
    async_proxy_fence();
    for (int d = 0; d < RANK; ++d) {
      if (d == dim0) first.at[d] = first_column;
      if (d == dim1) first.at[d] = first_row;
    }
    expect_bytes_and_arrive(&loaded, tile_bytes);
    load_box(tile, &src_map, first, &loaded);
  }
  __syncthreads();
  wait(&loaded, 0);

  for (int i = threadIdx.x; i < SLICE_SIDE * SLICE_SIDE; i += blockDim.x) {
    const int column = i % SLICE_SIDE;
    const int row = i / SLICE_SIDE;
    if (first_column + column < columns && first_row + row < rows) {
      dest[static_cast<size_t>(first_row + row) * columns + first_column + column] =
          tile[column * layout.column_step + row * layout.row_step + layout.first];
    }
  }
  // END SOLUTION
}

template <int RANK>
void launch_slice(float* dest, const float* src, std::array<int, RANK> sizes,
                  std::array<int, 2> dims, std::array<int, RANK> offsets) {
  const int columns = sizes[dims[0]];
  const int rows = sizes[dims[1]];
  Index<RANK> first{};
  TileLayout layout{};
  int tile_bytes = 0;
  // BEGIN SOLUTION
  //: // TODO: the map, and where the elements are in the tile.
  //: //   * The box: SLICE_SIDE along dims[0] and dims[1], one along the others. But along the row
  //: //     it is at least 16 bytes, and starts at a multiple of 16 bytes, wanted or not.
  //: //   * In shared memory the tile has the order of src's dimensions, whatever dims says.
  //: (void)src, (void)offsets;
  //: const CUtensorMap src_map{};
  std::array<uint32_t, RANK> box;
  for (int d = 0; d < RANK; ++d) {
    const bool is_spanned = d == dims[0] || d == dims[1];
    box[d] = is_spanned ? SLICE_SIDE : d == 0 ? VECTOR_FLOATS : 1;
    first.at[d] = is_spanned ? 0 : offsets[d];
  }
  layout.first = first.at[0] % VECTOR_FLOATS;  // of the four floats, the one that is wanted
  first.at[0] -= layout.first;

  int step = 1;  // in the tile, from one index of the dimension to the next
  for (int d = 0; d < RANK; ++d) {
    if (d == dims[0]) layout.column_step = step;
    if (d == dims[1]) layout.row_step = step;
    step *= static_cast<int>(box[d]);
  }
  tile_bytes = step * static_cast<int>(sizeof(float));
  const CUtensorMap src_map = dense_tensor_map<float, RANK>(src, sizes, box);
  // END SOLUTION
  const dim3 tiles(ceil_div(columns, SLICE_SIDE), ceil_div(rows, SLICE_SIDE));
  slice<RANK><<<tiles, SLICE_THREADS>>>(dest, columns, rows, src_map, first, dims[0], dims[1],
                                        layout, tile_bytes);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part stencil: every element of dest is the sum of the six neighbors in src, minus six times
// the element itself. What is outside src counts as zero. Tune the numbers.
//
// A CTA has a column of STENCIL_X * STENCIL_Y * STENCIL_Z elements. It moves up plane by plane,
// with a ring of planes in shared memory; a thread has four elements of each plane.

// BEGIN SOLUTION
//: inline constexpr int STENCIL_X = 128;
//: inline constexpr int STENCIL_Y = 8;
//: inline constexpr int STENCIL_Z = 32;
//: inline constexpr int PLANES = 4;
// Wide, since each row's ends are loaded twice; and so short that all planes have room at once:
// CTAs that run at one time read and write memory that lies close together.
inline constexpr int STENCIL_X = 256;
inline constexpr int STENCIL_Y = 8;
inline constexpr int STENCIL_Z = 4;
inline constexpr int PLANES = 6;
// END SOLUTION
inline constexpr int STENCIL_THREADS = STENCIL_X / 4 * STENCIL_Y;
static_assert(PLANES >= 3, "two planes are read while another is loaded");

// A plane with its halo, in three boxes. With all of it in one, rows would begin 16 bytes before a
// multiple of 128, and the engine would need twice as many requests to the L2 cache.
struct alignas(128) Plane {
  float middle[STENCIL_Y + 2][STENCIL_X];  // with a row in front and a row behind
  // The columns on the left and on the right. One each would do, but a box is 16 bytes wide.
  float left[STENCIL_Y][VECTOR_FLOATS];
  float right[STENCIL_Y][VECTOR_FLOATS];
};
static_assert(sizeof(Plane) == sizeof(Plane::middle) + sizeof(Plane::left) + sizeof(Plane::right),
              "every part is a multiple of 128 bytes");

// The ring: more than the 48 KiB that a CTA may have without asking.
extern __shared__ Plane planes[];
inline constexpr int RING_BYTES = PLANES * sizeof(Plane);

__global__ void __launch_bounds__(STENCIL_THREADS)
    stencil(float* dest, const __grid_constant__ CUtensorMap middle_map,
            const __grid_constant__ CUtensorMap side_map, int nx, int ny, int nz) {
  // BEGIN SOLUTION
  //: // TODO: `planes` is a ring of PLANES planes.
  //: //   * The CTA's plane 0 is the one below its first: it may lie outside src.
  //: //   * A plane is three loads on one barrier. Where does each of the boxes begin?
  //: //   * From the planes below and above, a thread needs only its own four elements. It reads
  //: //     each of them once and keeps it in registers while the planes go by.
  //: //   * Each iteration: wait for the plane above; if a plane is left to load, synchronize (then
  //: //     everybody is done with the plane below), fence, and load it in its place; compute.
  //: //   * For the last percent: cache policies, as in lab 6.
  //: (void)dest, (void)nx, (void)ny, (void)nz;
  __shared__ uint64_t landed[PLANES];

  const int first_x = blockIdx.x * STENCIL_X;
  const int first_y = blockIdx.y * STENCIL_Y;
  const int first_z = blockIdx.z * STENCIL_Z;
  const int plane_count = min(nz - first_z, STENCIL_Z) + 2;  // with one below and one above

  auto load_plane = [&](int number) {  // one thread
    Plane& plane = planes[number % PLANES];
    uint64_t* bar = &landed[number % PLANES];
    const int z = first_z - 1 + number;
    expect_bytes_and_arrive(bar, sizeof(Plane));
    // The halos are read by two CTAs: keep them in L2 for the second one.
    cp_async_bulk_tensor_3d_global_to_shared(plane.middle, &middle_map, first_x, first_y - 1, z,
                                             bar, CACHE_POLICY_EVICT_LAST);
    cp_async_bulk_tensor_3d_global_to_shared(plane.left, &side_map, first_x - VECTOR_FLOATS,
                                             first_y, z, bar, CACHE_POLICY_EVICT_LAST);
    cp_async_bulk_tensor_3d_global_to_shared(plane.right, &side_map, first_x + STENCIL_X, first_y,
                                             z, bar, CACHE_POLICY_EVICT_LAST);
  };
  if (threadIdx.x == 0) {
    for (int slot = 0; slot < PLANES; ++slot) init_barrier(&landed[slot], 1);
    async_proxy_fence();
    for (int number = 0; number < min(plane_count, PLANES); ++number) load_plane(number);
  }
  __syncthreads();

  const int x = threadIdx.x % (STENCIL_X / 4) * 4;  // in the CTA's column
  const int y = threadIdx.x / (STENCIL_X / 4);
  const bool is_inside = first_x + x < nx && first_y + y < ny;  // nx is a multiple of 4

  auto four = [](const float& first) { return *reinterpret_cast<const float4*>(&first); };
  auto own = [&](int number) {  // this thread's four elements of a plane
    wait(&landed[number % PLANES], number / PLANES % 2);
    return four(planes[number % PLANES].middle[y + 1][x]);
  };
  float4 below = own(0);
  float4 here = own(1);
  for (int number = 1; number + 1 < plane_count; ++number) {
    const float4 above = own(number + 1);
    const int next = number - 1 + PLANES;
    if (next < plane_count) {
      __syncthreads();  // everybody is done with the plane below
      if (threadIdx.x == 0) {
        async_proxy_fence();  // and what they have read there is no longer under way
        load_plane(next);
      }
    }

    const Plane& plane = planes[number % PLANES];
    const float4 front = four(plane.middle[y][x]);
    const float4 back = four(plane.middle[y + 2][x]);
    const float left = x > 0 ? plane.middle[y + 1][x - 1] : plane.left[y][VECTOR_FLOATS - 1];
    const float right = x + 4 < STENCIL_X ? plane.middle[y + 1][x + 4] : plane.right[y][0];
    const float4 sum = {
        left + here.y + front.x + back.x + below.x + above.x - 6 * here.x,
        here.x + here.z + front.y + back.y + below.y + above.y - 6 * here.y,
        here.y + here.w + front.z + back.z + below.z + above.z - 6 * here.z,
        here.z + right + front.w + back.w + below.w + above.w - 6 * here.w,
    };
    if (is_inside) {
      const size_t z = first_z + number - 1;
      // __stcs: nobody reads it again, so it may leave the cache first.
      __stcs(reinterpret_cast<float4*>(&dest[(z * ny + first_y + y) * nx + first_x + x]), sum);
    }
    below = here;
    here = above;
  }
  // END SOLUTION
}

// nx is a multiple of 4.
void launch_stencil(float* dest, const float* src, int nx, int ny, int nz) {
  // BEGIN SOLUTION
  //: // TODO: two maps of src: one with the middle's box, one with that of the columns beside it.
  //: (void)src;
  //: const CUtensorMap middle_map{}, side_map{};
  const CUtensorMap middle_map =
      dense_tensor_map<float, 3>(src, {nx, ny, nz}, {STENCIL_X, STENCIL_Y + 2, 1});
  const CUtensorMap side_map =
      dense_tensor_map<float, 3>(src, {nx, ny, nz}, {VECTOR_FLOATS, STENCIL_Y, 1});
  // END SOLUTION
  const dim3 ctas(ceil_div(nx, STENCIL_X), ceil_div(ny, STENCIL_Y), ceil_div(nz, STENCIL_Z));
  cuda_check(
      cudaFuncSetAttribute(stencil, cudaFuncAttributeMaxDynamicSharedMemorySize, RING_BYTES));
  stencil<<<ctas, STENCIL_THREADS, RING_BYTES>>>(dest, middle_map, side_map, nx, ny, nz);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases; `make bench` measures.)

float* on_device(const std::vector<float>& host) {
  float* data;
  cuda_check(cudaMalloc(&data, host.size() * sizeof(float)));
  cuda_check(cudaMemcpy(data, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  return data;
}

std::vector<float> numbers(size_t count) {
  std::vector<float> made(count);
  for (size_t i = 0; i < count; ++i) made[i] = static_cast<float>(i % 1000);
  return made;
}

// Calls launch(dest, src) and compares.
template <typename Launch>
bool test(const char* part, const char* what, const std::vector<float>& sent,
          const std::vector<float>& expected, Launch launch) {
  float* src = on_device(sent);
  float* dest = on_device(std::vector<float>(expected.size(), -1));
  launch(dest, src);
  std::vector<float> got(expected.size());
  cuda_check(cudaDeviceSynchronize());
  cuda_check(cudaMemcpy(got.data(), dest, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  cuda_check(cudaFree(src));
  cuda_check(cudaFree(dest));

  for (size_t i = 0; i < got.size(); ++i) {
    if (got[i] != expected[i]) {
      std::printf("%-15s  %s: element %zu is %g, expected %g\n", part, what, i, got[i],
                  expected[i]);
      return false;
    }
  }
  std::printf("%-15s  %s: every element is right\n", part, what);
  return true;
}

bool test_boxes() {
  const std::vector<float> sent = numbers(20 * 5 * 3 * 2 * 7);
  return test("boxes", "20 x 5 x 3 x 2 x 7", sent, sent, [](float* dest, const float* src) {
    launch_copy_boxes<float, 5>(dest, src, {20, 5, 3, 2, 7});
  });
}

bool test_pad() {
  constexpr int WIDTH = 100, HEIGHT = 33, COLUMNS = 4, ROWS = 3;
  const std::vector<float> sent = numbers(WIDTH * HEIGHT);
  std::vector<float> expected((WIDTH + 2 * COLUMNS) * (HEIGHT + 2 * ROWS), 0);
  for (int row = 0; row < HEIGHT; ++row) {
    for (int column = 0; column < WIDTH; ++column) {
      expected[(row + ROWS) * (WIDTH + 2 * COLUMNS) + column + COLUMNS] =
          sent[row * WIDTH + column];
    }
  }
  return test("pad", "100 x 33, border 4 x 3", sent, expected, [](float* dest, const float* src) {
    launch_pad<float>(dest, src, WIDTH, HEIGHT, COLUMNS, ROWS, false);
  });
}

bool test_subsample() {
  constexpr int WIDTH = 101, HEIGHT = 55, STEP_X = 3, STEP_Y = 2;
  const std::vector<float> sent = numbers(WIDTH * HEIGHT * CHANNELS);
  std::vector<float> expected;
  for (int y = 0; y < HEIGHT; y += STEP_Y) {
    for (int x = 0; x < WIDTH; x += STEP_X) {
      const auto pixel = sent.begin() + (y * WIDTH + x) * CHANNELS;
      expected.insert(expected.end(), pixel, pixel + CHANNELS);
    }
  }
  return test("element-strides", "101 x 55 pixels, step 3 x 2", sent, expected,
              [](float* dest, const float* src) {
                launch_subsample(dest, src, WIDTH, HEIGHT, STEP_X, STEP_Y);
              });
}

bool test_slices() {
  static constexpr std::array<int, 3> SIZES = {40, 37, 50};  // static: the lambda uses it
  constexpr int OFFSET = 6;                                  // in dimension 0
  const std::vector<float> sent = numbers(SIZES[0] * SIZES[1] * SIZES[2]);
  std::vector<float> expected;
  for (int row = 0; row < SIZES[2]; ++row) {
    for (int column = 0; column < SIZES[1]; ++column) {
      expected.push_back(sent[(row * SIZES[1] + column) * SIZES[0] + OFFSET]);
    }
  }
  return test("slices", "dimensions 1 and 2 of 40 x 37 x 50", sent, expected,
              [](float* dest, const float* src) {
                launch_slice<3>(dest, src, SIZES, {1, 2}, {OFFSET, 0, 0});
              });
}

bool test_stencil() {
  constexpr int NX = 72, NY = 35, NZ = 40;
  const std::vector<float> sent = numbers(NX * NY * NZ);
  auto at = [&](int x, int y, int z) {
    const bool inside = x >= 0 && x < NX && y >= 0 && y < NY && z >= 0 && z < NZ;
    return inside ? sent[(z * NY + y) * NX + x] : 0;
  };
  std::vector<float> expected;
  for (int z = 0; z < NZ; ++z) {
    for (int y = 0; y < NY; ++y) {
      for (int x = 0; x < NX; ++x) {
        expected.push_back(at(x - 1, y, z) + at(x + 1, y, z) + at(x, y - 1, z) + at(x, y + 1, z) +
                           at(x, y, z - 1) + at(x, y, z + 1) - 6 * at(x, y, z));
      }
    }
  }
  return test("stencil", "72 x 35 x 40", sent, expected,
              [](float* dest, const float* src) { launch_stencil(dest, src, NX, NY, NZ); });
}

int main() {
  bool right = test_boxes();
  right &= test_pad();
  right &= test_subsample();
  right &= test_slices();
  right &= test_stencil();
  return right ? 0 : 1;
}
