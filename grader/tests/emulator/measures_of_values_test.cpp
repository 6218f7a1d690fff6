// What crosses from warp to warp and from CTA to CTA, and what comes out of products: the measures
// that follow values, and those of phases.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "contract/protocol/measures.h"
#include "contract/protocol/turned_signs.h"
#include "tests/emulator/isa_test_support.h"
#include "tests/emulator/measured_kernel.h"

namespace tmaemu {
namespace {

constexpr const char* shared_load = ".reg .b32 %v;\nld.shared.u32 %v, [%t];\n";

TEST(Measures, APhaseBehindWhichNobodyReadsWhatItHandedOverIsForShow) {
  const ImportedBuffer buffer;
  const std::string waits = init + load_to(0) + landed(64);
  EXPECT_EQ(measured(Measure::split_phases, buffer.address(), waits), 0u);
  EXPECT_EQ(
      measured(Measure::split_phases, buffer.address(), waits + "bar.sync 0;\n" + shared_load), 0u);
}

constexpr Dimensions two_warps{64, 1, 1};
// %x: the thread. Warp 0 writes to the tile and arrives; warp 1 waits, and has in %v what it reads.
std::string hands_over(const std::string& between = "") {
  return ".reg .b32 %x, %v, %c;\n.reg .pred %q, %w;\nmov.u32 %x, %tid.x;\n"
         "setp.lt.u32 %q, %x, 32;\nsetp.eq.u32 %w, %x, 0;\n"
         "@%w mbarrier.init.shared.b64 [%b], 32;\nbar.sync 0;\n"
         "and.b32 %c, %x, 31;\nshl.b32 %c, %c, 2;\nadd.u32 %t, %t, %c;\n"
         "@%q st.shared.u32 [%t], %x;\n@%q mbarrier.arrive.shared.b64 %s, [%b];\n" +
         between +
         "@%q bra END;\n"
         "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n"
         "ld.shared.u32 %v, [%t];\nmul.wide.u32 %s, %c, 1;\nadd.u64 %g, %g, %s;\n";
}
constexpr const char* store_it = "st.global.u32 [%g], %v;\nEND:\n";

TEST(Measures, APhaseThatIsWaitedForCountsOnceHoweverOftenOneAsks) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::split_phases, buffer.address(),
                     hands_over() + "mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n"
                                    "ld.shared.u32 %v, [%t];\nEND:\n",
                     {1, 1, 1}, two_warps),
            1u);
}

TEST(Measures, TheFirstPhaseOfAnMbarrierIsNoLaterOne) {
  const ImportedBuffer buffer;
  const std::string read = "ld.shared.u32 %v, [%t];\nEND:\n";
  EXPECT_EQ(
      measured(Measure::later_phases, buffer.address(), hands_over() + read, {1, 1, 1}, two_warps),
      0u);
}

TEST(Measures, APollCountsIfAWarpPutsSomethingIntoSharedMemoryBeforeTheNext) {
  const ImportedBuffer buffer;
  const std::string poll = "mbarrier.test_wait.parity.shared.b64 %p, [%b], 0;\n";
  const std::string work = "st.shared.u32 [%t], 7;\n";
  const auto polls = [&](const std::string& body) {
    return measured(Measure::polls, buffer.address(), init + body);
  };
  EXPECT_EQ(polls(poll + poll + work + work), 1u);
  EXPECT_EQ(polls(poll + work + poll + work), 2u);
  EXPECT_EQ(polls(work + poll), 0u);
  const std::string over = "mbarrier.arrive.shared.b64 %s, [%b];\n";
  EXPECT_EQ(polls(over + poll + work), 1u);
  EXPECT_EQ(polls(over + "mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n" + work), 0u);
}

