// Findings of every form that there is. tests/findings/diagnostics.jsonl has them as the emulator tells
// them, on the terminal and as JSON; the grader's words are held to the same file
// (tests/python/test_findings.py).
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "emulator/rendering/diagnostic.h"

namespace tmaemu::testing {

struct ToldSample {
  std::string name;
  ToldFinding finding;
  std::uint64_t count = 1;
};

inline ToldFinding told(FindingCode code, std::string message) {
  ToldFinding finding;
  finding.code = code;
  finding.message = std::move(message);
  finding.place = {"lab3.cu", 61, 5};
  finding.excerpt = {61, 5, "    cp_async_bulk_shared_to_global(data, tile, bytes);"};
  finding.thread = {{3, 0, 1}, {32, 0, 0}};
  return finding;
}

inline ToldWaiters waiters(std::uint64_t threads, WaitedFor waited_for, std::string mbarrier = "") {
  return {{"lab3.cu", 54, 3}, threads, {{0, 0, 0}, {1, 0, 0}}, waited_for, std::move(mbarrier)};
}

inline ToldSample store_without_fence() {
  ToldFinding finding = told(FindingCode::missing_proxy_fence,
                             "TMA store reads shared memory that no proxy fence has made visible");
  finding.bytes = {"tile", 0, 4096};
  finding.notes = {
      {"in this function of the interface", {"bulk-copy.cuh", 67, 11}, {}},
      {"tile[byte 0] was written here through the generic proxy by block (3,0,1), thread (0,0,0)",
       {"lab3.cu", 25, 5},
       ToldExcerpt{25, 5, "    tile[i] = {v.x + 1, v.y + 1, v.z + 1, v.w + 1};"}}};
  finding.help =
      "each writing thread calls async_proxy_fence() after its last write and before the barrier "
      "that precedes the store";
  return {"two notes and bytes", finding, 98};
}

inline ToldSample load_over_store() {
  ToldFinding finding =
      told(FindingCode::overwrite_before_read_done,
           "a TMA load overwrites shared memory that a TMA store may still be reading");
  finding.use = BytesUse::loads_into;
  finding.bytes = {"shared memory", 1024, 1};
  finding.help =
      "the thread that issued the store commits it and waits with "
      "tma_store_wait_until_pending_read<N>() before the stage is loaded again";
  return {"one byte, loaded into", finding};
}

inline ToldSample without_lines() {
  ToldFinding finding = told(FindingCode::trap, "the kernel executed a trap instruction");
  finding.place = {"_Z4trapPi", 31, 0, true};
  finding.excerpt = {31, 2, "\ttrap;"};
  return {"no line information, and a tab", finding};
}

inline ToldSample invalid_map() {
  ToldFinding finding = told(FindingCode::bad_tensor_map,
                             "the TMA instruction is given no valid tensor map: globalStrides[0] = "
                             "8 bytes is not a multiple of 16");
  finding.rule = "globalStrides[0] = 8 bytes is not a multiple of 16";
  finding.help =
      "encode the map on the host, check the result, and pass it to the kernel as `const "
      "__grid_constant__ CUtensorMap`";
  return {"a rule", finding};
}

inline ToldSample names_in_unicode() {
  ToldFinding finding = told(
      FindingCode::assertion,
      "lab3.cu:5: void größe(int): block: [0,0,0], thread: [0,0,0] Assertion `\"\\\\` failed.");
  finding.excerpt = {5, 1, "assert(größe < \"\\\\\");  // 日本"};
  return {"quotes and letters", finding};
}

inline ToldSample deadlock() {
  ToldFinding finding =
      told(FindingCode::deadlock, "nothing in the kernel can run any more: all threads wait");
  const MbarrierWait arrivals{0, true, true, false, 255, 256, 0};
  const MbarrierWait one_arrival{0, false, true, true, 1, 1, 16};
  const MbarrierWait too_many{0, false, true, false, 0, 2, -1};
  const MbarrierWait polled{0, true, true, true, 1, 1, 0, true};
  finding.waiters = {waiters(256, arrivals, "full + 8 bytes"),
                     waiters(1, one_arrival, "loaded"),
                     waiters(2, too_many, "shared address 1032"),
                     waiters(32, MbarrierWait{}, "empty"),
                     waiters(64, CtaBarrierWait{3, 64, 128}),
                     waiters(5, ClusterBarrierWait{}),
                     waiters(16, WarpWait{0xFFFF'0000}),
                     waiters(128, CtaBarrierWait{0, 32, 128}),
                     waiters(3, polled, "full"),
                     waiters(1, PollWait{})};
  finding.waiters.back().place = {"_Z4waitPi", 40, 0, true};
  finding.waiters_left_out = 7;
  return {"every way to wait", finding};
}

inline std::vector<ToldSample> told_samples() {
  return {store_without_fence(), load_over_store(),  without_lines(),
          invalid_map(),         names_in_unicode(), deadlock()};
}

}  // namespace tmaemu::testing
