// How many CTAs of a kernel an SM holds, as the toolkit's cuda_occupancy.h has it for compute
// capability 9.0.
#include <algorithm>

#include "common/round_up.h"
#include "emulator/device/device.h"
#include "emulator/model/h200.h"
#include "emulator/program/program.h"

namespace tmaemu {
namespace {

using common::round_up;

std::size_t warps_of(std::size_t threads) {
  return (threads + warp_size - 1) / warp_size;
}

std::size_t registers_of_warp(const fatbin::KernelResources& kernel) {
  return round_up(std::size_t{kernel.registers} * warp_size, h200::register_unit);
}

// The check at a launch takes the warps of a CTA to be the same number in every part of the SM.
bool has_registers_for(const fatbin::KernelResources& kernel, std::size_t warps) {
  return registers_of_warp(kernel) * round_up(warps, h200::parts_of_sm) <= h200::registers_per_sm;
}

std::size_t ctas_by_registers(const fatbin::KernelResources& kernel, std::size_t warps) {
  if (!has_registers_for(kernel, warps)) return 0;
  const std::size_t warps_of_part =
      h200::registers_per_sm / h200::parts_of_sm / registers_of_warp(kernel);
  return warps_of_part * h200::parts_of_sm / warps;
}

}  // namespace

std::uint32_t max_threads_per_cta(const KernelInfo& kernel) {
  std::uint32_t threads = kernel.max_threads;
  while (kernel.resources && !has_registers_for(*kernel.resources, warps_of(threads))) {
    threads = static_cast<std::uint32_t>((warps_of(threads) - 1) * warp_size);
  }
  return threads;
}

int Device::resident_ctas_per_sm(const KernelInfo& kernel, std::uint32_t threads,
                                 std::size_t dynamic_shared_bytes) const {
  if (threads == 0) return 0;
  const std::size_t warps = warps_of(threads);
  const std::size_t shared = round_up(
      kernel.static_shared_bytes + dynamic_shared_bytes + h200::reserved_shared_bytes_per_cta,
      h200::shared_unit);
  std::size_t ctas =
      std::min({h200::max_threads_per_sm / (warps * warp_size), h200::shared_bytes_per_sm / shared,
                static_cast<std::size_t>(h200::max_ctas_per_sm)});
  if (kernel.resources) {
    ctas = std::min(ctas, ctas_by_registers(*kernel.resources, warps));
    const std::size_t barriers = std::max<std::size_t>(kernel.resources->barriers, 1);
    ctas = std::min(ctas, h200::barriers_per_sm / barriers);
  }
  return static_cast<int>(ctas);
}

}  // namespace tmaemu
