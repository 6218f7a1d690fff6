// Which races are one mistake: those that one barrier, or one wait for copies, would mend.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "contract/findings/sentences.h"
#include "emulator/check/missing_barriers.h"
#include "tests/emulator/decoded_program.h"

namespace tmaemu::check {
namespace {

using Sites = std::vector<std::uint32_t>;

// Of the instructions of a body, each of which has a line of its own.
class CheckMissingBarriers : public ::testing::Test {
 protected:
  // Of two warps. `other`: that the note is about.
  void race(std::uint32_t site, std::uint32_t other, Sentence sentence = Sentence::race_of_read) {
    Finding finding{sentence, {}, site};
    finding.notes.push_back({NoteSentence::written_by, other, {0, 0, 0}, {0, 64}});
    findings.push_back(std::move(finding));
  }
  // What is told in a kernel of this body, by the instructions.
  Sites told(const std::string& body) {
    const testing::DecodedText text(".reg .pred %p;\n.reg .b32 %r;\n" + body);
    const LaunchRequest request;
    const Places places(text.program(), request);
    MissingBarriers(text.program(), places).merge(findings);
    Sites sites;
    for (const Finding& finding : findings) sites.push_back(finding.site);
    return sites;
  }

  std::vector<Finding> findings;
};

const std::string straight = "mov.u32 %r, 0;\nmov.u32 %r, 1;\nmov.u32 %r, 2;\nmov.u32 %r, 3;\nret;";

TEST_F(CheckMissingBarriers, OneBarrierMendsReadsBehindBothWrites) {
  race(3, 1);
  race(2, 0);
  EXPECT_EQ(told(straight), Sites{2});
  const Note& note = findings.front().notes.back();
  EXPECT_EQ(note.sentence, NoteSentence::lacks_same_barrier);
  EXPECT_EQ(note.pairs, 1u);
  EXPECT_EQ(note.site, 3u);
}

TEST_F(CheckMissingBarriers, APairIsToldAsEver) {
  race(2, 0);
  EXPECT_EQ(told(straight), Sites{2});
  EXPECT_EQ(findings.front().notes.size(), 1u);
}

TEST_F(CheckMissingBarriers, ABarrierBetweenTheFirstPairIsNoneBetweenTheSecond) {
  race(1, 0);
  race(3, 2);
  EXPECT_EQ(told(straight), (Sites{1, 3}));
}

TEST_F(CheckMissingBarriers, ABarrierThatIsThereSaysOnWhichWayOneIsMissing) {
  const std::string loop =
      "L:\nmov.u32 %r, 0;\nmov.u32 %r, 1;\nmov.u32 %r, 2;\nmov.u32 %r, 3;\nbar.sync 0;\n"
      "@%p bra L;\nret;";
  race(2, 0);
  race(3, 1);
  EXPECT_EQ(told(loop), Sites{2});
}

// One in front of the reads, and one behind them.
TEST_F(CheckMissingBarriers, WhereTwoAreMissingAllPairsAreTold) {
  const std::string loop =
      "L:\nmov.u32 %r, 0;\nmov.u32 %r, 1;\nmov.u32 %r, 2;\nmov.u32 %r, 3;\n@%p bra L;\nret;";
  race(2, 0);
  race(3, 1);
  EXPECT_EQ(told(loop), (Sites{2, 3}));
}

TEST_F(CheckMissingBarriers, OneWaitMendsAllReadsOfCopies) {
  race(3, 0, Sentence::read_before_copy_done);
  race(4, 1, Sentence::read_before_copy_done);
  EXPECT_EQ(
      told("mov.u32 %r, 0;\nmov.u32 %r, 1;\nbar.sync 0;\nmov.u32 %r, 2;\nmov.u32 %r, 3;\nret;"),
      Sites{3});
}

TEST_F(CheckMissingBarriers, ARaceAndACopyAreTwoMistakes) {
  race(2, 0);
  race(3, 1, Sentence::read_before_copy_done);
  EXPECT_EQ(told(straight), (Sites{2, 3}));
}

TEST_F(CheckMissingBarriers, WhatAWarpCanMeetAtIsNotToldOfAWholeCta) {
  race(2, 0);
  findings.front().notes.front().thread.index = 1;
  race(3, 1);
  EXPECT_EQ(told(straight), Sites{3});
}

}  // namespace
}  // namespace tmaemu::check
