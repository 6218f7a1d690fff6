// What the checker remembers of bytes: whole blocks by marks, others by cells of words or bytes.
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

#include "emulator/check/shadow.h"

namespace tmaemu::check {
namespace {

constexpr std::uint8_t words = 2;  // a mark's shift: four bytes a lane
constexpr std::uint8_t one_lane = Mark::one_lane;

// Writes down what it is asked; accesses in `settled` are ordered before everything.
class Asked final : public Rules {
 public:
  struct Met {
    std::uint32_t access = 0;
    unsigned lane = 0;
    bool wrote = false;
    auto operator<=>(const Met&) const = default;
  };
  void meets(const Earlier& earlier, const Accessor&, unsigned byte, unsigned bytes) override {
    for (unsigned i = byte; i < byte + bytes; ++i) {
      met[i].insert({earlier.by.access, earlier.by.lane, earlier.wrote});
      if (!earlier.wrote) written_by[i] = earlier.written_by.access;
    }
    ++questions;
  }
  bool is_settled(std::uint32_t access) override { return settled.contains(access); }
  bool is_read_by_itself(const Mark& read, const Mark&) override {
    return own_reads.contains(read.access);
  }
  bool is_kept_write(std::uint32_t access) override { return plain_writes.contains(access); }
  bool is_weak_write(std::uint32_t access) override { return weak_writes.contains(access); }
  bool concerns_kept_write(std::uint32_t) override { return true; }
  void follows(const Accessor& writer, const Accessor&, unsigned byte) override {
    followed.push_back({writer.access, byte});
  }
  void reads_unwritten(const Accessor&, unsigned byte, unsigned bytes) override {
    for (unsigned i = byte; i < byte + bytes; ++i) unwritten.insert(i);
  }

  std::set<std::uint32_t> settled;
  std::set<std::uint32_t> own_reads;
  std::set<std::uint32_t> plain_writes;
  std::set<std::uint32_t> weak_writes;
  std::map<unsigned, std::set<Met>> met;  // by byte
  std::map<unsigned, std::uint32_t> written_by;
  std::set<unsigned> unwritten;
  std::vector<std::pair<std::uint32_t, unsigned>> followed;  // a writer, and the byte
  unsigned questions = 0;
};

class CheckShadow : public testing::Test {
 protected:
  Asked touch(const BlockAccess& made, std::set<std::uint32_t> settled = {}) {
    Asked asked;
    asked.own_reads = own_reads;
    asked.plain_writes = plain_writes;
    asked.weak_writes = weak_writes;
    asked.settled = std::move(settled);
    check::access_block(block, made, asked);
    return asked;
  }
  // A warp's access of four bytes a lane, or one thread's of the range.
  Asked write_block(std::uint32_t access) { return touch({0, 128, {access, 0, words}, true}); }
  Asked read_block(std::uint32_t access, std::set<std::uint32_t> settled = {}) {
    return touch({0, 128, {access, 0, words}}, std::move(settled));
  }
  Asked write(unsigned begin, unsigned end, std::uint32_t access) {
    return touch({begin, end, {access, 0, one_lane}, true});
  }
  Asked read(unsigned begin, unsigned end, std::uint32_t access,
             std::set<std::uint32_t> settled = {}) {
    return touch({begin, end, {access, 0, one_lane}}, std::move(settled));
  }
  bool is_whole() const { return block.cells == nullptr; }

