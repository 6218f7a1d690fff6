// Words and texts as GNU's assembler for aarch64 has them.
#include "emulator/runtime/state/a64_instruction.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace tmaemu::runtime {
namespace {

struct Assembled {
  std::uint32_t word;
  const char* text;
};

constexpr Assembled writes[] = {
    {0xb900'0001, "str w1, [x0]"},
    {0x3900'0c01, "strb w1, [x0, #3]"},
    {0xf800'8401, "str x1, [x0], #8"},
    {0xf822'7801, "str x1, [x0, x2, lsl #3]"},
    {0xf81f'8001, "stur x1, [x0, #-8]"},
    {0x3d80'0000, "str q0, [x0]"},
    {0x3c9f'0000, "stur q0, [x0, #-16]"},
    {0x3ca2'6800, "str q0, [x0, x2]"},
    {0xfc00'8c00, "str d0, [x0, #8]!"},
    {0xa900'0801, "stp x1, x2, [x0]"},
    {0xac81'0400, "stp q0, q1, [x0], #32"},
    {0xa800'0801, "stnp x1, x2, [x0]"},
    {0x889f'fc01, "stlr w1, [x0]"},
    {0x1900'1001, "stlurb w1, [x0, #1]"},
    {0x8803'7c01, "stxr w3, w1, [x0]"},
    {0xc823'8801, "stlxp w3, x1, x2, [x0]"},
    {0x88a1'7c02, "cas w1, w2, [x0]"},
    {0x4822'7c04, "casp x2, x3, x4, x5, [x0]"},
    {0xb821'0002, "ldadd w1, w2, [x0]"},
    {0xb8e1'001f, "ldaddal w1, wzr, [x0]"},
    {0xf821'8002, "swp x1, x2, [x0]"},
    {0x3821'4002, "ldsmaxb w1, w2, [x0]"},
    {0x4c00'7800, "st1 {v0.4s}, [x0]"},
    {0x4c9f'2800, "st1 {v0.4s-v3.4s}, [x0], #64"},
    {0x0d00'9000, "st1 {v0.s}[1], [x0]"},
    {0x0c00'0000, "st4 {v0.8b-v3.8b}, [x0]"},
    {0xd50b'7420, "dc zva, x0"},
    {0xe540'e000, "st1w {z0.s}, p0, [x0]"},
    {0xe580'4000, "str z0, [x0]"},
    {0x1941'0440, "cpyfm [x0]!, [x1]!, x2!"},
    {0x19c2'0420, "setp [x0]!, x1!, x2"},
    {0xb800'0801, "sttr w1, [x0]"},
};

constexpr Assembled only_reads[] = {
    {0xb940'0001, "ldr w1, [x0]"},
    {0x39c0'0c01, "ldrsb w1, [x0, #3]"},
    {0xb880'4401, "ldrsw x1, [x0], #4"},
    {0xf862'7801, "ldr x1, ."},
    {0xf85f'8001, "ldur x1, [x0, #-8]"},
    {0x3dc0'0000, "ldr q0, [x0]"},
    {0x3cdf'0000, "ldur q0, [x0, #-16]"},
    {0x3ce2'6800, "ldr q0, [x0, x2]"},
    {0xfc40'8c00, "ldr d0, [x0, #8]!"},
    {0xa940'0801, "ldp x1, x2, [x0]"},
    {0x6940'0801, "ldpsw x1, x2, [x0]"},
    {0xacc1'0400, "ldp q0, q1, [x0], #32"},
    {0xa840'0801, "ldnp x1, x2, [x0]"},
    {0x88df'fc01, "ldar w1, [x0]"},
    {0xb8bf'c001, "ldapr w1, [x0]"},
    {0x1940'1001, "ldapurb w1, [x0, #1]"},
    {0x1980'1001, "ldapursb x1, [x0, #1]"},
    {0x885f'7c01, "ldxr w1, [x0]"},
    {0xc87f'8801, "ldaxp x1, x2, [x0]"},
    {0x4c40'7800, "ld1 {v0.4s}, [x0]"},
    {0x4cdf'2800, "ld1 {v0.4s-v3.4s}, [x0], #64"},
    {0x0d40'9000, "ld1 {v0.s}[1], [x0]"},
    {0x4d40'c800, "ld1r {v0.4s}, [x0]"},
    {0xa540'a000, "ld1w {z0.s}, p0/z, [x0]"},
    {0x8580'4000, "ldr z0, [x0]"},
    {0x5800'0001, "ldr x1, ."},
    {0xf980'0000, "prfm pldl1keep, [x0]"},
    {0xb840'0801, "ldtr w1, [x0]"},
    {0xd50b'7e20, "dc civac, x0"},
    {0x9100'2000, "add x0, x0, #0x8"},
};

TEST(A64Instruction, WritesWhereItStoresOrSwaps) {
  for (const auto& [word, text] : writes) EXPECT_TRUE(a64_writes(word)) << text;
}

TEST(A64Instruction, OnlyReadsWhereItLoads) {
  for (const auto& [word, text] : only_reads) EXPECT_FALSE(a64_writes(word)) << text;
}

}  // namespace
}  // namespace tmaemu::runtime
