// Right programs of clusters that look like mistakes: the peer starts the next phase of an mbarrier
// only when it has heard that the last one was seen, but nothing that it hears by orders memory.
// There is nothing to find in them; what the harness calls mistaken is the right kernel once more.
#include "harness.h"
#include "memory_order.h"
#include "ptx.h"

template <auto kernel, Shape shape>
constexpr Pair right(const char* name) {
  return pair<kernel, kernel, the_input, shape>(name);
}
constexpr int STEPS = 4;
constexpr Shape PAIR_OF_CTAS{.blocks = 2, .threads = 32, .checked = STEPS};

// One thread of the second CTA sends a value, and tells the first CTA so.
__device__ void send(int* value, int sent, uint64_t* signal) {
  store_remote(address_in_cta(value, 0), sent);
  arrive_remote(address_in_cta(signal, 0));
}

//: pair told_by_bytes
// The answer is a copy's bytes: they are counted when the copy is done, which is after its issue.
__global__ void __cluster_dims__(2) told_by_bytes(const int* in, int* out) {
  __shared__ uint64_t signal, answer;
  __shared__ int values[STEPS];
  __shared__ alignas(16) int token[4], answers[STEPS][4];
  if (threadIdx.x == 0) {
    init_barrier(&signal, 1);
    init_barrier(&answer, 1);
    fence_barrier_init();
  }
  if (threadIdx.x < 4) {
    token[threadIdx.x] = in[threadIdx.x];
  }
  fence_proxy_async();
  cluster_sync();
  for (int step = 0; threadIdx.x == 0 && step < STEPS; ++step) {
    if (cluster_rank() == 1) {
      arrive_and_expect(&answer, sizeof(token));
      send(&values[step], in[step], &signal);
      wait_parity(&answer, step % 2);
    } else {
      wait_parity_cluster(&signal, step % 2);
      out[step] = values[step];
      copy_bulk_to_cta(address_in_cta(answers[step], 1), token, sizeof(token),
                       address_in_cta(&answer, 1));
    }
  }
  cluster_sync();
}

//: pair told_by_a_relaxed_barrier
__global__ void __cluster_dims__(2) told_by_a_relaxed_barrier(const int* in, int* out) {
  __shared__ uint64_t signal;
  __shared__ int values[STEPS];
  if (threadIdx.x == 0) {
    init_barrier(&signal, 1);
    fence_barrier_init();
  }
  cluster_sync();
  for (int step = 0; step < STEPS; ++step) {
    if (threadIdx.x == 0 && cluster_rank() == 1) {
      send(&values[step], in[step], &signal);
    } else if (threadIdx.x == 0) {
      wait_parity_cluster(&signal, step % 2);
      out[step] = values[step];
    }
    __syncwarp();
    cluster_arrive_relaxed();
    cluster_wait();
  }
  cluster_sync();
}

//: pair told_by_a_relaxed_flag
__global__ void __cluster_dims__(2) told_by_a_relaxed_flag(const int* in, int* out, int* seen) {
  __shared__ uint64_t signal;
  __shared__ int values[STEPS];
  if (threadIdx.x == 0) {
    init_barrier(&signal, 1);
    fence_barrier_init();
  }
  cluster_sync();
  for (int step = 0; threadIdx.x == 0 && step < STEPS; ++step) {
    if (cluster_rank() == 1) {
      send(&values[step], in[step], &signal);
      while (load_relaxed(seen) <= step) {
      }
    } else {
      wait_parity_cluster(&signal, step % 2);
      out[step] = values[step];
      store_relaxed(seen, step + 1);
    }
  }
  cluster_sync();
}

//: pair told_by_a_third
// The answer goes around by a CTA that has nothing else to do with it.
__global__ void __cluster_dims__(3) told_by_a_third(const int* in, int* out) {
  __shared__ uint64_t signal, answer;
  __shared__ int values[STEPS], answers[STEPS];
  if (threadIdx.x == 0) {
    init_barrier(&signal, 1);
    init_barrier(&answer, 1);
    fence_barrier_init();
  }
  cluster_sync();
  for (int step = 0; threadIdx.x == 0 && step < STEPS; ++step) {
    const auto pass_on_to = [&](unsigned rank) {
      store_async(address_in_cta(&answers[step], rank), step, address_in_cta(&answer, rank));
    };
    if (cluster_rank() == 0) {
      wait_parity_cluster(&signal, step % 2);
      out[step] = values[step];
      pass_on_to(2);
    } else {
      arrive_and_expect(&answer, sizeof(int));
      if (cluster_rank() == 1) {
        send(&values[step], in[step], &signal);
      }
      wait_parity_relaxed(&answer, step % 2);
      if (cluster_rank() == 2) {
        pass_on_to(1);
      }
    }
  }
  cluster_sync();
}

