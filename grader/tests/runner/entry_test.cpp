// How a submission's launchers are bound to the parts of a lab: entry/parts.def is the lab's list,
// entry/submission.cuh the student's file.
#include <gtest/gtest.h>

#include <array>
#include <bit>

#include "runner/part_calls.h"

namespace tmagrade_entry {

using Tiles = Instances<Values<64, 128>, Values<1, 8>>;
using Types = Instances<Type<float>, Type<int>>;
using RankedTypes = Instances<Type<float, 1>, Type<int, 2>, Type<int, 3>>;

template <class Facts>
std::array<int, 2> numbers_in(const Returned<Facts>& facts) {
  return {facts.value.first, facts.value.second};
}

}  // namespace tmagrade_entry

#define ENTRY_PARTS "tests/runner/entry/parts.def"
#include "runner/bind_parts.h"

#undef call
#undef data
#undef name
#undef part
#undef result
#undef values

// CUDA's, for the results of host functions.
cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind) {
  std::memcpy(to, from, bytes);
  return cudaSuccess;
}

namespace {

SubmissionArguments with_integers(std::initializer_list<std::int64_t> integers) {
  SubmissionArguments made{};
  std::copy(integers.begin(), integers.end(), made.integers);
  for (int i = 0; i < SubmissionArguments::capacity; ++i) {
    made.pointers[i] = reinterpret_cast<void*>(std::intptr_t{0x100} * (i + 1));
  }
  return made;
}

std::int64_t bits(double value) {
  return std::bit_cast<std::int64_t>(value);
}

// What the launcher of the part says that it was called with.
std::string after_call(const char* id, std::initializer_list<std::int64_t> integers) {
  const SubmissionArguments arguments = with_integers(integers);
  called = "nothing";
  EXPECT_EQ(submission_call(id, &arguments), submission_called);
  return called;
}

int status_of(const char* id, std::initializer_list<std::int64_t> integers = {}) {
  const SubmissionArguments arguments = with_integers(integers);
  return submission_call(id, &arguments);
}

TEST(Entry, HandsOutPointersAndNumbersEachInTheirOrder) {
  EXPECT_EQ(after_call("one-tile", {1L << 40}), "256 1099511627776 ");
  EXPECT_EQ(after_call("numbers", {1, bits(0.5), -3, bits(2.25)}), "1 0.500000 256 -3 2.250000 ");
  EXPECT_EQ(after_call("arrays", {1, 2, 3, 4, 5, 6}), "1 2 3 4 5 6 ");
}

TEST(Entry, TakesALauncherThatLeavesOutConst) {
  EXPECT_EQ(after_call("without-const", {}), "256 512 ");
}

TEST(Entry, CallsAVariableThatHoldsAFunction) {
  EXPECT_EQ(after_call("variable", {3}), "256 3 ");
}

TEST(Entry, LeavesALaunchersStatusAlone) {
  EXPECT_EQ(after_call("with-a-status", {}), "256 ");
}

TEST(Entry, GivesWhatAHostFunctionReturnsToTheFirstPointer) {
  float number = 0;
  SubmissionArguments arguments{{&number}, {5}};
  EXPECT_EQ(submission_call("number-back", &arguments), submission_called);
  EXPECT_EQ(number, 2.5F);

  std::array<int, 2> facts{};
  arguments.pointers[0] = &facts;
  EXPECT_EQ(submission_call("facts-back", &arguments), submission_called);
  EXPECT_EQ(facts, (std::array{5, 6}));
}

TEST(Entry, SaysThatALauncherIsMissing) {
  EXPECT_EQ(status_of("missing"), submission_missing);
  EXPECT_EQ(status_of("of-other-types"), submission_missing);
  EXPECT_EQ(status_of("missing-template", {64, 128}), submission_missing);
  EXPECT_EQ(status_of("no-template", {64, 128}), submission_missing);
}

TEST(Entry, CallsTheInstanceOfATemplateThatTheFirstNumbersAskFor) {
  EXPECT_EQ(after_call("tile", {64, 128}), "64 128 256 ");
  EXPECT_EQ(after_call("tile", {1, 8}), "1 8 256 ");
  const auto number = [](SubmissionType type) { return static_cast<std::int64_t>(type); };
  EXPECT_EQ(after_call("typed", {number(SubmissionType::int32), 9}), "4 256 9 ");
  EXPECT_EQ(after_call("ranked", {number(SubmissionType::float32), 1, 6}), "4 1 6 ");
  EXPECT_EQ(after_call("ranked", {number(SubmissionType::int32), 3, 6, 7, 8}), "4 3 8 ");
}

TEST(Entry, TakesOverloadsInPlaceOfATemplateOfTypes) {
  EXPECT_EQ(after_call("overloaded", {static_cast<std::int64_t>(SubmissionType::float32)}), "1 ");
  EXPECT_EQ(after_call("overloaded", {static_cast<std::int64_t>(SubmissionType::int32)}), "2 ");
}

TEST(Entry, KnowsNoOtherPartsAndNoOtherInstances) {
  for (const char* id : {"", "one", "one-tile-", "one-tiles", "two-tiles"}) {
    EXPECT_EQ(status_of(id), submission_unknown_part) << id;
  }
  EXPECT_EQ(status_of("tile", {128, 64}), submission_unknown_part);
  EXPECT_EQ(status_of("typed", {static_cast<std::int64_t>(SubmissionType::bfloat16)}),
            submission_unknown_part);
}

}  // namespace