TEST(Measures, WhatDependsOnWhatAPhaseHandedFromWarpToWarpIsHandedOver) {
  const ImportedBuffer buffer;
  const std::uint64_t to = buffer.address();
  const auto handed = [&](const std::string& body) {
    return measured(Measure::handed_over, to, body, {1, 1, 1}, two_warps);
  };
  EXPECT_EQ(handed(hands_over() + "add.u32 %v, %v, 1;\n" + store_it), 128u);
  EXPECT_EQ(handed(hands_over() + "mov.u32 %v, %x;\n" + store_it), 0u);
  EXPECT_EQ(handed(hands_over("bar.sync 0;\n") + store_it), 0u);
  EXPECT_EQ(handed(hands_over() + "shfl.sync.bfly.b32 %v, %v, 1, 31, -1;\n" + store_it), 128u);
  EXPECT_EQ(handed(hands_over() + "st.global.u32 [%g], %v;\nst.global.u32 [%g], 7;\nEND:\n"), 0u);
}

// What a kernel of two warps writes where signs are turned of what is handed over: its second word.
std::int32_t result_of_turned(std::uint32_t key, const std::string& body) {
  const ImportedBuffer buffer;
  Device::instance().turn_signs({TurnedProducts::handed_over, key});
  measured(Measure::handed_over, buffer.address(), body, {1, 1, 1}, two_warps);
  Device::instance().turn_signs({});
  std::int32_t result = 0;
  const std::byte* const host = Device::instance().memory().find(buffer.address())->host;
  std::memcpy(&result, host + sizeof result, sizeof result);
  return result;
}

TEST(Measures, WhereSignsAreTurnedAResultShowsWhetherItIsWhatWasHandedOver) {
  // Each thread of warp 0 hands over its number, the second one 1.
  const auto result = [](std::uint32_t key, const std::string& rest) {
    return result_of_turned(key, hands_over() + rest + store_it);
  };
  std::uint32_t turns = 0;
  while (!turns_sign(turns, 1)) ++turns;
  std::uint32_t turns_not = 0;
  while (turns_sign(turns_not, 1)) ++turns_not;
  EXPECT_EQ(result(turns, ""), -1);
  EXPECT_EQ(result(turns_not, ""), 1);
  EXPECT_EQ(result(turns, "ld.shared.u32 %v, [%t];\n"), -1) << "and is not turned back";
  EXPECT_EQ(result(turns, "st.shared.u32 [%t], 1;\nld.shared.u32 %v, [%t];\n"), 1) << "its own";
  EXPECT_EQ(result(turns, "mov.u32 %v, 1;\n"), 1);
  const std::string cancels = ".reg .b32 %y;\nld.shared.u32 %y, [%t];\nsub.u32 %v, %v, %y;\n";
  EXPECT_EQ(result(turns, cancels), 0);
  EXPECT_EQ(result_of_turned(turns, hands_over("bar.sync 0;\n") + store_it), 1)
      << "a barrier of the CTA has handed it over";
}

// %x: the thread. Warp 0 loads 64 bytes and `storer` stores them, behind a wait for them.
std::string passes_on(const std::string& storer) {
  return ".reg .b32 %x;\n.reg .pred %q, %w;\nmov.u32 %x, %tid.x;\nsetp.eq.u32 %q, %x, 0;\n"
         "setp.eq.u32 %w, %x, " +
         storer +
         ";\n@%q mbarrier.init.shared.b64 [%b], 1;\nfence.proxy.async.shared::cta;\nbar.sync 0;\n"
         "@%q mbarrier.arrive.expect_tx.shared.b64 %s, [%b], 64;\n@%q " +
         "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%g], 64, [%b];\n"
         "@!%w bra END;\nWAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n"
         "cp.async.bulk.global.shared::cta.bulk_group [%g+128], [%t], 64;\n"
         "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nEND:\n";
}

TEST(Measures, AStoreIsOfAnotherWarpIfAPhaseHandedItTheTile) {
  const ImportedBuffer buffer;
  const auto handed = [&](Measure measure, const std::string& body) {
    return measured(measure, buffer.address(), body, {1, 1, 1}, two_warps);
  };
  EXPECT_EQ(handed(Measure::handed_to_stores, passes_on("32")), 64u);
  EXPECT_EQ(handed(Measure::handed_to_stores, passes_on("0")), 0u);
  EXPECT_EQ(handed(Measure::handed_over, passes_on("0")), 0u);
}

