#include "emulator/isa/address.h"

#include <utility>

#include "common/hexadecimal.h"
#include "contract/findings/sentences.h"
#include "emulator/isa/report.h"
#include "emulator/model/h200.h"
#include "emulator/sched/cluster.h"

namespace tmaemu {
namespace {

using common::hexadecimal;

// One lane's access, with its address in the state space that it is resolved to.
struct LaneAccess {
  Warp& warp;
  const Operation& op;
  unsigned lane;
  AddressSpace space;
  std::uint64_t address;
  unsigned bytes;
  AccessKind kind;
};

std::string_view name_of(AccessKind kind) {
  switch (kind) {
    case AccessKind::load:
      return "load";
    case AccessKind::store:
      return "store";
    case AccessKind::atomic:
      break;
  }
  return "atomic";
}

std::string_view name_of(AddressSpace space) {
  switch (space) {
    case AddressSpace::shared:
    case AddressSpace::shared_cluster:
      return "shared";
    case AddressSpace::local:
      return "local";
    case AddressSpace::parameter:
      return "kernel parameter";
    case AddressSpace::generic:
    case AddressSpace::global:
      break;
  }
  return "global";
}

// The state space that a generic address points into, and the address there.
void leave_generic(LaneAccess& access) {
  if (access.space != AddressSpace::generic) return;
  access.space = AddressSpace::global;
  constexpr std::pair<std::uint64_t, AddressSpace> windows[] = {
      {shared_window, AddressSpace::shared_cluster},
      {local_window, AddressSpace::local},
      {param_window, AddressSpace::parameter}};
  for (const auto& [window, space] : windows) {
    if (!in_window(access.address, window)) continue;
    access.address -= window;
    access.space = space;
    return;
  }
}

Values values_of(const LaneAccess& access, Value why) {
  return {name_of(access.kind), access.bytes, hexadecimal(access.address), std::move(why)};
}

[[noreturn]] void refuse(const LaneAccess& access, Sentence sentence, Value why) {
  access.warp.fault(access.op, access.lane, sentence, values_of(access, std::move(why)));
}

// It is outside of what the program has, and a GPU goes on.
void notice(const LaneAccess& access, Sentence sentence, Value why) {
  notice(access.warp, finding_at(access.warp, access.op, access.lane, sentence,
                                 values_of(access, std::move(why))));
}

void check_alignment(const LaneAccess& access) {
  if ((access.address & (access.bytes - 1)) == 0) return;
  access.warp.fault(access.op, access.lane, Sentence::access_misaligned,
                    {name_of(access.kind), access.bytes, name_of(access.space),
                     hexadecimal(access.address), access.bytes});
}

Place resolve_global(const LaneAccess& access, bool may_reach_over) {
  constexpr unsigned word = 4;
  const unsigned bytes = may_reach_over && access.bytes == word ? 1 : access.bytes;
  std::byte* host = access.warp.global(access.address, bytes);
  if (host == nullptr) {
    const Cluster& cluster = access.warp.cta().cluster;
    const GlobalMemory& memory = *cluster.launch.memory;
    host = memory.reach(access.address, bytes);
    if (host == nullptr) {
      refuse(access, Sentence::global_access_outside, memory.describe(access.address));
    }
    if (cluster.observer() != nullptr) {
      notice(access, Sentence::global_access_unreported, memory.describe(access.address));
    }
  }
  return {host, nullptr, 0};
}

std::size_t shared_bytes_of(const Cluster& cluster) {
  return cluster.launch.shared_bytes - h200::reserved_shared_bytes_per_cta;
}

// Whether a shared::cluster address is one that mapa makes of a rank that no CTA has.
bool is_of_no_cta(const Cluster& cluster, std::uint64_t address) {
  return address < window_size && shared_rank(static_cast<u32>(address)) >= cluster.ctas.size();
}

// Whether a cluster might have a CTA of that rank: then an H200 gives another error.
bool is_of_missing_cta(const Cluster& cluster, std::uint64_t address) {
  return cluster.launch.request->explicit_cluster &&
         shared_rank(static_cast<u32>(address)) < h200::largest_cluster;
}

// Whether an instruction whose state space is the shared memory of its own CTA is given an address
// in that of another one. PTX ISA, "mapa", "Shared State Space": an address of shared::cta is one
// of shared::cluster, too, and not the other way around.
bool is_of_another_cta(const Warp& warp, AddressSpace space, std::uint64_t address) {
  return space == AddressSpace::shared && address < window_size &&
         shared_rank(static_cast<u32>(address)) != warp.cta().rank;
}

// In front of the first byte of shared memory lies what would be the last rank's.
[[noreturn]] void refuse_of_another_cta(const LaneAccess& access) {
  const Cluster& cluster = access.warp.cta().cluster;
  if (shared_rank(static_cast<u32>(access.address)) >= h200::largest_cluster) {
    refuse(access, Sentence::shared_access_far_outside, shared_bytes_of(cluster));
  }
  access.warp.fault(access.op, access.lane, Sentence::access_of_another_cta,
                    {name_of(access.kind), access.bytes, hexadecimal(access.address),
                     shared_rank(static_cast<u32>(access.address)), access.warp.cta().rank});
}

std::string count_of_ctas(const Cluster& cluster) {
  return std::to_string(cluster.ctas.size()) + (cluster.ctas.size() == 1 ? " CTA" : " CTAs");
}

Place resolve_shared(const LaneAccess& access) {
  Cluster& cluster = access.warp.cta().cluster;
  const auto shared = static_cast<std::uint32_t>(access.address);
  if (is_of_no_cta(cluster, access.address)) {
    access.warp.fault(access.op, access.lane,
                      is_of_missing_cta(cluster, access.address) ? Sentence::access_of_missing_cta
                                                                 : Sentence::access_of_no_cta,
                      {name_of(access.kind), access.bytes, hexadecimal(access.address),
                       shared_rank(shared), count_of_ctas(cluster)});
  }
  if (access.address >= window_size || !cluster.has(shared, access.bytes)) {
    const bool is_mapped = access.address < window_size && cluster.maps(shared, access.bytes);
    if (!is_mapped) refuse(access, Sentence::shared_access_outside, shared_bytes_of(cluster));
    notice(access, Sentence::shared_access_unreported, shared_bytes_of(cluster));
  }
  Cta& cta = cluster.cta(shared);
  const std::uint32_t offset = shared_offset(shared);
  return {cta.shared.generic() + offset, &cta, offset};
}

// An H100 answered reads 64 KiB in front of a thread's local memory, and 16 MiB behind it.
bool is_mapped_local(std::uint64_t address) {
  constexpr std::uint64_t before = std::uint64_t{64} << 10;
  constexpr std::uint64_t behind = std::uint64_t{16} << 20;
  return address + before < before + behind;
}

Place resolve_local(const LaneAccess& access) {
  const std::size_t size = access.warp.local_bytes(access.lane);
  if (access.address <= size && access.bytes <= size - access.address) {
    return {access.warp.local(access.lane) + access.address, nullptr, 0};
  }
  if (!is_mapped_local(access.address)) refuse(access, Sentence::local_access_outside, size);
  notice(access, Sentence::local_access_unreported, size);
  return {access.warp.beyond_local(access.lane, access.address), nullptr, 0};
}

// An H100 answered reads of 16 KiB behind a kernel's parameters.
bool is_mapped_parameter(std::uint64_t address) {
  return address < std::uint64_t{16} << 10;
}

// Kernel parameters have generic addresses, too (`__grid_constant__`); nothing may write them.
Place resolve_parameter(const LaneAccess& access) {
  const auto parameters = access.warp.cta().cluster.launch.request->parameters;
  const bool is_inside =
      access.address <= parameters.size() && access.bytes <= parameters.size() - access.address;
  if (access.kind != AccessKind::load || !(is_inside || is_mapped_parameter(access.address))) {
    refuse(access, Sentence::parameter_access_outside, parameters.size());
  }
  if (is_inside) return {const_cast<std::byte*>(parameters.data()) + access.address, nullptr, 0};
  notice(access, Sentence::parameter_access_unreported, parameters.size());
  static constexpr std::array<std::byte, 64> zeros{};
  return {const_cast<std::byte*>(zeros.data()), nullptr, 0};
}

}  // namespace

Place resolve(Warp& warp, const Operation& op, unsigned lane, AddressSpace space,
              std::uint64_t address, unsigned bytes, AccessKind kind, bool may_reach_over) {
  LaneAccess access{warp, op, lane, space, address, bytes, kind};
  leave_generic(access);
  if (is_of_another_cta(warp, access.space, access.address)) refuse_of_another_cta(access);
  check_alignment(access);
  switch (access.space) {
    case AddressSpace::shared:
    case AddressSpace::shared_cluster:
      return resolve_shared(access);
    case AddressSpace::local:
      return resolve_local(access);
    case AddressSpace::parameter:
      return resolve_parameter(access);
    case AddressSpace::generic:
    case AddressSpace::global:
      break;
  }
  return resolve_global(access, may_reach_over);
}

namespace {

// Refuses what is not all shared memory, unless a GPU goes on there. Not inline: the check itself,
// which each bulk copy and each mbarrier goes through several times, needs neither the stack nor
// the registers that the words need.
[[gnu::noinline]] void refuse_operand(const Warp& warp, const Operation& op, unsigned lane,
                                      AddressSpace space, std::uint64_t address, unsigned bytes,
                                      const SharedOperand& operand) {
  const Cluster& cluster = warp.cta().cluster;
  const std::string_view what = operand.what;
  if (bytes != 0 && is_of_another_cta(warp, space, address)) {
    warp.fault(op, lane, operand.of_another_cta.value_or(Sentence::operand_of_another_cta),
               {what, shared_rank(static_cast<u32>(address)), warp.cta().rank});
  }
  if (is_of_no_cta(cluster, address)) {
    warp.fault(op, lane,
               is_of_missing_cta(cluster, address) ? Sentence::operand_of_missing_cta
                                                   : Sentence::operand_of_no_cta,
               {what, shared_rank(static_cast<u32>(address)), count_of_ctas(cluster)});
  }
  const Values values{what, hexadecimal(address), bytes, shared_bytes_of(cluster)};
  if (address >= window_size || !cluster.maps(static_cast<u32>(address), bytes)) {
    warp.fault(op, lane, Sentence::shared_operand_outside, values);
  }
  notice(warp, finding_at(warp, op, lane, Sentence::shared_operand_unreported, values));
}

}  // namespace

std::uint32_t shared_address(Warp& warp, const Operation& op, unsigned lane,
                             const MemoryAccess& access, unsigned bytes,
                             const SharedOperand& operand) {
  std::uint64_t address = address_of(warp, access, lane);
  if (in_window(address, shared_window)) address -= shared_window;
  const auto shared = static_cast<std::uint32_t>(address);
  // A copy of no bytes takes them from nowhere, also on an H100.
  if ((bytes != 0 && is_of_another_cta(warp, access.space, address)) || address >= window_size ||
      !warp.cta().cluster.has(shared, bytes)) {
    refuse_operand(warp, op, lane, access.space, address, bytes, operand);
  }
  return shared;
}

AddressSpace space_of(std::string_view modifier) {
  if (modifier == "global" || modifier == "const") return AddressSpace::global;
  if (modifier == "shared" || modifier == "shared::cta") return AddressSpace::shared;
  if (modifier == "shared::cluster") return AddressSpace::shared_cluster;
  if (modifier == "local") return AddressSpace::local;
  if (modifier.starts_with("param")) return AddressSpace::parameter;
  return AddressSpace::generic;
}

AddressSpace take_shared_space(Instruction& instruction) {
  return space_of(instruction.take_one_of({"shared", "shared::cta", "shared::cluster"}));
}

}  // namespace tmaemu
