#include <string>

#include "common/round_up.h"
#include "judge/arrays/stream_hash.cuh"
#include "judge/time/snapshot.h"

namespace judge {
namespace {

using Word = std::uint32_t;

// Each buffer gets as many samples as every other, whatever its size: the small ones are outputs of
// reductions.
__device__ Word sample(const Snapshot::Buffer* buffers, std::uint32_t count, std::uint32_t number,
                       std::uint64_t seed) {
  const Snapshot::Buffer buffer = buffers[number % count];
  const std::uint64_t random =
      std::uint64_t{stream_hash(2 * number, seed)} << 32 | stream_hash(2 * number + 1, seed);
  return static_cast<const Word*>(buffer.address)[random % (buffer.bytes / sizeof(Word))];
}

__global__ void take_samples(const Snapshot::Buffer* buffers, std::uint32_t count,
                             std::uint64_t seed, Word* samples) {
  const auto number = static_cast<std::uint32_t>(thread_number());
  samples[number] = sample(buffers, count, number, seed);
}

__global__ void count_changes(const Snapshot::Buffer* buffers, std::uint32_t count,
                              std::uint64_t seed, const Word* samples, std::uint32_t* changes) {
  const auto number = static_cast<std::uint32_t>(thread_number());
  if (samples[number] != sample(buffers, count, number, seed)) atomicAdd(changes, 1U);
}

common::Status check(cudaError_t error) {
  if (error == cudaSuccess) return {};
  return common::Error{std::string("the judge's own sampling of arrays failed: ") +
                       cudaGetErrorString(error)};
}

}  // namespace

common::Result<Snapshot> Snapshot::create(Device& device, const std::vector<Buffer>& buffers) {
  // Each in blocks of its own, which no runner has mapped.
  auto list = device.allocate(common::round_up(buffers.size() * sizeof(Buffer), block_bytes));
  if (!list) return list.error();
  auto samples = device.allocate(common::round_up(sample_count * sizeof(Word), block_bytes));
  if (!samples) return samples.error();
  auto changes = device.allocate(block_bytes);
  if (!changes) return changes.error();
  if (auto put = device.write(*list, 0, std::as_bytes(std::span(buffers))); !put) {
    return put.error();
  }
  return Snapshot(std::move(list).value(), static_cast<std::uint32_t>(buffers.size()),
                  std::move(samples).value(), std::move(changes).value());
}

common::Status Snapshot::take(std::uint64_t seed) {
  seed_ = seed;
  take_samples<<<sample_count / stream_threads, stream_threads>>>(
      static_cast<const Buffer*>(buffers_.address()), count_, seed_,
      static_cast<Word*>(samples_.address()));
  if (auto launched = check(cudaGetLastError()); !launched) return launched;
  return check(cudaDeviceSynchronize());
}

common::Result<std::uint32_t> Snapshot::changed() {
  auto* changes = static_cast<std::uint32_t*>(changes_.address());
  if (auto set = check(cudaMemset(changes, 0, sizeof *changes)); !set) return set.error();
  count_changes<<<sample_count / stream_threads, stream_threads>>>(
      static_cast<const Buffer*>(buffers_.address()), count_, seed_,
      static_cast<const Word*>(samples_.address()), changes);
  if (auto launched = check(cudaGetLastError()); !launched) return launched.error();
  std::uint32_t counted = 0;
  if (auto got = check(cudaMemcpy(&counted, changes, sizeof counted, cudaMemcpyDeviceToHost));
      !got) {
    return got.error();
  }
  return counted;
}

}  // namespace judge