// What is measured of a warpgroup that multiplies, and then does this: %v and %w are sums of the
// product, %x is the thread, whose place in the memory is %g.
std::uint64_t measured_of_product(Measure measure, std::uint64_t address,
                                  const std::string& after) {
  return measured(measure, address,
                  ".reg .b32 %x, %v, %w, %y, %z;\n.reg .b64 %d;\n"
                  "mov.u32 %x, %tid.x;\nmul.wide.u32 %s, %x, 4;\nadd.u64 %g, %g, %s;\n"
                  "shr.u32 %y, %t, 4;\ncvt.u64.u32 %d, %y;\nmov.u32 %v, 0;\nmov.u32 %w, 0;\n"
                  "wgmma.fence.sync.aligned;\n"
                  "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%v, %w}, %d, %d, 1, 1, 1, "
                  "0, 0;\n"
                  "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n" +
                      after,
                  {1, 1, 1}, {128, 1, 1});
}

TEST(Measures, WhatComesOutOfAProductOfAWarpgroupIsFollowedToWhereItIsWritten) {
  const ImportedBuffer buffer;
  const auto multiplied = [&](const std::string& after) {
    return measured_of_product(Measure::by_wgmma, buffer.address(), after);
  };
  EXPECT_EQ(multiplied("st.global.u32 [%g], %v;\n"), 512u);
  EXPECT_EQ(multiplied("st.global.u32 [%g], %x;\n"), 0u);
  EXPECT_EQ(multiplied("st.shared.u32 [%t], %w;\nld.shared.u32 %z, [%t];\n"
                       "add.u32 %z, %z, 1;\nst.global.u32 [%g], %z;\n"),
            512u);
  EXPECT_EQ(multiplied("st.global.u32 [%g], %v;\nst.global.u32 [%g], 7;\n"), 0u);
}

TEST(Measures, SumsOfProductsMayMeetInTheProgramsOwnMemory) {
  const ImportedBuffer buffer;
  const testing::DeviceBuffer own(512);
  const std::string to_own =
      "mov.u64 %d, " + std::to_string(own.address()) + ";\nadd.u64 %d, %d, %s;\nmov.u64 %s, %d;\n";
  const auto by_way = [&](Measure measure, const std::string& written) {
    return measured_of_product(measure, buffer.address(),
                               to_own + written +
                                   "ld.global.u32 %z, [%s];\nadd.u32 %z, %z, 1;\n"
                                   "st.global.u32 [%g], %z;\n");
  };
  const std::string nothing = "st.global.u32 [%s], 0;\n";
  // The share of somebody who has had no step of k, in sums that a memset has cleared.
  const std::string add_nothing = "atom.global.add.u32 %z, [%s], 0;\n";
  for (const std::string& sum :
       {std::string("st.global.u32 [%s], %v;\n"), nothing + "red.global.add.u32 [%s], %v;\n",
        "red.global.add.u32 [%s], %v;\n" + add_nothing,
        add_nothing + "red.global.add.u32 [%s], %v;\n"}) {
    EXPECT_EQ(by_way(Measure::by_wgmma, sum), 512u);
    EXPECT_EQ(by_way(Measure::detoured, sum), 0u);
  }
  EXPECT_EQ(by_way(Measure::detoured, nothing), 0u);
  const std::string copied = "ld.global.u32 %y, [%g];\nst.global.u32 [%s], %y;\n";
  EXPECT_EQ(by_way(Measure::by_wgmma, copied), 0u);
  EXPECT_EQ(by_way(Measure::detoured, copied), 512u);
  EXPECT_EQ(by_way(Measure::detoured, copied + add_nothing), 512u);
}

