// One warp moves, the others add; a pair of mbarriers a slot hands it over in each direction.
#include "cuda-check.cuh"
#include "tma-interface.cuh"

#define WORKERS 192
#define SLOTS 4
#define SLOT_INTS 1792

__global__ void mover_and_workers(int* data, long long n4) {
  __shared__ alignas(128) int4 slots[SLOTS][SLOT_INTS / 4];
  __shared__ uint64_t filled[SLOTS], done[SLOTS];
  const long long vectors_a_slot = SLOT_INTS / 4;
  int4* const vectors = reinterpret_cast<int4*>(data);
  if (threadIdx.x == 0) {
    for (int s = 0; s < SLOTS; s++) {
      init_barrier(&filled[s], 1);
      init_barrier(&done[s], WORKERS);
    }
    async_proxy_fence();
  }
  __syncthreads();
  const long long step = vectors_a_slot * gridDim.x;
  const long long mine = vectors_a_slot * blockIdx.x;

  if (threadIdx.x >= WORKERS) {
    if (threadIdx.x != WORKERS) return;
    int fill = 0, drain = 0;
    long long ahead = mine, behind = mine;
    while (behind < n4) {
      // As far ahead as there are slots; one that was drained is free when its store has read it.
      while (ahead < n4 && fill - drain < SLOTS - 1) {
        const int s = fill % SLOTS;
        const int size = 16 * static_cast<int>(min(vectors_a_slot, n4 - ahead));
        tma_store_wait_until_pending_read<0>();
        expect_bytes_and_arrive(&filled[s], size);
        cp_async_bulk_global_to_shared(slots[s], vectors + ahead, size, &filled[s]);
        ahead += step;
        ++fill;
      }
      const int s = drain % SLOTS;
      wait(&done[s], drain / SLOTS % 2);
      cp_async_bulk_shared_to_global(vectors + behind, slots[s],
                                     16 * static_cast<int>(min(vectors_a_slot, n4 - behind)));
      tma_store_commit_group();
      behind += step;
      ++drain;
    }
    tma_store_wait_until_pending_read<0>();
    return;
  }

  int turn = 0;
  for (long long from = mine; from < n4; from += step) {
    const int s = turn % SLOTS;
    wait(&filled[s], turn / SLOTS % 2);
    const int here = static_cast<int>(min(vectors_a_slot, n4 - from));
    for (int i = threadIdx.x; i < here; i += WORKERS) {
      int4& v = slots[s][i];
      v = make_int4(v.x + 1, v.y + 1, v.z + 1, v.w + 1);
    }
    async_proxy_fence();
    arrive(&done[s], 1);
    ++turn;
  }
}

__global__ void last_ints(int* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] += 1;
}

static void run(int* data, size_t count, unsigned most) {
  const long long n4 = static_cast<long long>(count / 4);
  const long long wanted = (n4 + SLOT_INTS / 4 - 1) / (SLOT_INTS / 4);
  if (n4 > 0) {
    const unsigned ctas = wanted < most ? static_cast<unsigned>(wanted) : most;
    mover_and_workers<<<ctas, WORKERS + 32>>>(data, n4);
  }
  if (count % 4 != 0) last_ints<<<1, 4>>>(data + count / 4 * 4, static_cast<int>(count % 4));
  cuda_check(cudaGetLastError());
}

void launch_add_one_tile(int* data, int count) {
  run(data, count, 1);
}
void launch_add_one(int* data, size_t count) {
  run(data, count, 1u << 30);
}
void launch_add_one_pipeline(int* data, size_t count) {
  run(data, count, 264);
}
