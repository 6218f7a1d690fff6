#include "emulator/isa/address.h"

#include <cstdio>
#include <string>

#include "emulator/sched/cta.h"

namespace tmaemu {
namespace {

std::string hexadecimal(std::uint64_t value) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

std::string access_text(std::string_view verb, unsigned bytes, std::string_view where,
                        std::uint64_t address) {
  return std::string(verb) + " of " + std::to_string(bytes) + " bytes at " + std::string(where) +
         " address " + hexadecimal(address);
}

void check_alignment(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                     unsigned bytes, std::string_view verb) {
  if ((address & (bytes - 1)) == 0) return;
  warp.fault(op, lane, LaunchOutcome::misaligned_address,
             access_text(verb, bytes, "", address) + ", which is not a multiple of " +
                 std::to_string(bytes));
}

Place resolve_global(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                     unsigned bytes, std::string_view verb) {
  std::byte* host = warp.global(address, bytes);
  if (host == nullptr) {
    warp.fault(op, lane, LaunchOutcome::illegal_address,
               access_text(verb, bytes, "global", address) + ": " +
                   warp.cta().cluster.launch.memory->describe(address));
  }
  return {host, nullptr, 0};
}

Place resolve_shared(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                     unsigned bytes, std::string_view verb) {
  Cluster& cluster = warp.cta().cluster;
  const auto shared = static_cast<std::uint32_t>(address);
  if (address >= window_size || !cluster.has(shared, bytes)) {
    warp.fault(
        op, lane, LaunchOutcome::illegal_address,
        access_text(verb, bytes, "shared", address) + ", outside the " +
            std::to_string(cluster.launch.shared_bytes - h200::reserved_shared_bytes_per_cta) +
            " bytes of shared memory that the CTA has");
  }
  Cta& cta = cluster.cta(shared);
  const std::uint32_t offset = shared_offset(shared);
  return {cta.shared.generic() + offset, &cta, offset};
}

Place resolve_local(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                    unsigned bytes, std::string_view verb) {
  const std::size_t size = warp.local_bytes(lane);
  if (address > size || bytes > size - address) {
    warp.fault(op, lane, LaunchOutcome::illegal_address,
               access_text(verb, bytes, "local", address) + ", outside the thread's " +
                   std::to_string(size) + " bytes of local memory");
  }
  return {warp.local(lane) + address, nullptr, 0};
}

// Kernel parameters have generic addresses, too (`__grid_constant__`); nothing may write them.
Place resolve_parameter(Warp& warp, const Operation& op, unsigned lane, std::uint64_t offset,
                        unsigned bytes, std::string_view verb) {
  const auto parameters = warp.cta().cluster.launch.request->parameters;
  if (verb != "load" || offset > parameters.size() || bytes > parameters.size() - offset) {
    warp.fault(op, lane, LaunchOutcome::illegal_address,
               access_text(verb, bytes, "kernel parameter", offset) + ": parameters are " +
                   std::to_string(parameters.size()) + " bytes and read-only");
  }
  return {const_cast<std::byte*>(parameters.data()) + offset, nullptr, 0};
}

}  // namespace

std::uint64_t address_of(Warp& warp, const MemoryAccess& access, unsigned lane) {
  const MemoryOperand& memory = access.address;
  std::uint64_t base = 0;
  if (memory.base_bytes == 8) {
    base = warp.lanes<u64>(memory.slot)[lane];
  } else if (memory.base_bytes == 4) {
    // 32-bit addresses do not carry into the upper half.
    return warp.lanes<u32>(memory.slot)[lane] + static_cast<u32>(memory.offset);
  }
  return base + static_cast<std::uint64_t>(memory.offset);
}

Place resolve(Warp& warp, const Operation& op, unsigned lane, AddressSpace space,
              std::uint64_t address, unsigned bytes, std::string_view verb) {
  check_alignment(warp, op, lane, address, bytes, verb);
  switch (space) {
    case AddressSpace::global:
      return resolve_global(warp, op, lane, address, bytes, verb);
    case AddressSpace::shared:
    case AddressSpace::shared_cluster:
      return resolve_shared(warp, op, lane, address, bytes, verb);
    case AddressSpace::local:
      return resolve_local(warp, op, lane, address, bytes, verb);
    case AddressSpace::parameter:
      return resolve_parameter(warp, op, lane, address, bytes, verb);
    case AddressSpace::generic:
      break;
  }
  if (in_window(address, shared_window)) {
    return resolve_shared(warp, op, lane, address - shared_window, bytes, verb);
  }
  if (in_window(address, local_window)) {
    return resolve_local(warp, op, lane, address - local_window, bytes, verb);
  }
  if (in_window(address, param_window)) {
    return resolve_parameter(warp, op, lane, address - param_window, bytes, verb);
  }
  return resolve_global(warp, op, lane, address, bytes, verb);
}

std::uint32_t shared_address(Warp& warp, const Operation& op, unsigned lane, std::uint64_t address,
                             unsigned bytes, std::string_view what) {
  if (in_window(address, shared_window)) address -= shared_window;
  if (address >= window_size || !warp.cta().cluster.has(static_cast<u32>(address), bytes)) {
    warp.fault(op, lane, LaunchOutcome::illegal_address,
               std::string(what) + " at " + hexadecimal(address) + " (" + std::to_string(bytes) +
                   " bytes) is not in shared memory of this cluster; each CTA has " +
                   std::to_string(warp.cta().cluster.launch.shared_bytes -
                                  h200::reserved_shared_bytes_per_cta) +
                   " bytes");
  }
  return static_cast<std::uint32_t>(address);
}

AddressSpace space_of(const ptx::Instruction& instruction) {
  for (const std::string_view part : instruction.parts) {
    if (part == "global" || part == "const") return AddressSpace::global;
    if (part == "shared" || part == "shared::cta") return AddressSpace::shared;
    if (part == "shared::cluster") return AddressSpace::shared_cluster;
    if (part == "local") return AddressSpace::local;
  }
  return AddressSpace::generic;
}

std::byte* resolve_coalesced(Warp& warp, const MemoryAccess& access, unsigned bytes) {
  const bool may_be_global =
      access.space == AddressSpace::global || access.space == AddressSpace::generic;
  if (!may_be_global || access.address.base_bytes != 8) return nullptr;
  const u64* base = warp.lanes<u64>(access.address.slot);
  u64 differs = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    differs |= base[lane] ^ (base[0] + u64{lane} * bytes);
  }
  const u64 first = base[0] + static_cast<u64>(access.address.offset);
  if (differs != 0 || (first & (bytes - 1)) != 0) return nullptr;
  // Windows of other spaces are no global memory, so this finds nothing there.
  return warp.global(first, std::size_t{bytes} * warp_size);
}

}  // namespace tmaemu
