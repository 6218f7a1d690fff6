// Which strong loads ask for what another thread says at any time.
#include <gtest/gtest.h>

#include <string>

#include "emulator/check/polls.h"
#include "tests/emulator/decoded_program.h"

namespace tmaemu::check {
namespace {

// Of the first instruction that begins with "ld.relaxed.cta.shared.u32 %a", a load of `word`.
bool polls(const std::string& body) {
  const testing::DecodedText text(
      ".reg .b32 %a, %b, %c;\n.reg .pred %p, %q;\n.shared .align 4 .b8 word[4];\n"
      ".shared .align 4 .b8 flag[4];\n" +
      body);
  const auto& instructions = text.function().body;
  const std::vector<bool> found = Polls(text.function(), text.effects()).find();
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (instructions[i].mnemonic == "ld.relaxed.cta.shared.u32" &&
        instructions[i].operands[0].name == "%a") {
      return found[i];
    }
  }
  ADD_FAILURE() << "no such load";
  return false;
}

const std::string load = "ld.relaxed.cta.shared.u32 %a, [word];\n";

TEST(CheckPolls, WhatIsAddedUpIsData) {
  EXPECT_FALSE(polls(load + "add.s32 %b, %a, 1;\nst.shared.u32 [flag], %b;\nret;"));
}

TEST(CheckPolls, WhatABranchDependsOnIsAskedFor) {
  EXPECT_TRUE(polls("L:\n" + load + "setp.eq.s32 %p, %a, 0;\n@%p bra L;\nret;"));
}

TEST(CheckPolls, WhatDecidesAboutAStoreIsAskedFor) {
  EXPECT_TRUE(polls(load + "setp.eq.s32 %p, %a, 0;\n@%p st.shared.u32 [flag], 1;\nret;"));
}

TEST(CheckPolls, WhatDecidesWhichValueIsKeptIsAskedFor) {
  EXPECT_TRUE(polls(load + "setp.eq.s32 %p, %a, 0;\nselp.u32 %b, 1, 2, %p;\n"
                           "st.shared.u32 [flag], %b;\nret;"));
}

TEST(CheckPolls, WhatIsReadAgainWhereANumberHasChangedIsAskedFor) {
  EXPECT_TRUE(polls("L:\nld.acquire.cta.shared.u32 %b, [flag];\n" + load +
                    "ld.relaxed.cta.shared.u32 %c, [flag];\nsetp.ne.s32 %p, %b, %c;\n@%p bra L;\n"
                    "st.shared.u32 [word], %a;\nret;"));
}

TEST(CheckPolls, WhatStandsBehindALoopThatWaitsIsData) {
  EXPECT_FALSE(
      polls("L:\nld.acquire.cta.shared.u32 %b, [flag];\nsetp.eq.s32 %p, %b, 0;\n"
            "@%p bra L;\n" +
            load + "st.shared.u32 [word], %a;\n@%q bra L;\nret;"));
}

TEST(CheckPolls, WhatIsReadBehindTheFlagOfEachLapIsData) {
  EXPECT_FALSE(
      polls("L:\nld.relaxed.cta.shared.u32 %b, [flag];\nsetp.ne.s32 %p, %b, 0;\n@%p bra N;\n"
            "M:\nld.relaxed.cta.shared.u32 %b, [flag];\nsetp.eq.s32 %p, %b, 0;\n@%p bra M;\n"
            "N:\n" +
            load + "add.s32 %c, %c, %a;\nsetp.ne.s32 %q, %b, 2;\n@%q bra L;\n" +
            "st.shared.u32 [word], %c;\nret;"));
}

}  // namespace
}  // namespace tmaemu::check
