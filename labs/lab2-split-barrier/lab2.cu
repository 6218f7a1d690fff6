// Lab 2: the split barrier. Arriving and waiting are two separate steps.
//
// __syncthreads() does both at once, for all threads. An mbarrier lets you arrive now and wait
// later, lets some threads arrive and others wait, and counts what you tell it to count. Four
// parts:
//   phases              one barrier, used again and again
//   several-arrivals    one arrival per warp; a warp that does not need the result does not wait
//   work-while-waiting  ask instead of waiting, and do something useful in between
//   ping-pong           two warps and one buffer: a full and an empty barrier
#include <algorithm>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "cuda-check.cuh"
#include "tma-interface.cuh"

inline constexpr int WARP = 32;

// ---------------------------------------------------------------------------------------------
// Part phases: as many ints as threads. In each round every thread adds the number of its right
// neighbor, as it was before the round, to its own; the last one's neighbor is the first.

inline constexpr int PHASES_THREADS = 256;

__global__ void add_neighbors(int* data, int rounds) {
  __shared__ int values[2][PHASES_THREADS];  // for even and for odd rounds
  int mine = data[threadIdx.x];
  const int neighbor = (threadIdx.x + 1) % PHASES_THREADS;
  // TODO: an mbarrier in place of __syncthreads() (which you need once: see mbarrier.cuh).
  //   * Who initializes it, and for how many arrivals?
  //   * Each round: write `mine` for the others to see, arrive, wait, read the neighbor's.
  //   * The phase of which parity does round r complete?
  //   * There are more rounds than any array of barriers is long: one barrier does them all.
  (void)mine, (void)neighbor, (void)&values, (void)rounds;
  data[threadIdx.x] = mine;
}

