// Diagnostics of every form that there is. tests/findings/diagnostics.jsonl has them as a terminal
// shows them and as JSON: the judge's reader and what Python prints are held to the same file.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "contract/findings/codes.h"
#include "contract/rendering/diagnostic.h"

namespace tmaemu::testing {

struct DiagnosticSample {
  std::string name;
  Diagnostic diagnostic;
  std::uint64_t count = 1;
};

inline Diagnostic diagnostic_of(FindingCode code, std::string message) {
  Diagnostic diagnostic;
  diagnostic.code = code;
  diagnostic.message = std::move(message);
  diagnostic.place = SourcePlace{"lab3.cu", 61, 5};
  diagnostic.excerpt = Excerpt{61, 5, "    cp_async_bulk_shared_to_global(data, tile, bytes);"};
  diagnostic.thread = ThreadIndices{{3, 0, 1}, {32, 0, 0}};
  return diagnostic;
}

inline Diagnostic::Waiters waiters(std::uint64_t threads, WaitedFor waited_for,
                                   std::string mbarrier = "") {
  return {{"lab3.cu", 54, 3}, threads, {{0, 0, 0}, {1, 0, 0}}, waited_for, std::move(mbarrier)};
}

inline DiagnosticSample store_without_fence() {
  Diagnostic diagnostic =
      diagnostic_of(FindingCode::missing_proxy_fence,
                    "TMA store reads shared memory that no proxy fence has made visible");
  diagnostic.bytes = NamedBytes{.of = "tile", .first = 0, .count = 4096};
  diagnostic.notes = {
      {"in this function of the interface", {"bulk-copy.cuh", 67, 11}, {}},
      {"tile[byte 0] was written here through the generic proxy by block (3,0,1), thread (0,0,0)",
       {"lab3.cu", 25, 5},
       Excerpt{25, 5, "    tile[i] = {v.x + 1, v.y + 1, v.z + 1, v.w + 1};"}}};
  diagnostic.help =
      "each writing thread calls async_proxy_fence() after its last write and before the barrier "
      "that precedes the store";
  return {"two notes and bytes", diagnostic, 98};
}

inline DiagnosticSample load_over_store() {
  Diagnostic diagnostic =
      diagnostic_of(FindingCode::overwrite_before_read_done,
                    "a TMA load overwrites shared memory that a TMA store may still be reading");
  diagnostic.bytes = NamedBytes{"shared memory", 1024, 1, BytesUse::loads_into};
  diagnostic.help =
      "the thread that issued the store commits it and waits with "
      "tma_store_wait_until_pending_read<N>() before the stage is loaded again";
  return {"one byte, loaded into", diagnostic};
}

inline DiagnosticSample without_lines() {
  Diagnostic diagnostic =
      diagnostic_of(FindingCode::trap, "the kernel executed a trap instruction");
  diagnostic.place = SourcePlace{"_Z4trapPi", 31, 0, true};
  diagnostic.excerpt = Excerpt{31, 2, "\ttrap;"};
  return {"no line information, and a tab", diagnostic};
}

inline DiagnosticSample invalid_map() {
  Diagnostic diagnostic =
      diagnostic_of(FindingCode::bad_tensor_map,
                    "the TMA instruction is given no valid tensor map: globalStrides[0] = "
                    "8 bytes is not a multiple of 16");
  diagnostic.rule = "globalStrides[0] = 8 bytes is not a multiple of 16";
  diagnostic.help =
      "encode the map on the host, check the result, and pass it to the kernel as `const "
      "__grid_constant__ CUtensorMap`";
  return {"a rule", diagnostic};
}

inline DiagnosticSample names_in_unicode() {
  Diagnostic diagnostic = diagnostic_of(
      FindingCode::assertion,
      "lab3.cu:5: void größe(int): block: [0,0,0], thread: [0,0,0] Assertion `\"\\\\` failed.");
  diagnostic.excerpt = Excerpt{5, 1, "assert(größe < \"\\\\\");  // 日本"};
  return {"quotes and letters", diagnostic};
}

inline DiagnosticSample deadlock() {
  Diagnostic diagnostic = diagnostic_of(FindingCode::deadlock,
                                        "nothing in the kernel can run any more: all threads wait");
  const MbarrierWait arrivals{0, true, true, false, 255, 256, 0};
  const MbarrierWait one_arrival{0, false, true, true, 1, 1, 16};
  const MbarrierWait too_many{0, false, true, false, 0, 2, -1};
  const MbarrierWait polled{0, true, true, true, 1, 1, 0, true};
  diagnostic.waiters = {waiters(256, arrivals, "full + 8 bytes"),
                        waiters(1, one_arrival, "loaded"),
                        waiters(2, too_many, "shared address 1032"),
                        waiters(32, MbarrierWait{}, "empty"),
                        waiters(64, CtaBarrierWait{3, 64, 128}),
                        waiters(5, ClusterBarrierWait{}),
                        waiters(16, WarpWait{0xFFFF'0000}),
                        waiters(31, WholeWarpWait{}),
                        waiters(96, WarpgroupWait{}),
                        waiters(128, RegistersWait{240, 168, 40}),
                        waiters(128, CtaBarrierWait{0, 32, 128}),
                        waiters(3, polled, "full"),
                        waiters(1, PollWait{})};
  diagnostic.waiters.back().place = {"_Z4waitPi", 40, 0, true};
  diagnostic.waiters_left_out = 7;
  diagnostic.help =
      "each place below waits for threads that wait at another one, or have ended: what none of "
      "them "
      "can do any more is missing";
  return {"every way to wait", diagnostic};
}

inline DiagnosticSample remark() {
  Diagnostic diagnostic = diagnostic_of(
      FindingCode::tile_mismatch,
      "each tile that is stored here lies outside of its tensor altogether: nothing is written");
  diagnostic.help =
      "compare the coordinates with the tensor map: they count elements, and begin with the "
      "dimension "
      "that is contiguous in memory";
  return {"a remark", diagnostic};
}

inline std::vector<DiagnosticSample> diagnostic_samples() {
  return {store_without_fence(), load_over_store(), without_lines(), invalid_map(),
          names_in_unicode(),    deadlock(),        remark()};
}

}  // namespace tmaemu::testing
