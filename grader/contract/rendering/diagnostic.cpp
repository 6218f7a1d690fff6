#include "contract/rendering/diagnostic.h"

#include <variant>

#include "common/hexadecimal.h"

namespace tmaemu {
namespace {

std::string counted(std::int64_t count, const std::string& noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

std::string text_of(const std::array<std::uint32_t, 3>& coordinates) {
  return "(" + std::to_string(coordinates[0]) + "," + std::to_string(coordinates[1]) + "," +
         std::to_string(coordinates[2]) + ")";
}

// What threads wait for, in words.
struct WaitText {
  const std::string& mbarrier;

  std::string operator()(const MbarrierWait& wait) const {
    const std::string begin = wait.is_polled ? "polling " : "waiting for ";
    const std::string name = "the mbarrier " + mbarrier;
    if (!wait.is_initialized) return begin + name + ", which is not initialized";
    const auto parity = [](bool odd) { return std::string(odd ? "1" : "0"); };
    std::string text = begin + "the phase of parity " + parity(wait.parity) + " of " + name +
                       ": it is in the phase of parity " + parity(wait.current_parity) + ", " +
                       counted(wait.arrivals_missing, "arrival") + " of " +
                       std::to_string(wait.arrivals_expected) + " missing";
    if (wait.bytes_missing > 0) {
      text += ", " + counted(wait.bytes_missing, "byte") + " expected and not arrived";
    } else if (wait.bytes_missing < 0) {
      text += ", " + counted(-wait.bytes_missing, "byte") + " more arrived than expected";
    }
    return text;
  }
  std::string operator()(const CtaBarrierWait& wait) const {
    const std::string number = "barrier " + std::to_string(wait.barrier);
    return "waiting at " + (wait.barrier == 0 ? "__syncthreads() (" + number + ")" : number) +
           ": " + std::to_string(wait.arrived) + " of " + std::to_string(wait.expected) +
           " threads have arrived";
  }
  std::string operator()(const ClusterBarrierWait&) const {
    return "waiting for the cluster barrier";
  }
  std::string operator()(const WarpWait& wait) const {
    return "waiting for the other lanes of its warp (member mask " +
           common::hexadecimal(wait.members) + ") to execute the same instruction";
  }
  std::string operator()(const WholeWarpWait&) const {
    return "waiting for the other lanes of its warp, with which it executes this instruction";
  }
  std::string operator()(const WarpgroupWait&) const {
    return "waiting for the other warps of its warpgroup to issue the same wgmma.mma_async";
  }
  std::string operator()(const RegistersWait& wait) const {
    return "waiting for registers: setmaxnreg.inc asks for " + std::to_string(wait.wanted) +
           " a thread, it has " + std::to_string(wait.owned) + ", and the CTA's pool has " +
           std::to_string(wait.in_pool) + " more for each thread of a warp";
  }
  std::string operator()(const PollWait&) const {
    return "polling a flag in memory that nobody changes";
  }
};

}  // namespace

std::string text_of(const SourcePlace& place) {
  if (place.is_ptx) return place.name + " (PTX line " + std::to_string(place.line) + ")";
  return place.name + ":" + std::to_string(place.line) + ":" + std::to_string(place.column);
}

std::string text_of(const ThreadIndices& thread) {
  return "block " + text_of(thread.block) + ", thread " + text_of(thread.thread);
}

std::string text_of(const NamedBytes& bytes) {
  const std::string first = std::to_string(bytes.first);
  if (bytes.count == 1) return bytes.of + "[byte " + first + "]";
  return bytes.of + "[bytes " + first + " to " + std::to_string(bytes.first + bytes.count - 1) +
         "]";
}

std::string_view text_of(BytesUse use) {
  switch (use) {
    case BytesUse::reads:
      return "reads";
    case BytesUse::writes:
      return "writes";
    case BytesUse::loads_into:
      break;
  }
  return "loads into";
}

std::string text_of(const Diagnostic::Waiters& waiters) {
  return counted(static_cast<std::int64_t>(waiters.threads), "thread") + ", the first " +
         text_of(waiters.first) + ", " + std::visit(WaitText{waiters.mbarrier}, waiters.waited_for);
}

}  // namespace tmaemu
