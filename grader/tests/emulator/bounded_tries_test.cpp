// Waits that a function gives up after some tries, to go on as if they had succeeded.
#include "emulator/program/bounded_tries.h"

#include <gtest/gtest.h>

#include <string>

#include "tests/emulator/decoded_program.h"

namespace tmaemu::testing {
namespace {

const std::string declarations =
    ".reg .pred %p, %q, %r;\n.reg .b32 %a, %n;\n.shared .align 8 .b64 bar;\n"
    ".shared .align 4 .b8 tile[4];\n.shared .align 4 .b8 other[4];\n";
const std::string try_once = "mbarrier.try_wait.parity.shared.b64 %p, [bar], 0;\n";
const std::string count = "add.s32 %n, %n, 1;\nsetp.lt.s32 %q, %n, 100;\n";
const std::string read = "ld.shared.u32 %a, [tile];\nret;";

std::size_t bounded_tries_of(const std::string& body) {
  const DecodedText text(declarations + body);
  return bounded_tries(text.function(), text.effects()).size();
}

TEST(BoundedTries, AWaitWithoutAnEndIsNone) {
  EXPECT_EQ(bounded_tries_of("L:\n" + try_once + "@!%p bra L;\n" + read), 0u);
}

TEST(BoundedTries, ACountThatEndsTheWaitMakesOne) {
  EXPECT_EQ(
      bounded_tries_of("L:\n" + try_once + "@%p bra D;\n" + count + "@%q bra L;\nD:\n" + read), 1u);
}

TEST(BoundedTries, TheCountMayBePutTogetherWithTheAnswer) {
  EXPECT_EQ(bounded_tries_of("L:\n" + try_once + count +
                             "not.pred %r, %p;\nand.pred %r, %r, %q;\n@%r bra L;\n" + read),
            1u);
}

TEST(BoundedTries, TheAnswerIsFollowedThroughNumbers) {
  EXPECT_EQ(bounded_tries_of("L:\n" + try_once +
                             "selp.s32 %a, 1, 0, %p;\nsetp.eq.s32 %r, %a, 0;\n@%r bra L;\n" + read),
            0u);
}

TEST(BoundedTries, WhoEndsInsteadOfReadingGivesUpRightly) {
  EXPECT_EQ(bounded_tries_of("L:\n" + try_once + "@%p bra D;\n" + count +
                             "@%q bra L;\ntrap;\nD:\n" + read),
            0u);
}

TEST(BoundedTries, WhoRemembersThatItWasInVainGivesUpRightly) {
  EXPECT_EQ(bounded_tries_of("L:\n" + try_once + "@%p bra D;\n" + count +
                             "@%q bra L;\nD:\n@!%p ret;\n" + read),
            0u);
}

TEST(BoundedTries, WhoWaitsAtAnotherPlaceThenGivesUpRightly) {
  EXPECT_EQ(bounded_tries_of("L:\n" + try_once + "@%p bra D;\n" + count +
                             "@%q bra L;\nM:\nmbarrier.try_wait.parity.shared.b64 %r, [bar], 0;\n"
                             "@!%r bra M;\nD:\n" +
                             read),
            0u);
}

TEST(BoundedTries, WhatIsReadWhileOneWaitsIsNotWhatIsWaitedFor) {
  EXPECT_EQ(bounded_tries_of("L:\n" + try_once +
                             "@%p bra D;\nld.shared.u32 %a, [other];\nbra L;\n"
                             "D:\n" +
                             read),
            0u);
}

TEST(BoundedTries, AskingAheadOnceIsNone) {
  EXPECT_EQ(
      bounded_tries_of(try_once +
                       "ld.shared.u32 %a, [other];\n@%p bra D;\nM:\n"
                       "mbarrier.try_wait.parity.shared.b64 %r, [bar], 0;\n@!%r bra M;\nD:\n" +
                       read),
      0u);
}

}  // namespace
}  // namespace tmaemu::testing