void launch_add_neighbors(int* data, int rounds) {
  add_neighbors<<<1, PHASES_THREADS>>>(data, rounds);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part several-arrivals: the sum of count ints, modulo 2^32, by one CTA.

inline constexpr int SUM_WARPS = 8;

// The sum of `value` over the lanes of a warp; all of them get it.
__device__ unsigned warp_sum(unsigned value) {
  return __reduce_add_sync(0xFFFFFFFF, value);
}

__global__ void sum(unsigned* result, const unsigned* data, size_t count) {
  __shared__ unsigned partial[SUM_WARPS];
  const int warp = threadIdx.x / WARP;
  const int lane = threadIdx.x % WARP;

  unsigned mine = 0;
  for (size_t i = threadIdx.x; i < count; i += blockDim.x) mine += data[i];
  mine = warp_sum(mine);
  // TODO: one arrival per warp: lane 0 writes its warp's sum to `partial` and arrives. Only
  // warp 0 waits. It adds up the partial sums, and writes the result.
  (void)warp, (void)lane, (void)&partial, (void)result;
}

void launch_sum(unsigned* result, const unsigned* data, size_t count) {
  sum<<<1, SUM_WARPS * WARP>>>(result, data, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part work-while-waiting: dest[i] = src[i] - the smallest of all src. Warp 0 looks for the
// smallest; the other warps bring src into shared memory while it does, and write dest when it is
// known.

inline constexpr int WORKERS = 7 * WARP;  // the threads of the other warps
inline constexpr int MAX_INTS = 8192;     // count is at most this, and at least 1

__global__ void subtract_smallest(int* dest, const int* src, int count) {
  __shared__ int staged[MAX_INTS];
  __shared__ int smallest;
  // TODO: one mbarrier, one arrival: warp 0 has written `smallest`.
  //   * Warp 0: each lane looks at every 32nd int; then __reduce_min_sync. Lane 0 writes the
  //     result and arrives.
  //   * A worker has the ints worker, worker + WORKERS and so on. As long as test_wait says
  //     that the phase is not over, it stages its next int (if it has one left). Then it stages
  //     the rest, and writes dest from what it has staged. The tests count the polls: who
  //     calls wait, or stages all before the first poll, has not done this part.
  (void)&staged, (void)&smallest, (void)dest, (void)src, (void)count;
}

void launch_subtract_smallest(int* dest, const int* src, int count) {
  subtract_smallest<<<1, WARP + WORKERS>>>(dest, src, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// Part ping-pong: two warps and one buffer. Warp 0 fills the buffer with the next tile of src, warp
// 1 empties it: it writes the tile to dest back to front. The last tile may be shorter.

inline constexpr int TILE_INTS = 128;

__global__ void reverse_tiles(int* dest, const int* src, size_t count) {
  __shared__ int buffer[TILE_INTS];
  const int warp = threadIdx.x / WARP;
  const int lane = threadIdx.x % WARP;
  // TODO: two mbarriers. `full`: warp 0 has written a tile. `empty`: warp 1 has read it.
  //   * All 32 lanes of a warp write (or read), so who arrives, and how often?
  //   * Tile n completes phase n of both barriers, the only two for all tiles. Warp 1 waits for
  //     full's phase n.
  //   * Warp 0 may write tile n when tile n - 1 has been read. The buffer is empty at first:
  //     which parity makes the first wait return at once?
  (void)warp, (void)lane, (void)&buffer, (void)dest, (void)src, (void)count;
}

void launch_reverse_tiles(int* dest, const int* src, size_t count) {
  reverse_tiles<<<1, 2 * WARP>>>(dest, src, count);
  cuda_check(cudaGetLastError());
}

// ---------------------------------------------------------------------------------------------
// A small self-test. (`make test` runs many more cases.)

// Ints in device memory that go back to the host at the end.
class DeviceInts {
 public:
  explicit DeviceInts(const std::vector<int>& host) : count_(host.size()) {
    cuda_check(cudaMalloc(&data_, count_ * sizeof(int)));
    cuda_check(cudaMemcpy(data_, host.data(), count_ * sizeof(int), cudaMemcpyHostToDevice));
  }
  DeviceInts(const DeviceInts&) = delete;
  DeviceInts& operator=(const DeviceInts&) = delete;
  ~DeviceInts() { cudaFree(data_); }
  int* data() const { return data_; }
  std::vector<int> host() const {
    std::vector<int> values(count_);
    cuda_check(cudaMemcpy(values.data(), data_, count_ * sizeof(int), cudaMemcpyDeviceToHost));
    return values;
  }

 private:
  int* data_ = nullptr;
  size_t count_;
};

bool report(const char* part, const std::vector<int>& expected, const std::vector<int>& got) {
  const auto wrong = std::mismatch(expected.begin(), expected.end(), got.begin());
  if (wrong.first == expected.end()) {
    std::printf("%-18s  right\n", part);
    return true;
  }
  std::printf("%-18s  element %td is %d, expected %d\n", part, wrong.first - expected.begin(),
              *wrong.second, *wrong.first);
  return false;
}

std::vector<int> numbers(size_t count) {
  std::vector<int> values(count);
  for (size_t i = 0; i < count; ++i) values[i] = static_cast<int>(i * 2654435761u % 10007);
  return values;
}

bool adds_neighbors() {
  std::vector<int> values = numbers(PHASES_THREADS);
  const DeviceInts data(values);
  launch_add_neighbors(data.data(), 5);
  for (int round = 0; round < 5; ++round) {
    std::vector<int> next = values;
    for (size_t i = 0; i < values.size(); ++i) next[i] += values[(i + 1) % values.size()];
    values = next;
  }
  return report("phases", values, data.host());
}

bool sums() {
  const std::vector<int> values = numbers(100'003);
  const DeviceInts data(values), result({-1});
  launch_sum(reinterpret_cast<unsigned*>(result.data()),
             reinterpret_cast<const unsigned*>(data.data()), values.size());
  return report("several-arrivals", {std::accumulate(values.begin(), values.end(), 0)},
                result.host());
}

bool subtracts_smallest() {
  std::vector<int> values = numbers(5'000);
  for (int& value : values) value += 17;
  const DeviceInts src(values), dest(std::vector<int>(values.size(), -1));
  launch_subtract_smallest(dest.data(), src.data(), static_cast<int>(values.size()));
  const int smallest = *std::min_element(values.begin(), values.end());
  for (int& value : values) value -= smallest;
  return report("work-while-waiting", values, dest.host());
}

bool reverses_tiles() {
  std::vector<int> values = numbers(100'003);
  const DeviceInts src(values), dest(std::vector<int>(values.size(), -1));
  launch_reverse_tiles(dest.data(), src.data(), values.size());
  for (size_t begin = 0; begin < values.size(); begin += TILE_INTS) {
    std::reverse(values.begin() + begin,
                 values.begin() + std::min(begin + TILE_INTS, values.size()));
  }
  return report("ping-pong", values, dest.host());
}

int main() {
  bool right = adds_neighbors();
  right &= sums();
  right &= subtracts_smallest();
  right &= reverses_tiles();
  return right ? 0 : 1;
}