TEST(Measures, AProductIsOfAChainIfItsFactorInRegistersCameOutOfAnother) {
  const ImportedBuffer buffer;
  const std::string first =
      "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%v, %w}, %d, %d, 1, 1, 1, 0, 0;\n";
  const auto from = [](const std::string& registers) {
    return "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%y, %z}, {" + registers +
           "}, %d, 1, 1, 1, 0;\n";
  };
  const auto chained = [&](const std::string& second, const std::string& result) {
    const std::string fence = "wgmma.fence.sync.aligned;\n";
    const std::string done = "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
    return measured(Measure::wgmma_chains, buffer.address(),
                    ".reg .b32 %x, %v, %w, %y, %z;\n.reg .b64 %d;\n"
                    "mov.u32 %x, %tid.x;\nmul.wide.u32 %s, %x, 4;\nadd.u64 %g, %g, %s;\n"
                    "shr.u32 %y, %t, 4;\ncvt.u64.u32 %d, %y;\nmov.u32 %v, 0;\nmov.u32 %w, 0;\n"
                    "mov.u32 %y, 0;\nmov.u32 %z, 0;\n" +
                        fence + first + done + "add.u32 %w, %w, 1;\n" + fence + second + done +
                        "st.global.u32 [%g], " + result + ";\n",
                    {1, 1, 1}, {128, 1, 1});
  };
  EXPECT_EQ(chained(from("%v, %w, %v, %w"), "%z"), 512u);
  EXPECT_EQ(chained(from("%x, %x, %w, %x"), "%z"), 512u);
  EXPECT_EQ(chained(from("%x, %x, %x, %x"), "%z"), 0u);
  EXPECT_EQ(chained(first, "%v"), 0u) << "one product after the other, both from shared memory";
  EXPECT_EQ(chained(from("%v, %w, %v, %w"), "%v"), 0u) << "the first one's";
}

// What warps of one warpgroup multiply, which a phase has handed to three of them; %x: the thread,
// %v: its results.
std::string multiplies_what_it_is_handed(const std::string& before = "") {
  return ".reg .b32 %x, %v, %w, %y;\n.reg .b64 %d;\n.reg .pred %q;\n"
         "mov.u32 %x, %tid.x;\nshr.u32 %y, %t, 4;\ncvt.u64.u32 %d, %y;\n"
         "setp.eq.u32 %q, %x, 0;\n@%q mbarrier.init.shared.b64 [%b], 1;\n"
         "fence.proxy.async.shared::cta;\nbar.sync 0;\n"
         "@%q mbarrier.arrive.expect_tx.shared.b64 %s, [%b], 512;\n"
         "@%q cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%t], [%g], 512, "
         "[%b];\n"
         "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n" +
         before +
         "mov.u32 %v, 0;\nmov.u32 %w, 0;\nwgmma.fence.sync.aligned;\n"
         "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%v, %w}, %d, %d, 1, 1, 1, 0, 0;\n"
         "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
}

TEST(Measures, AProductReadsWhatAPhaseHandedOver) {
  const ImportedBuffer buffer;
  const auto handed = [&](const std::string& wait) {
    return measured(
        Measure::handed_over, buffer.address(),
        multiplies_what_it_is_handed(wait) +
            "mul.wide.u32 %s, %x, 4;\nadd.u64 %g, %g, %s;\nst.global.u32 [%g+1024], %v;\n",
        {1, 1, 1}, {128, 1, 1});
  };
  EXPECT_EQ(handed(""), 384u);  // of the three warps that did not load it
  EXPECT_EQ(handed("bar.sync 0;\n"), 0u);
}

