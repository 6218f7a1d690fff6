// %is_explicit_cluster: whether somebody asked for a cluster, also for one of a single CTA.
// st.async asks the same question.
#include "runtime_test.h"
#include "tma-interface.cuh"

struct Seen {
  unsigned is_explicit;
  unsigned ctas;
};

__device__ void look(Seen* seen) {
  asm volatile(
      "{\n\t.reg .pred is_explicit;\n\tmov.pred is_explicit, %%is_explicit_cluster;\n\t"
      "selp.u32 %0, 1, 0, is_explicit;\n\tmov.u32 %1, %%cluster_nctarank;\n\t}"
      : "=r"(seen->is_explicit), "=r"(seen->ctas));
}

__global__ void asks_for_none(Seen* seen) {
  look(seen);
}
__global__ void __cluster_dims__(1) asks_for_one(Seen* seen) {
  look(seen);
}
__global__ void __cluster_dims__(2) asks_for_two(Seen* seen) {
  if (blockIdx.x == 0) look(seen);
}

__device__ void store_to_itself(unsigned* result) {
  __shared__ uint64_t stored;
  __shared__ unsigned cell;
  init_barrier(&stored, 1);
  fence_barrier_init();
  expect_bytes_and_arrive(&stored, sizeof cell);
  asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], 77, [%1];" ::"r"(
                   static_cast<unsigned>(__cvta_generic_to_shared(&cell))),
               "r"(static_cast<unsigned>(__cvta_generic_to_shared(&stored)))
               : "memory");
  wait(&stored, 0);
  *result = cell;
}
__global__ void stores_without(unsigned* result) {
  store_to_itself(result);
}
__global__ void __cluster_dims__(1) stores_in_one(unsigned* result) {
  store_to_itself(result);
}

// Of four CTAs. `cluster`: of the launch's attribute; 0: it has none.
template <class T>
cudaError_t launch(void (*kernel)(T*), unsigned cluster, T* result) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {cluster, 1, 1};
  cudaLaunchConfig_t configuration{};
  configuration.gridDim = 4;
  configuration.blockDim = 1;
  configuration.attrs = &attribute;
  configuration.numAttrs = cluster == 0 ? 0 : 1;
  const cudaError_t launched = cudaLaunchKernelEx(&configuration, kernel, result);
  return launched == cudaSuccess ? cudaDeviceSynchronize() : launched;
}

int main() {
  Seen* seen;
  CHECK_OK(cudaMallocManaged(&seen, sizeof *seen));
  const auto is = [&](unsigned is_explicit, unsigned ctas) {
    return seen->is_explicit == is_explicit && seen->ctas == ctas;
  };
  CHECK_OK(launch(asks_for_none, 0, seen));
  CHECK(is(0, 1));
  CHECK_OK(launch(asks_for_none, 1, seen));
  CHECK(is(1, 1));
  CHECK_OK(launch(asks_for_none, 2, seen));
  CHECK(is(1, 2));
  for (const unsigned attribute : {0u, 1u}) {
    CHECK_OK(launch(asks_for_one, attribute, seen));
    CHECK(is(1, 1));
  }
  for (const unsigned attribute : {0u, 2u}) {
    CHECK_OK(launch(asks_for_two, attribute, seen));
    CHECK(is(1, 2));
  }
  CHECK_ERROR(cudaErrorInvalidClusterSize, launch(asks_for_one, 2, seen));
  CHECK_ERROR(cudaErrorInvalidClusterSize, launch(asks_for_two, 1, seen));

  unsigned* result;
  CHECK_OK(cudaMallocManaged(&result, sizeof *result));
  CHECK_OK(launch(stores_in_one, 0, result));
  CHECK(*result == 77);
  CHECK_OK(launch(stores_without, 1, result));
  CHECK(*result == 77);
  CHECK_ERROR(cudaErrorIllegalInstruction, launch(stores_without, 0, result));
  return runtime_test::result();
}
