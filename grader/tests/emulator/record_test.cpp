// What --record writes down: the steps of the first cluster, and what each of them changed.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "emulator/record/observer.h"
#include "emulator/record/step.h"
#include "tests/emulator/kernel_run.h"

namespace tmaemu::record {
namespace {

constexpr WarpId first{0, 0};
constexpr WarpId second{0, 1};

Step poll(WarpId warp, std::uint32_t line, bool sleeps = true) {
  Step step{.warp = warp, .line = {0, line}, .lanes = 1, .sleeps = sleeps};
  step.mbarrier = 1024;
  return step;
}

// What becomes of steps that come one after the other.
std::vector<Step> folded(const std::vector<Step>& steps) {
  std::vector<Step> kept;
  for (const Step& step : steps) {
    kept.push_back(step);
    fold_poll(kept);
  }
  return kept;
}

TEST(Polls, OfTwoWarpsThatTakeTurnsAreAStepEach) {
  const auto steps = folded({poll(first, 5), poll(second, 9), poll(first, 5), poll(second, 9)});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].polls, 1u);
  EXPECT_EQ(steps[1].polls, 1u);
}

TEST(Polls, AWarpThatWokeIsAwake) {
  const auto steps = folded({poll(first, 5), poll(second, 9), poll(first, 5, false)});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_FALSE(steps[0].sleeps);
  EXPECT_EQ(steps[0].polls, 0u);
}

TEST(Polls, AreApartWhereSomethingChangedBetweenThem) {
  Step store{.warp = second, .line = {0, 9}, .lanes = 1};
  store.changes.push_back({View::generic, 0, 0, {std::byte{1}}});
  EXPECT_EQ(folded({poll(first, 5), store, poll(first, 5)}).size(), 3u);
}

TEST(Polls, AreApartWhereTheEngineActedBetweenThem) {
  EXPECT_EQ(folded({poll(first, 5), {.is_engine = true}, poll(first, 5)}).size(), 3u);
}

TEST(Polls, AtAnotherLineAreOthers) {
  EXPECT_EQ(folded({poll(first, 5), poll(second, 9), poll(first, 6)}).size(), 3u);
}

TEST(Polls, AStepWithAFindingStays) {
  Step found = poll(first, 5);
  found.found = {{"deadlock"}};
  EXPECT_EQ(folded({poll(first, 5), poll(second, 9), found}).size(), 3u);
}

TEST(Polls, AStepThatAsksNoMbarrierIsNone) {
  const Step run{.warp = first, .line = {0, 5}, .lanes = 1};
  EXPECT_EQ(folded({run, poll(second, 9), run}).size(), 3u);
}

std::string at(int line, const std::string& ptx) {
  return ".loc 1 " + std::to_string(line) + " 5\n" + ptx + "\n";
}

KernelRun kernel(const std::string& body) {
  KernelRun run{.body = body};
  run.shared = ".file 1 \"/submission/lab3.cu\"\n" + run.shared;
  run.recorded = true;
  return run;
}

// Without the first, which is what run_kernel() puts before the body.
std::vector<Step> steps_of_body(const KernelRun& run) {
  const ClusterSteps recording = run_kernel(run).recording;
  if (recording.steps.empty()) return {};
  return {recording.steps.begin() + 1, recording.steps.end()};
}

std::vector<std::uint32_t> lines_of_warps(const std::vector<Step>& steps) {
  std::vector<std::uint32_t> lines;
  for (const Step& step : steps) {
    if (!step.is_engine) lines.push_back(step.line.number);
  }
  return lines;
}

TEST(Recording, OperationsOfOneLineAreOneStep) {
  const auto steps =
      steps_of_body(kernel(at(7, "mov.u32 %a, 1;\nmov.u32 %b, 2;") + at(8, "mov.u32 %c, 3;")));
  EXPECT_EQ(lines_of_warps(steps), (std::vector<std::uint32_t>{7, 8}));
}

TEST(Recording, WhatStandsInAnotherFileBelongsToTheLineBefore) {
  KernelRun run =
      kernel(at(7, "mov.u32 %a, 1;") + ".loc 2 85 5\nmov.u32 %b, 2;\n" + at(8, "mov.u32 %c, 3;"));
  run.shared = ".file 2 \"/submission/other.cuh\"\n" + run.shared;
  EXPECT_EQ(lines_of_warps(steps_of_body(run)), (std::vector<std::uint32_t>{7, 8}));
}

TEST(Recording, AStoreBelongsToItsStep) {
  const auto steps = steps_of_body(kernel(at(7, "mov.u32 %a, 1;") +
                                          at(8, "@%leader st.shared.u32 [%tile], 305419896;") +
                                          at(9, "mov.u32 %a, 2;")));
  ASSERT_EQ(steps.size(), 3u);
  EXPECT_TRUE(steps[0].changes.empty());
  ASSERT_FALSE(steps[1].changes.empty());
  const Change& change = steps[1].changes[0];
  EXPECT_EQ(change.view, View::generic);
  EXPECT_EQ(change.bytes,
            (std::vector{std::byte{0x78}, std::byte{0x56}, std::byte{0x34}, std::byte{0x12}}));
}

TEST(Recording, OnlyTheFirstClusterIsKept) {
  KernelRun run = kernel(at(7, "mov.u32 %a, 1;"));
  run.ctas = 3;
  EXPECT_EQ(steps_of_body(run).size(), 1u);
}