TEST(Measures, AValueOfAnotherCtaIsFollowedToWhereItIsWrittenUnlessTheOwnCtaHasOneToo) {
  const ImportedBuffer buffer;
  const std::string meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  const auto remote = [&](const std::string& between) {
    return measured(Measure::distributed_shared_memory, buffer.address(),
                    ".reg .b32 %r, %o, %a, %v, %w;\nmov.u32 %r, %cluster_ctarank;\n"
                    "xor.b32 %o, %r, 1;\nst.shared.u32 [%t], %r;\n" +
                        meet +
                        "mapa.shared::cluster.u32 %a, %t, %o;\nld.shared::cluster.u32 %v, [%a];\n"
                        "mul.wide.u32 %s, %r, 16;\nadd.u64 %g, %g, %s;\n" +
                        between + "st.global.u32 [%g], %v;\n" + meet,
                    {2, 1, 1});
  };
  EXPECT_EQ(remote(""), 32u);
  EXPECT_EQ(remote("st.shared.u32 [%t+64], %v;\nld.shared.u32 %v, [%t+64];\n"), 32u);
  EXPECT_EQ(remote("mov.u32 %v, %r;\n"), 0u);
  EXPECT_EQ(remote("ld.global.u32 %v, [%g];\n"), 0u);
  EXPECT_EQ(remote("ld.global.u32 %w, [%g];\nadd.u32 %v, %v, %w;\n"), 0u);
}

// In a cluster of two: %v is a number of the other CTA's, %w one of global memory. The result is %v
// after `way`.
std::uint64_t remote_after(const std::string& way) {
  const ImportedBuffer buffer;
  const std::string meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  return measured(Measure::distributed_shared_memory, buffer.address(),
                  ".local .align 16 .b8 depot[64];\n.reg .b64 %d;\n"
                  ".reg .b32 %r, %o, %a, %v, %w;\nmov.u32 %r, %cluster_ctarank;\n"
                  "xor.b32 %o, %r, 1;\nst.shared.u32 [%t], %r;\n" +
                      meet +
                      "mapa.shared::cluster.u32 %a, %t, %o;\nld.shared::cluster.u32 %v, [%a];\n"
                      "ld.global.u32 %w, [%g];\nmov.u64 %d, depot;\n"
                      "mul.wide.u32 %s, %r, 16;\nadd.u64 %g, %g, %s;\n" +
                      way + "st.global.u32 [%g], %v;\n" + meet,
                  {2, 1, 1});
}

TEST(Measures, AValueIsFollowedThroughLocalMemoryToWhereItLies) {
  const std::string both = "st.local.u32 [%d], %v;\nst.local.u32 [%d+16], %w;\n";
  EXPECT_EQ(remote_after(both + "ld.local.u32 %v, [%d];\n"), 32u);
  EXPECT_EQ(remote_after(both + "ld.local.u32 %v, [%d+16];\n"), 0u);
  EXPECT_EQ(remote_after(both + "st.local.u32 [%d], %w;\nld.local.u32 %v, [%d];\n"), 0u);
  EXPECT_EQ(remote_after("st.local.u32 [%d], %w;\nst.local.u8 [%d], %v;\nld.local.u32 %v, [%d];\n"),
            0u)
      << "the other three bytes";
}

TEST(Measures, WhatIsInConstantMemoryIsNoOtherCtas) {
  EXPECT_EQ(remote_after("ld.const.u32 %w, [table];\nadd.u32 %v, %v, %w;\n"), 0u);
}

TEST(Measures, AValueIsFollowedThroughLocalMemoryByGenericAddresses) {
  const std::string both = "cvta.local.u64 %d, %d;\nst.u32 [%d], %v;\nst.u32 [%d+16], %w;\n";
  EXPECT_EQ(remote_after(both + "ld.u32 %v, [%d];\n"), 32u);
  EXPECT_EQ(remote_after(both + "ld.u32 %v, [%d+16];\n"), 0u);
}

