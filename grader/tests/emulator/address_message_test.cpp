// What is said of addresses that are no good: the state space, and where such an address comes
// from.
#include <gtest/gtest.h>

#include <cstring>
#include <string>

#include "common/hexadecimal.h"
#include "emulator/tma/tensor_map.h"
#include "tests/emulator/diagnosed_kernel.h"

namespace tmaemu::testing {
namespace {

void expect_said(const Diagnosed& kernel, LaunchOutcome outcome, const std::string& words) {
  EXPECT_EQ(kernel.outcome, outcome);
  EXPECT_NE(kernel.said.find(words), std::string::npos) << kernel.said;
}

TEST(MisalignedAddress, IsSaidWithItsStateSpace) {
  const DeviceBuffer memory(64);
  const std::string registers =
      ".reg .b64 %a; .reg .b32 %r;\n.shared .align 8 .b8 s[16];\n.local .align 8 .b8 l[16];\n";
  const auto misaligned = [&](const std::string& body) {
    return diagnose({.text = registers + body, .parameter = memory.address()});
  };
  const LaunchOutcome outcome = LaunchOutcome::misaligned_address;
  expect_said(misaligned("st.shared.u32 [s+2], 1;"), outcome,
              "store of 4 bytes at shared address 0x402, which is not a multiple of 4");
  expect_said(misaligned("cvta.shared.u64 %a, s; st.u32 [%a+2], 1;"), outcome,
              "store of 4 bytes at shared address 0x402, which");
  expect_said(misaligned("ld.local.u32 %r, [l+1];"), outcome,
              "load of 4 bytes at local address 0x1, which");
  expect_said(misaligned("ld.param.u64 %a, [out]; ld.global.u32 %r, [%a+3];"), outcome,
              "load of 4 bytes at global address 0x");
  expect_said(misaligned("ld.param.u64 %a, [out]; st.u64 [%a+4], %a;"), outcome,
              "store of 8 bytes at global address 0x");
}

// An H100 answered reads 64 KiB in front of a thread's local memory and 16 MiB behind it.
TEST(LocalMemory, EndsWhereItsVariablesDoAndTheKernelGoesOn) {
  const std::string registers = ".reg .b32 %r;\n.local .align 8 .b8 l[16];\n";
  const auto beyond = [&](const std::string& body) { return diagnose({.text = registers + body}); };
  const std::string words = "outside the thread's 16 bytes of local memory. A GPU has more there";
  expect_said(beyond("ld.local.u32 %r, [l+16];"), LaunchOutcome::completed, words);
  expect_said(beyond("st.local.u32 [l+1048576], 1;"), LaunchOutcome::completed, words);
  expect_said(beyond("ld.local.u32 %r, [l+-4];"), LaunchOutcome::completed, words);
  expect_said(beyond("ld.local.u32 %r, [l+16777216];"), LaunchOutcome::illegal_address,
              "outside the thread's 16 bytes of local memory");
}

TEST(LocalMemory, KeepsBehindItsEndWhatALaneWroteThere) {
  const DeviceBuffer memory(64);
  const Diagnosed kernel = diagnose(
      {.text = ".reg .b64 %a;\n.reg .b32 %r;\n.local .align 8 .b8 l[16];\nst.local.u32 [l+20], 7;\n"
               "ld.local.u32 %r, [l+20];\nld.param.u64 %a, [out];\nst.global.u32 [%a], %r;",
       .parameter = memory.address()});
  EXPECT_EQ(kernel.outcome, LaunchOutcome::completed);
  EXPECT_EQ(memory.host()[0] & 0xFFFF'FFFF, 7u);
}

TEST(Parameters, AreReadBeyondTheirEndAsZeros) {
  expect_said(diagnose({.text = ".reg .b64 %a;\n.reg .b32 %r;\nmov.b64 %a, out;\n"
                                "cvta.param.u64 %a, %a;\nld.u32 %r, [%a+64];"}),
              LaunchOutcome::completed, "parameters are 8 bytes. A GPU keeps more constants there");
}

TEST(MisalignedAddress, OfABulkCopySaysWhereTheNextMultipleIs) {
  const DeviceBuffer memory(64);
  const std::string store =
      ".reg .b64 %a;\n.shared .align 16 .b8 s[16];\nld.param.u64 %a, [out];\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%a+4], [s], 16;";
  expect_said(diagnose({.text = store, .parameter = memory.address()}),
              LaunchOutcome::misaligned_address,
              "a bulk copy begins at global address " + common::hexadecimal(memory.address() + 4) +
                  ", 4 bytes past a multiple of 16 and 12 before the next");
}

// As an H200 does: of any size, and from no address that a copy would not take.
TEST(MisalignedAddress, OfABulkPrefetchFaults) {
  const DeviceBuffer memory(64);
  const auto prefetch = [&](const std::string& operands) {
    return diagnose({.text = ".reg .b64 %a;\nld.param.u64 %a, [out];\n"
                             "cp.async.bulk.prefetch.L2.global " +
                             operands + ";",
                     .parameter = memory.address()})
        .outcome;
  };
  EXPECT_EQ(prefetch("[%a], 24"), LaunchOutcome::completed);
  EXPECT_EQ(prefetch("[%a+8], 16"), LaunchOutcome::misaligned_address);
}

TEST(MisalignedAddress, OfATileIsHexadecimal) {
  const std::string store =
      ".reg .b64 %a;\n.shared .align 16 .b8 s[48];\nmov.u64 %a, 0;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%a], [s+8], 16;";
  expect_said(diagnose({.text = store}), LaunchOutcome::misaligned_address,
              "the shared address of a bulk copy is 0x408, which is not a multiple of 16");
}

// A 2-D tensor of 32-bit elements that fills `memory`, in boxes of 8 x 8.
void encode_map(const DeviceBuffer& memory, const DeviceBuffer& at) {
  tma::TensorMap map;
  map.type = tma::DataType::u32;
  map.rank = 2;
  map.global_address = memory.address();
  map.global_size = {8, 8};
  map.global_stride = {32};
  map.box_size = {8, 8};
  map.element_stride.fill(1);
  const auto opaque = tma::encode(map);
  std::memcpy(at.host(), opaque.data(), opaque.size());
}

TEST(BoxOfATensorMap, IsComparedWithTheSharedMemoryThatItLeaves) {
  const DeviceBuffer memory(256);
  const DeviceBuffer map(tma::opaque_bytes);
  encode_map(memory, map);
  const std::string store =
      ".reg .b64 %a;\n.reg .b32 %c;\n.shared .align 128 .b8 s[72];\nld.param.u64 %a, [out];\n"
      "mov.u32 %c, 0;\n"
      "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%a, {%c, %c}], [s];";
  const Diagnosed said = diagnose({.text = store, .parameter = map.address()});
  expect_said(said, LaunchOutcome::illegal_address,
              "the box of the tensor map has 8 x 8 elements of 4 bytes, 256 bytes: from 0x400 on, "
              "that is more than the CTA has left of its 72 bytes of shared memory");
  expect_said(said, LaunchOutcome::illegal_address,
              "compare the box that the map is encoded with and the tile");
}

const std::string remote =
    ".reg .b32 %a, %r;\n.shared .align 16 .b8 s[16];\nmov.u32 %a, s;\n"
    "mapa.shared::cluster.u32 %a, %a, 5;\n";

TEST(AddressOfAMissingRank, DoesNoHarmUntilItIsUsed) {
  EXPECT_EQ(diagnose({.text = remote, .cluster = 2}).outcome, LaunchOutcome::completed);
}

TEST(AddressOfAMissingRank, IsALaunchFailureWhereItIsUsed) {
  const std::string words =
      "of a cluster of 2 CTAs: mapa makes such an address from a rank that does not exist";
  for (const std::string use :
       {"ld.shared::cluster.u32 %r, [%a];", "st.shared::cluster.u32 [%a], 1;",
        "red.shared::cluster.add.u32 [%a], 1;", "mbarrier.arrive.shared::cluster.b64 _, [%a];",
        "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%a], [s], 16, "
        "[%a];"}) {
    expect_said(diagnose({.text = remote + use, .cluster = 2}), LaunchOutcome::trap,
                "in the CTA of rank 5 " + words);
  }
}

// An H100 and an H200 answer so, although target and mbarrier are the thread's own.
TEST(WriteToTheCluster, IsAnIllegalInstructionWithoutACluster) {
  const std::string own =
      ".reg .b32 %a;\n.reg .b64 %state;\n.shared .align 16 .b8 s[32];\n"
      ".shared .align 8 .b64 bar;\nmbarrier.init.shared.b64 [bar], 1;\nmov.u32 %a, s;\n"
      "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 16;\n";
  for (const std::string use :
       {"cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s+16], [s], 16, "
        "[bar];",
        "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 "
        "[s+16], [s], 16, [bar];",
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.u32 [s], {1, 1, 1, 1}, [bar];"}) {
    expect_said(diagnose({.text = own + use, .is_plain = true}), LaunchOutcome::illegal_instruction,
                "in a kernel that is not launched with a cluster");
  }
}

TEST(AddressOfAMissingRank, IsAnIllegalInstructionWithoutACluster) {
  expect_said(diagnose({.text = remote + "st.shared::cluster.u32 [%a], 1;", .is_plain = true}),
              LaunchOutcome::illegal_instruction, "in the CTA of rank 5 of a cluster of 1 CTA:");
}

TEST(AddressOfAMissingRank, IsAnIllegalInstructionWhereNoClusterCouldHaveTheRank) {
  const std::string far =
      ".reg .b32 %a;\n.shared .align 16 .b8 s[16];\nmov.u32 %a, s;\n"
      "mapa.shared::cluster.u32 %a, %a, 200;\nst.shared::cluster.u32 [%a], 1;";
  expect_said(diagnose({.text = far, .cluster = 2}), LaunchOutcome::illegal_instruction,
              "in the CTA of rank 200 of a cluster of 2 CTAs");
}

TEST(AddressOfARank, HasTheLastEightBitsOfTheRank) {
  const std::string wrapped =
      ".reg .b32 %a;\n.shared .align 16 .b8 s[16];\nmov.u32 %a, s;\n"
      "mapa.shared::cluster.u32 %a, %a, 257;\nst.shared::cluster.u32 [%a], 1;";
  EXPECT_EQ(diagnose({.text = wrapped, .cluster = 2}).outcome, LaunchOutcome::completed);
}

// The other CTA's variable and mbarrier by the rank that is named, in %a and %m; its CTA's own in
// s.
std::string of_rank(const std::string& rank) {
  return ".reg .b32 %a, %m, %r, %rank;\n.reg .b64 %g, %state;\n.reg .pred %p;\n"
         ".shared .align 128 .b8 s[256];\n.shared .align 8 .b64 bar;\n"
         "mbarrier.init.shared.b64 [bar], 2;\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\n"
         "ld.param.u64 %g, [out];\nmov.u32 %rank, %cluster_ctarank;\n" +
         rank +
         "mov.u32 %a, s;\nmov.u32 %m, bar;\nmapa.shared::cluster.u32 %a, %a, %rank;\n"
         "mapa.shared::cluster.u32 %m, %m, %rank;\n";
}
const std::string of_the_other = of_rank("xor.b32 %rank, %rank, 1;\n");
const std::string end = "\nbarrier.cluster.arrive;\nbarrier.cluster.wait;";

// Each of them is an illegal instruction on an H100.
const std::string uses_of_own_memory[] = {
    "ld.shared.u32 %r, [%a];",
    "ld.shared.u32 %r, [%a+2];",  // misaligned, too
    "ld.volatile.shared::cta.u32 %r, [%a];",
    "st.shared.u32 [%a], 1;",
    "st.release.cta.shared::cta.u32 [%a], 1;",
    "atom.shared.add.u32 %r, [%a], 1;",
    "red.shared::cta.add.u32 [%a], 1;",
    "cp.async.ca.shared.global [%a], [%g], 4;",
    "cp.async.mbarrier.arrive.shared.b64 [%m];",
    "cp.async.bulk.global.shared::cta.bulk_group [%g], [%a], 16;",
    "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%g], [%a], 16;",
    "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [s], [%a], 16, [bar];",
    "mbarrier.init.shared.b64 [%m], 1;",
    "mbarrier.inval.shared.b64 [%m];",
    "mbarrier.arrive.shared.b64 %state, [%m];",
    "mbarrier.arrive.shared::cta.b64 _, [%m+4];",
    "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%m], 0;",
    "mbarrier.arrive_drop.shared.b64 %state, [%m];",
    "mbarrier.test_wait.parity.shared.b64 %p, [%m], 1;",
    "mbarrier.try_wait.parity.shared::cta.b64 %p, [%m], 1;",
    "cvt.u64.u32 %g, %m; cvta.shared.u64 %g, %g; mbarrier.arrive.b64 %state, [%g];",
};

TEST(AddressOfAnotherCta, IsAnIllegalInstructionInWhatReachesOwnMemoryAlone) {
  const DeviceBuffer memory(64);
  for (const std::string& use : uses_of_own_memory) {
    const Diagnosed said =
        diagnose({.text = of_the_other + use + end, .parameter = memory.address(), .cluster = 2});
    expect_said(said, LaunchOutcome::illegal_instruction, "[address-of-another-cta]");
    expect_said(said, LaunchOutcome::illegal_instruction, "in the CTA of rank ");
    SCOPED_TRACE(use);
  }
}

TEST(AddressOfAnotherCta, IsFineWhereMapaWasGivenTheOwnRank) {
  const DeviceBuffer memory(64);
  for (const std::string& use : uses_of_own_memory) {
    if (use.find("+") != std::string::npos) continue;  // misaligned
    const Diagnosed said =
        diagnose({.text = of_rank("") + use + end, .parameter = memory.address(), .cluster = 2});
    EXPECT_EQ(said.said.find("address-of-another-cta"), std::string::npos) << use << said.said;
    EXPECT_EQ(said.outcome, LaunchOutcome::completed) << use << said.said;
  }
}

// The last three against the letter of PTX, but an H100 does them.
TEST(AddressOfAnotherCta, IsFineInWhatReachesTheCluster) {
  const DeviceBuffer memory(64);
  for (const std::string use :
       {"ld.shared::cluster.u32 %r, [%a];", "st.shared::cluster.u32 [%a], 1;",
        "red.shared::cluster.add.u32 [%a], 1;", "mbarrier.arrive.shared::cluster.b64 _, [%m];",
        "cvt.u64.u32 %g, %a; cvta.shared.u64 %g, %g; ld.u32 %r, [%g];",
        "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%m], 0;",
        "mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [%m], 0;",
        "cp.async.bulk.global.shared::cta.bulk_group [%g], [%a], 0;"}) {
    const Diagnosed said =
        diagnose({.text = of_the_other + use + end, .parameter = memory.address(), .cluster = 2});
    EXPECT_EQ(said.outcome, LaunchOutcome::completed) << use << said.said;
  }
}

TEST(TensorMap, IsSaidToBeWhereItIs) {
  const auto with_map = [](const std::string& map) {
    return diagnose({.text = ".reg .b64 %map; .reg .b32 %c;\n.shared .align 128 .b8 s[256];\n"
                             ".local .align 64 .b8 l[128];\nmov.u32 %c, 0;\n" +
                             map +
                             "\ncp.async.bulk.tensor.1d.global.shared::cta.bulk_group [%map, "
                             "{%c}], [s];"});
  };
  expect_said(with_map("cvta.shared.u64 %map, s;"), LaunchOutcome::illegal_instruction,
              "the tensor map is in shared memory, where the TMA engine");
  expect_said(with_map("cvta.local.u64 %map, l;"), LaunchOutcome::illegal_instruction,
              "the tensor map is in the thread's own memory, where the TMA engine");
}

}  // namespace
}  // namespace tmaemu::testing