// A load that one thread issues and all wait for.
std::string load() {
  return at(3, "@%leader mbarrier.init.shared.b64 [%bar], 1;\nfence.proxy.async;") +
         at(4, "bar.sync 0;") +
         at(5, "@%leader mbarrier.arrive.expect_tx.shared.b64 %state, [%bar], 64;") +
         at(6,
            "@%leader cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], "
            "[%in], 64, [%bar];") +
         at(7, "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra WAIT;");
}

const Step* step_of_engine(const ClusterSteps& recording) {
  const auto found = std::ranges::find_if(recording.steps, &Step::is_engine);
  return found == recording.steps.end() ? nullptr : &*found;
}

TEST(Recording, ALoadChangesBothViewsInAStepOfTheEngine) {
  const KernelResult run = run_kernel(kernel(load()));
  const Step* const landed = step_of_engine(run.recording);
  ASSERT_NE(landed, nullptr);
  for (const View view : {View::generic, View::async}) {
    EXPECT_TRUE(std::ranges::any_of(landed->changes, [&](const Change& change) {
      return change.view == view && change.bytes.size() >= 63;
    }));
  }
}

TEST(Recording, AStepOfTheEngineIsOfTheLineThatIssued) {
  const KernelResult run = run_kernel(kernel(load()));
  const Step* const landed = step_of_engine(run.recording);
  ASSERT_NE(landed, nullptr);
  EXPECT_EQ(landed->line.number, 6u);
}

TEST(Recording, AWarpThatWaitsNamesItsMbarrier) {
  const KernelResult run = run_kernel(kernel(load()));
  const auto waiting = std::ranges::find_if(
      run.recording.steps, [](const Step& step) { return step.line.number == 7 && step.sleeps; });
  ASSERT_NE(waiting, run.recording.steps.end());
  const auto initialized = std::ranges::find_if(
      run.recording.steps, [](const Step& step) { return !step.initialized.empty(); });
  ASSERT_NE(initialized, run.recording.steps.end());
  EXPECT_EQ(waiting->mbarrier, initialized->initialized.front());
}

// A store, and a wait for its group.
std::string store() {
  return at(3, "@%leader st.shared.u32 [%tile], 1;\nfence.proxy.async;") +
         at(4,
            "@%leader cp.async.bulk.global.shared::cta.bulk_group [%out], [%tile], 16;\n"
            "cp.async.bulk.commit_group;") +
         at(5, "cp.async.bulk.wait_group 0;") + at(6, "mov.u32 %a, 1;");
}

TEST(Recording, AWarpWaitsForItsGroupsWhileTheEngineActs) {
  const ClusterSteps recording = run_kernel(kernel(store())).recording;
  const auto waiting = std::ranges::find_if(
      recording.steps, [](const Step& step) { return !step.is_engine && step.line.number == 5; });
  ASSERT_NE(waiting, recording.steps.end());
  EXPECT_TRUE(waiting->sleeps);
  ASSERT_TRUE(waiting->bulk_groups.has_value());
  EXPECT_EQ(waiting->bulk_groups->pending, 0u);
}

TEST(Recording, AWarpWhoseGroupsAreDoneDoesNotWait) {
  KernelRun run = kernel(store());
  run.policy.kind = TimingPolicy::Kind::early;
  for (const Step& step : steps_of_body(run)) EXPECT_FALSE(step.bulk_groups.has_value());
}

TEST(Recording, AWaitForeverIsOneStep) {
  const auto steps = steps_of_body(
      kernel(at(3, "@%leader mbarrier.init.shared.b64 [%bar], 1;\nbar.warp.sync -1;") +
             at(7,
                "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n"
                "@!%p bra WAIT;")));
  EXPECT_EQ(lines_of_warps(steps), (std::vector<std::uint32_t>{3, 7}));
}

// Though the checker reports it when the cluster has ended.
TEST(Recording, AFindingIsInTheStepAtWhichItIsSeen) {
  KernelRun run = kernel(at(7, "st.shared.u32 [%tile], %thread;") + at(8, "bar.sync 0;") +
                         at(9, "mov.u32 %a, 1;"));
  run.threads = 64;
  run.checked = true;
  const auto steps = steps_of_body(run);
  std::vector<std::uint32_t> lines;
  for (const Step& step : steps) {
    if (!step.found.empty()) lines.push_back(step.line.number);
  }
  EXPECT_EQ(lines, (std::vector<std::uint32_t>{7}));
}

// Whether somebody writes it after all is known when the CTA ends.
TEST(Recording, AFindingThatWaitsForTheEndIsInTheStepAtWhichItIsSeen) {
  KernelRun run = kernel(at(3, "@%leader mbarrier.init.shared.b64 [%bar], 1;") +
                         at(4, "ld.shared.u32 %a, [%tile];") + at(5, "st.global.u32 [%out], %a;"));
  run.checked = true;
  const auto steps = steps_of_body(run);
  ASSERT_EQ(steps.size(), 3u);
  ASSERT_EQ(steps[1].found.size(), 1u);
  EXPECT_EQ(steps[1].found.front().code, "uninitialized-read");
}

}  // namespace
}  // namespace tmaemu::record