TEST(Measures, ATileThatWasSentFromCtaToCtaIsStoredAsSuch) {
  const ImportedBuffer buffer;
  const std::string meet = "barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;\n";
  const auto stored = [&](int from) {
    return measured(
        Measure::distributed_shared_memory, buffer.address(),
        ".reg .b32 %r, %o, %a, %m;\nmov.u32 %r, %cluster_ctarank;\nxor.b32 %o, %r, 1;\n" +
            std::string(init) + "mbarrier.arrive.expect_tx.shared.b64 %s, [%b], 64;\n" +
            "fence.mbarrier_init.release.cluster;\n" + meet +
            "mapa.shared::cluster.u32 %a, %t, %o;\nmapa.shared::cluster.u32 %m, %b, %o;\n"
            "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%a+128], "
            "[%t], 64, [%m];\n"
            "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%b], 0;\n@!%p bra WAIT;\n"
            "mul.wide.u32 %s, %r, 64;\nadd.u64 %g, %g, %s;\n"
            "cp.async.bulk.global.shared::cta.bulk_group [%g], [%t+" +
            std::to_string(from) + "], 64;\n" + wait_for_stores + meet,
        {2, 1, 1});
  };
  EXPECT_EQ(stored(128), 128u);
  EXPECT_EQ(stored(96), 64u);
  EXPECT_EQ(stored(0), 0u);
}

TEST(Measures, AWarpgroupHasGrownIfItTookRegistersBeforeItMultipliedWhatItWasHanded) {
  const ImportedBuffer buffer;
  const auto grown = [&](const std::string& before, const std::string& wait) {
    return measured(Measure::grown_warpgroups, buffer.address(),
                    multiplies_what_it_is_handed(wait + before), {1, 1, 1}, {128, 1, 1});
  };
  EXPECT_EQ(grown("setmaxnreg.inc.sync.aligned.u32 232;\n", ""), 1u);
  EXPECT_EQ(grown("setmaxnreg.dec.sync.aligned.u32 40;\n", ""), 0u);
  EXPECT_EQ(grown("", ""), 0u);
  EXPECT_EQ(grown("setmaxnreg.inc.sync.aligned.u32 232;\n", "bar.sync 0;\n"), 0u);
}

TEST(Measures, WhatKernelsWriteWhoseCtasDoNotFitOnTheGpuTogetherIsNotOfResidentOnes) {
  const ImportedBuffer buffer;
  const auto written = [&](unsigned clusters, const std::string& more = "") {
    return measured(Measure::by_resident_ctas, buffer.address(), "st.global.u32 [%g], 1;\n" + more,
                    {1, 1, 1}, {1024, 1, 1}, clusters);
  };
  constexpr unsigned two_on_each_sm = 2 * 132;
  EXPECT_EQ(written(two_on_each_sm), 16u);
  EXPECT_EQ(written(two_on_each_sm + 1), 0u);
  EXPECT_EQ(written(1, "st.global.u32 [%g+16], 1;\n"), 32u);
}

TEST(Measures, CtasThatAreStartedInWavesDoNotStay) {
  const ImportedBuffer buffer;
  const std::uint64_t address = buffer.address();
  const auto launched = [&](const std::vector<unsigned>& launches) {
    Device::instance().start_measuring();
    std::string at = "ld.param.u64 %g, [p];\n";
    for (const unsigned clusters : launches) {
      at += "add.u64 %g, %g, 16;\n";
      launch(".param .u64 p", std::as_bytes(std::span(&address, 1)),
             at + "st.global.u32 [%g], 1;\n", {1, 1, 1}, {1024, 1, 1}, clusters);
    }
    return Device::instance().measured()[index_of(Measure::by_resident_ctas)];
  };
  constexpr unsigned all = 2 * 132;
  EXPECT_EQ(launched({all, all, all}), 16u);
  EXPECT_EQ(launched({all / 2, all / 2}), 32u);
  EXPECT_EQ(launched({1, all}), 32u) << "what is left over";
  EXPECT_EQ(launched({all + 1, all}), 16u) << "whose CTAs do not stay has no room of its own";
}

TEST(Measures, AClusterIsAsLargeAsTheLargest) {
  const ImportedBuffer buffer;
  EXPECT_EQ(measured(Measure::cluster_ctas, buffer.address(), ""), 1u);
}

}  // namespace
}  // namespace tmaemu