//: pair both_ctas_arrive
__global__ void __cluster_dims__(2) both_ctas_arrive(const int* in, int* out) {
  __shared__ uint64_t signal;
  __shared__ int values[STEPS];
  if (threadIdx.x == 0) {
    init_barrier(&signal, 2);
    fence_barrier_init();
  }
  cluster_sync();
  for (int step = 0; step < STEPS; ++step) {
    if (threadIdx.x == 0 && cluster_rank() == 1) {
      send(&values[step], in[step], &signal);
    } else if (threadIdx.x == 0) {
      arrive(&signal);
      wait_parity_cluster(&signal, step % 2);
      out[step] = values[step];
    }
    __syncwarp();
    cluster_arrive_relaxed();
    cluster_wait();
  }
  cluster_sync();
}

//: pair announced_before_the_peer_arrives
// The first CTA announces the bytes, and the arrival comes from the second, which has heard of it.
__global__ void __cluster_dims__(2) announced_before_the_peer_arrives(const int* in, int* out) {
  __shared__ uint64_t full;
  __shared__ alignas(16) int tile[4], received[4];
  if (threadIdx.x == 0) {
    init_barrier(&full, 1);
    fence_barrier_init();
  }
  if (threadIdx.x < 4) {
    tile[threadIdx.x] = in[threadIdx.x];
  }
  fence_proxy_async();
  cluster_sync();
  if (threadIdx.x == 0 && cluster_rank() == 0) {
    expect(&full, sizeof(tile));
  }
  __syncwarp();
  cluster_arrive_relaxed();
  cluster_wait();
  if (threadIdx.x == 0 && cluster_rank() == 1) {
    copy_bulk_to_cta(address_in_cta(received, 0), tile, sizeof(tile), address_in_cta(&full, 0));
    arrive_remote(address_in_cta(&full, 0));
  }
  if (cluster_rank() == 0) {
    wait_parity_cluster(&full, 0);
    if (threadIdx.x < STEPS) {
      out[threadIdx.x] = received[threadIdx.x];
    }
  }
  cluster_sync();
}

//: pair seen_before_the_end
// A relaxed arrival orders no memory; but who has waited for the phase that it completes knows that
// it is over, and may end.
__global__ void __cluster_dims__(2) seen_before_the_end(const int* in, int* out) {
  __shared__ uint64_t done;
  if (threadIdx.x == 0) {
    init_barrier(&done, 1);
    fence_barrier_init();
  }
  cluster_sync();
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.arrive.relaxed.cluster.shared::cluster.b64 _, [%0];" ::"r"(
                     address_in_cta(&done, cluster_rank() ^ 1))
                 : "memory");
  }
  wait_parity(&done, 0);
  if (cluster_rank() == 0 && threadIdx.x < STEPS) out[threadIdx.x] = in[threadIdx.x];
}

// Both CTAs announce the bytes, and only the first gets them: at the other one nothing comes, and
// nobody waits.
//: pair announced_in_both_ctas
__global__ void __cluster_dims__(2) announced_in_both_ctas(const int* in, int* out) {
  __shared__ alignas(128) int tile[128];
  __shared__ uint64_t full;
  prepare_barrier(&full, 1);
  if (threadIdx.x == 0) arrive_and_expect(&full, sizeof(tile));
  if (cluster_rank() == 0) {
    if (threadIdx.x == 0) load_bulk(tile, in, sizeof(tile), &full);
    wait_parity(&full, 0);
    out[threadIdx.x] = tile[threadIdx.x];
  }
}

constexpr Pair pairs[] = {
    right<told_by_bytes, PAIR_OF_CTAS>("told_by_bytes"),
    right<told_by_a_relaxed_barrier, PAIR_OF_CTAS>("told_by_a_relaxed_barrier"),
    right<told_by_a_relaxed_flag, PAIR_OF_CTAS>("told_by_a_relaxed_flag"),
    right<told_by_a_third, Shape{.blocks = 3, .threads = 32, .checked = STEPS}>("told_by_a_third"),
    right<both_ctas_arrive, PAIR_OF_CTAS>("both_ctas_arrive"),
    right<announced_before_the_peer_arrives, PAIR_OF_CTAS>("announced_before_the_peer_arrives"),
    right<seen_before_the_end, PAIR_OF_CTAS>("seen_before_the_end"),
    right<announced_in_both_ctas, Shape{.blocks = 2}>("announced_in_both_ctas"),
};

int main(int argc, char** argv) {
  return run_pairs(pairs, argc, argv);
}
