// Leaves out pixels by the strides of the tensor, which are those of every k-th one, and has its
// element stride in a fourth dimension, of size 1, where there is nothing to leave out.
//
// Fails: an element stride counts where a box visits two positions or more, and the tensor has
// them.
#include "tensor-map.cuh"
#include "tma-interface.cuh"

__global__ void thin(const __grid_constant__ CUtensorMap dest_map,
                     const __grid_constant__ CUtensorMap src_map) {
  __shared__ alignas(128) float tile[8 * 16 * 4];
  __shared__ uint64_t loaded;
  const int x = blockIdx.x * 16;
  const int y = blockIdx.y * 8;
  init_barrier(&loaded, 1);
  async_proxy_fence();
  expect_bytes_and_arrive(&loaded, sizeof(tile));
  cp_async_bulk_tensor_4d_global_to_shared(tile, &src_map, 0, x, y, 0, &loaded);
  wait(&loaded, 0);
  cp_async_bulk_tensor_3d_shared_to_global(&dest_map, 0, x, y, tile);
  tma_store_commit_group();
  tma_store_wait_until_pending_read<0>();
}

void launch_subsample(float* dest, const float* src, int width, int height, int step_x,
                      int step_y) {
  const uint64_t columns = (width + step_x - 1) / step_x;
  const uint64_t rows = (height + step_y - 1) / step_y;
  const uint64_t row_bytes = uint64_t{16} * width;
  TensorMapOptions thinned;
  thinned.element_strides[3] = 2;
  const CUtensorMap src_map = make_tensor_map<float, 4>(
      src, {4, columns, rows, 1}, {uint64_t{16} * step_x, row_bytes * step_y, row_bytes * height},
      {4, 16, 8, 1}, thinned);
  const CUtensorMap dest_map =
      make_tensor_map<float, 3>(dest, {4, columns, rows}, {16, 16 * columns}, {4, 16, 8});
  thin<<<dim3((columns + 15) / 16, (rows + 7) / 8), 1>>>(dest_map, src_map);
}