  Block block;
  std::set<std::uint32_t> own_reads;
  std::set<std::uint32_t> plain_writes;
  std::set<std::uint32_t> weak_writes;
};

TEST_F(CheckShadow, ABlockThatAWarpWritesStaysWhole) {
  write_block(1);
  EXPECT_TRUE(is_whole());
}

TEST_F(CheckShadow, AReadOfAWholeBlockMeetsTheLaneThatWroteEachWord) {
  write_block(1);
  const Asked asked = read_block(2);
  ASSERT_EQ(asked.met.size(), 128u);
  EXPECT_EQ(asked.met.at(0), (std::set<Asked::Met>{{1, 0, true}}));
  EXPECT_EQ(asked.met.at(127), (std::set<Asked::Met>{{1, 31, true}}));
}

TEST_F(CheckShadow, ASettledRecordIsNotAskedAbout) {
  write_block(1);
  EXPECT_EQ(read_block(2, {1}).questions, 0u);
}

TEST_F(CheckShadow, ReadsMeetNoReads) {
  read_block(1);
  EXPECT_EQ(read_block(2).questions, 0u);
}

TEST_F(CheckShadow, AWriteMeetsTwoReadsThatNothingOrders) {
  read_block(1);
  read_block(2);
  const Asked asked = write_block(3);
  EXPECT_EQ(asked.met.at(8), (std::set<Asked::Met>{{1, 2, false}, {2, 2, false}}));
}

TEST_F(CheckShadow, LanesAreNotAskedAboutWhatTheyHaveReadThemselves) {
  read_block(1);
  read_block(2);
  own_reads = {2};
  EXPECT_EQ(write_block(3).met.at(8), (std::set<Asked::Met>{{1, 2, false}}));
}

// What lanes of two bytes touch is told apart in cells of two bytes.
TEST_F(CheckShadow, HalvesOfWordsHaveCellsOfTheirOwn) {
  touch({64, 96, {1, 0, 1}});
  EXPECT_EQ(block.granule, 2);
  touch({66, 68, {2, 1, one_lane}});
  EXPECT_EQ(block.at(65).read.access, 1u);
  EXPECT_EQ(block.at(66).read.access, 2u);
  EXPECT_EQ(block.at(66).other_read.lane, 1u);
}

// The quick way for what nobody has written remembers what the other one does.
TEST_F(CheckShadow, ReadsOfUnwrittenBytesAreRememberedAsAnyReadsAre) {
  std::mt19937 random(1);
  const auto below = [&](unsigned count) { return static_cast<unsigned>(random() % count); };
  Block quick;
  for (int i = 0; i < 2000; ++i) {
    if (i % 100 == 0) {
      block = {};
      quick = {};
    }
    const auto shift = static_cast<std::uint8_t>(below(5));
    const unsigned begin = below(128 >> shift) << shift;
    const unsigned end = below(4) == 0 ? 128 : begin + (1u << shift);
    const std::uint32_t access = 1 + below(6);
    const BlockAccess read{
        end == 128 ? 0 : begin, end, {access, 0, below(2) == 0 ? shift : one_lane}};
    std::set<std::uint32_t> settled;
    for (std::uint32_t each = 1; each <= 6; ++each) {
      if (below(2) == 0) settled.insert(each);
    }
    touch(read, settled);
    ASSERT_TRUE(quick.is_unwritten());
    remember_read_of_unwritten(quick, read, [&](auto each) { return settled.contains(each); });
    for (unsigned byte = 0; byte < block_bytes; ++byte) {
      ASSERT_EQ(quick.at(byte).read.access, block.at(byte).read.access);
      ASSERT_EQ(quick.at(byte).read.lane, block.at(byte).read.lane);
      ASSERT_EQ(quick.at(byte).other_read.access, block.at(byte).other_read.access);
      ASSERT_EQ(quick.at(byte).other_read.lane, block.at(byte).other_read.lane);
    }
  }
}

TEST_F(CheckShadow, ABlockIsWrittenUntilItIsForgotten) {
  EXPECT_TRUE(block.is_unwritten());
  write(0, 4, 1);
  EXPECT_FALSE(block.is_unwritten());
  write_block(2);
  EXPECT_FALSE(block.is_unwritten());
  read(4, 8, 3);
  EXPECT_FALSE(block.is_unwritten());
}

TEST_F(CheckShadow, AReadThatIsOrderedAfterAnotherTakesItsPlace) {
  read_block(1);
  read_block(2, {1});
  EXPECT_EQ(write_block(3).met.at(0), (std::set<Asked::Met>{{2, 0, false}}));
}

// A store that is still reading must not be forgotten for one that is done.
TEST_F(CheckShadow, AReadThatIsOverMakesRoomForOneThatIsNot) {
  read_block(1);
  read_block(2);
  read_block(3, {1});
  ASSERT_TRUE(is_whole());
  EXPECT_EQ(write_block(4).met.at(0), (std::set<Asked::Met>{{2, 0, false}, {3, 0, false}}));
}

TEST_F(CheckShadow, AReadOfAWordThatIsOverMakesRoomForOneThatIsNot) {
  read(0, 4, 1);
  read(0, 4, 2);
  read(0, 4, 3, {1});
  EXPECT_EQ(write(0, 4, 4).met.at(0), (std::set<Asked::Met>{{2, 0, false}, {3, 0, false}}));
}

// What is kept beside a strong write is no read, and stays.
TEST_F(CheckShadow, AReadTakesNoKeptWritesPlace) {
  plain_writes = {1};
  write(0, 4, 1);
  touch({0, 4, {2, 0, one_lane}, true, true, true});
  read(0, 4, 3, {1, 2});
  read(0, 4, 4, {1, 2});
  EXPECT_TRUE(write(0, 4, 5).met.at(0).contains({1, 0, true}));
}

TEST_F(CheckShadow, AWriteTakesThePlaceOfAllBeforeIt) {
  write_block(1);
  read_block(2);
  write_block(3);
  EXPECT_EQ(read_block(4).met.at(0), (std::set<Asked::Met>{{3, 0, true}}));
}

TEST_F(CheckShadow, AWriteThatMeetsAReadIsToldWhatWasRead) {
  write_block(1);
  read_block(2);
  EXPECT_EQ(write_block(3).written_by.at(4), 1u);
}

TEST_F(CheckShadow, BytesThatNobodyWroteAreMetAsSuch) {
  write(8, 12, 1);
  const Asked asked = read(4, 16, 2);
  EXPECT_EQ(asked.unwritten, (std::set<unsigned>{4, 5, 6, 7, 12, 13, 14, 15}));
}

TEST_F(CheckShadow, ABlockThatNobodyWroteIsMetAsAWhole) {
  EXPECT_EQ(read_block(1).unwritten.size(), 128u);
}

TEST_F(CheckShadow, AWriteNeedsNoWriterBeforeIt) {
  EXPECT_TRUE(write_block(1).unwritten.empty());
}

TEST_F(CheckShadow, AnAtomicReadsToo) {
  const Asked asked = touch({0, 4, {1, 0, one_lane}, true, true});
  EXPECT_EQ(asked.unwritten.size(), 4u);
}

// Atomics do each other no harm: the second one must still meet the plain write before the first.
TEST_F(CheckShadow, APlainWriteIsKeptBesideTheAtomicsBehindIt) {
  plain_writes = {1};
  write(0, 4, 1);
  touch({0, 4, {2, 0, one_lane}, true, true, true});
  const Asked asked = touch({0, 4, {3, 0, one_lane}, true, true, true});
  EXPECT_EQ(asked.met.at(0), (std::set<Asked::Met>{{1, 0, true}, {2, 0, true}}));
}

TEST_F(CheckShadow, APlainWriteIsKeptBesideTheAtomicsOfAWholeBlock) {
  plain_writes = {1};
  write_block(1);
  touch({0, 128, {2, 0, words}, true, true, true});
  ASSERT_TRUE(is_whole());
  EXPECT_EQ(read_block(3).met.at(0), (std::set<Asked::Met>{{1, 0, true}, {2, 0, true}}));
}

// A block that several have written, and that is read as a whole.
class CheckSharedShadowReads : public CheckShadow {
 protected:
  CheckSharedShadowReads() {
    write(0, 64, 1);
    write(64, 128, 2);
  }
};

TEST_F(CheckSharedShadowReads, OfSettledWritesAreRememberedByMarks) {
  read(0, 128, 3, {1, 2});
  ASSERT_FALSE(is_whole());
  EXPECT_NE(block.writers, nullptr);
  EXPECT_EQ(read(0, 128, 4, {1, 2, 3}).questions, 0u);
  EXPECT_EQ(block.at(8).read.access, 4u);
  EXPECT_EQ(block.at(8).write.access, 1u);
}

TEST_F(CheckSharedShadowReads, MeetAWriteThatIsNotSettledForThem) {
  read(0, 128, 3, {1, 2});
  const Asked asked = read(0, 128, 4, {1, 3});
  EXPECT_EQ(asked.met.at(64), (std::set<Asked::Met>{{2, 0, true}}));
  EXPECT_FALSE(asked.met.contains(0));
}

TEST_F(CheckSharedShadowReads, AreMetByAWriteOfSomeOfTheBytes) {
  read(0, 128, 3, {1, 2});
  read(0, 128, 4, {1, 2});
  const Asked asked = write(4, 8, 5);
  EXPECT_EQ(asked.met.at(4), (std::set<Asked::Met>{{1, 0, true}, {3, 0, false}, {4, 0, false}}));
  EXPECT_EQ(block.writers, nullptr);
  EXPECT_EQ(block.at(8).read.access, 4u) << "what is not written is still as it was";
}

TEST_F(CheckSharedShadowReads, OfBytesThatNobodyWroteAreMetEachTime) {
  block = {};
  write(0, 64, 1);
  EXPECT_EQ(read(0, 128, 3, {1}).unwritten.size(), 64u);
  EXPECT_EQ(read(0, 128, 4, {1, 3}).unwritten.size(), 64u);
}

TEST_F(CheckShadow, AWordDividesABlockIntoWords) {
  write_block(1);
  write(4, 8, 2);
  ASSERT_FALSE(is_whole());
  EXPECT_EQ(block.granule, 4);
  const Asked asked = read(0, 12, 3);
  EXPECT_EQ(asked.met.at(0), (std::set<Asked::Met>{{1, 0, true}}));
  EXPECT_EQ(asked.met.at(5), (std::set<Asked::Met>{{2, 0, true}}));
  EXPECT_EQ(asked.met.at(8), (std::set<Asked::Met>{{1, 2, true}}));
}

TEST_F(CheckShadow, AByteDividesABlockIntoBytes) {
  write_block(1);
  write(5, 6, 2);
  EXPECT_EQ(block.granule, 1);
  const Asked asked = read(4, 8, 3);
  EXPECT_EQ(asked.met.at(4), (std::set<Asked::Met>{{1, 1, true}}));
  EXPECT_EQ(asked.met.at(5), (std::set<Asked::Met>{{2, 0, true}}));
}

TEST_F(CheckShadow, WordsAreDividedIntoBytesWithWhatTheyHold) {
  write(0, 4, 1);
  write(5, 6, 2);
  EXPECT_EQ(block.granule, 1);
  EXPECT_EQ(read(3, 4, 3).met.at(3), (std::set<Asked::Met>{{1, 0, true}}));
}

TEST_F(CheckShadow, ReadsSurviveADivision) {
  write_block(1);
  read_block(2);
  read(4, 8, 3);
  EXPECT_EQ(write_block(4).met.at(120), (std::set<Asked::Met>{{1, 30, true}, {2, 30, false}}));
}

TEST_F(CheckShadow, LanesOfOneByteMeetByBytes) {
  touch({0, 32, {1, 0, 0}, true});
  EXPECT_EQ(block.granule, 1);
  EXPECT_EQ(read(7, 8, 2).met.at(7), (std::set<Asked::Met>{{1, 7, true}}));
}

TEST_F(CheckShadow, AWriteOfAllBytesMakesADividedBlockWholeAgain) {
  write(5, 6, 1);
  ASSERT_FALSE(is_whole());
  const Asked asked = write_block(2);
  EXPECT_EQ(asked.met.at(5), (std::set<Asked::Met>{{1, 0, true}}));
  EXPECT_TRUE(is_whole());
  EXPECT_EQ(read_block(3).met.at(5), (std::set<Asked::Met>{{2, 1, true}}));
}

TEST_F(CheckShadow, AReadOfAllBytesLeavesABlockDivided) {
  write(5, 6, 1);
  read_block(2);
  EXPECT_FALSE(is_whole());
}

// Against the plainest implementation: for each byte its last write, and the reads since.
TEST_F(CheckShadow, EqualsAByteForByteModel) {
  struct Byte {
    Accessor write;
    std::vector<Accessor> reads;  // at most two: nothing is settled here
  };
  std::mt19937 random(5);
  std::vector<Byte> model(block_bytes);
  for (std::uint32_t access = 1; access < 4000; ++access) {
    BlockAccess made;
    made.mark.access = access;
    if (random() % 2 == 0) {
      made.mark.shift = static_cast<std::uint8_t>(random() % 3);
      const unsigned bytes = 32u << made.mark.shift;
      made.begin = static_cast<unsigned>(random() % (block_bytes / bytes)) * bytes;
      made.end = made.begin + bytes;
    } else {
      made.begin = static_cast<unsigned>(random() % block_bytes);
      made.end = made.begin + 1 + static_cast<unsigned>(random() % (block_bytes - made.begin));
      made.mark.lane = static_cast<std::uint8_t>(random() % 32);
    }
    made.writes = random() % 3 == 0;
    std::map<unsigned, std::set<Asked::Met>> expected;
    for (unsigned i = made.begin; i < made.end; ++i) {
      Byte& byte = model[i];
      const Accessor now = made.at(i);
      if (byte.write.access != 0) expected[i].insert({byte.write.access, byte.write.lane, true});
      if (made.writes) {
        for (const Accessor& read : byte.reads) expected[i].insert({read.access, read.lane, false});
        byte = {now, {}};
      } else if (byte.reads.size() < 2) {
        byte.reads.push_back(now);
      }
    }
    const Asked asked = touch(made);
    // Of reads that nothing orders two are kept: which two is not promised, but that there are.
    for (unsigned i = made.begin; i < made.end; ++i) {
      const auto met = asked.met.find(i);
      const std::set<Asked::Met> found =
          met == asked.met.end() ? std::set<Asked::Met>{} : met->second;
      ASSERT_EQ(found.size(), expected[i].size()) << access << " byte " << i;
      for (const Asked::Met& each : expected[i]) {
        ASSERT_TRUE(!each.wrote || found.contains(each)) << access << " byte " << i;
      }
    }
  }
}

TEST_F(CheckShadow, AReadMeetsTheWriteThatAStrongOneCameBehind) {
  plain_writes = {1};
  write(0, 4, 1);
  touch({0, 4, {2, 0, one_lane}, true, false, true});
  EXPECT_EQ(read(0, 4, 3).met.at(0), (std::set<Asked::Met>{{1, 0, true}, {2, 0, true}}));
}

TEST_F(CheckShadow, OfTwoWritesBeforeAStrongOneTheWeakOneIsKept) {
  plain_writes = {1, 2};
  weak_writes = {1};
  write(0, 4, 1);
  touch({0, 4, {2, 0, one_lane}, true, false, true});
  touch({0, 4, {3, 0, one_lane}, true, false, true});
  EXPECT_EQ(read(0, 4, 4).met.at(0), (std::set<Asked::Met>{{1, 0, true}, {3, 0, true}}));
}

TEST_F(CheckShadow, AReductionIsToldWhoWroteBeforeItAndOthersAreNot) {
  write_block(1);
  const BlockAccess adds{0, 128, {2, 0, words}, true, true};
  EXPECT_EQ(touch(adds).followed.front(), std::pair(1u, 0u));
  const BlockAccess adds_a_word{8, 12, {3, 0, one_lane}, true, true};
  EXPECT_EQ(touch(adds_a_word).followed, (std::vector{std::pair(2u, 8u)}));
  EXPECT_TRUE(write(8, 12, 4).followed.empty());
  EXPECT_TRUE(read(8, 12, 5).followed.empty());
}

}  // namespace
}  // namespace tmaemu::check
