// The order in which warps, CTAs and clusters run, and what happens when nothing can.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "tests/emulator/kernel_run.h"

namespace tmaemu {
namespace {

using Lines = std::vector<std::string>;

constexpr const char* init =
    "@!%leader bra SYNC;\nmbarrier.init.shared.b64 [%bar], 1;\nfence.proxy.async;\nSYNC:\n"
    "bar.sync 0;\n";
// The leader loads the first 64 bytes of the input.
constexpr const char* load =
    "@!%leader bra LOADED;\n"
    "mbarrier.arrive.expect_tx.shared.b64 %state, [%bar], 64;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%tile], [%in], 64, "
    "[%bar];\nLOADED:\n";
constexpr const char* wait =
    "WAIT: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra WAIT;\n";
// Each thread writes the word of its lane.
constexpr const char* store =
    "and.b32 %a, %thread, 15;\nmad.lo.u32 %a, %a, 4, %tile;\nld.shared.u32 %b, [%a];\n"
    "st.global.u32 [%out], %b;\n";

// The word at this place of the input.
std::uint32_t input_word(unsigned index) {
  std::uint32_t word = 0;
  for (unsigned i = 0; i < 4; ++i) word |= (index * 4 + i) % 251 << 8 * i;
  return word;
}

std::vector<TimingPolicy> policies() {
  using Kind = TimingPolicy::Kind;
  return {{Kind::late, 0}, {Kind::early, 0}, {Kind::random, 1}, {Kind::random, 2}};
}

void expect_input(const KernelResult& result, unsigned threads) {
  ASSERT_FALSE(result.fault);
  for (unsigned i = 0; i < threads; ++i) {
    ASSERT_EQ(result.output[i], input_word(i % 16)) << "thread " << i;
  }
}

TEST(Scheduler, EveryThreadThatWaitsForALoadSeesItsBytesUnderEveryPolicy) {
  for (const TimingPolicy& policy : policies()) {
    KernelRun run;
    run.body = std::string(init) + load + wait + store;
    run.threads = 256;
    run.policy = policy;
    expect_input(run_kernel(run), 256);
  }
}

// So what a kernel does on that answer is executed under every schedule.
TEST(Scheduler, TheFirstTryWaitAtAPlaceAnswersThatThePhaseIsNotOver) {
  KernelRun run;
  run.body = std::string(init) + load +
             "mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\nselp.u32 %b, 1, 0, %p;\n"
             "st.global.u32 [%out], %b;\n" +
             wait;
  run.threads = 1;
  EXPECT_EQ(run_kernel(run).output[0], 0U);
}

TEST(Scheduler, ATryWaitForAPhaseThatIsOverSaysSoAtOnce) {
  KernelRun run;
  run.body = std::string(init) + load + wait +
             "mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\nselp.u32 %b, 1, 0, %p;\n"
             "st.global.u32 [%out], %b;\n";
  run.threads = 1;
  EXPECT_EQ(run_kernel(run).output[0], 1U);
}

// One thread waits, the others watch a flag in shared memory that it raises.
TEST(Scheduler, ALoadLandsWhenAllOtherThreadsOnlyWatchAFlag) {
  for (const TimingPolicy& policy : policies()) {
    KernelRun run;
    run.policy = policy;
    run.threads = 64;
    run.body = std::string("@%leader st.shared.u32 [%tile+128], 0;\n") + init + load +
               "@!%leader bra SPIN;\n" + wait +
               "membar.cta;\nst.volatile.shared.u32 [%tile+128], 1;\nbra DONE;\n"
               "SPIN: ld.volatile.shared.u32 %c, [%tile+128];\nsetp.eq.u32 %p, %c, 0;\n"
               "@%p bra SPIN;\nDONE:\n" +
               store;
    expect_input(run_kernel(run), 64);
  }
}

// As in every measurement of a latency: two moments with work between them.
TEST(Scheduler, ClockAdvancesByTheInstructionsBetween) {
  KernelRun run;
  run.body = "mov.u32 %a, %clock;\n";
  for (int i = 0; i < 100; ++i) run.body += "add.u32 %c, %c, 1;\n";
  run.body += "mov.u32 %b, %clock;\nsub.u32 %b, %b, %a;\nst.global.u32 [%out], %b;\n";
  run.threads = 64;
  const KernelResult result = run_kernel(run);
  for (unsigned i = 0; i < run.threads; ++i) EXPECT_EQ(result.output[i], 101U) << i;
}

// Also where a warp's turn ends between them, and where lanes have parted.
TEST(Scheduler, ClockNeverGoesBack) {
  KernelRun run;
  run.body =
      "mov.u32 %c, 0;\nmov.u32 %rank, 0;\nAGAIN: mov.u32 %a, %clock;\n"
      "and.b32 %b, %thread, 3;\nsetp.eq.u32 %p, %b, 1;\n@%p bra JOIN;\n"
      "add.u32 %c, %c, 0;\nadd.u32 %c, %c, 0;\n"
      "JOIN: mov.u32 %b, %clock;\nsetp.le.u32 %p, %b, %a;\n@%p add.u32 %rank, %rank, 1;\n"
      "add.u32 %c, %c, 1;\nsetp.lt.u32 %p, %c, 3000;\n@%p bra AGAIN;\n"
      "st.global.u32 [%out], %rank;\n";
  run.threads = 64;
  const KernelResult result = run_kernel(run);
  for (unsigned i = 0; i < run.threads; ++i) EXPECT_EQ(result.output[i], 0U) << i;
}

// Nobody asks the mbarrier: the clock is all that these threads look at.
TEST(Scheduler, ALoadLandsForThreadsThatWaitByTheClock) {
  KernelRun run;
  run.threads = 32;
  run.body = std::string(init) + load +
             "mov.u32 %c, 0;\nSPIN: mov.u32 %b, %clock;\nadd.u32 %c, %c, 1;\n"
             "ld.shared.u32 %a, [%tile];\nsetp.eq.u32 %p, %a, 0x03020100;\n@%p bra DONE;\n"
             "setp.lt.u32 %p, %c, 2000000;\n@%p bra SPIN;\nDONE:\n" +
             store;
  expect_input(run_kernel(run), 32);
}

TEST(Scheduler, ThreadsThatNobodyWakesAreADeadlockThatSaysWhatIsMissing) {
  KernelRun run;
  run.threads = 32;
  run.body =
      std::string(init) + "@%leader mbarrier.expect_tx.relaxed.cta.shared.b64 [%bar], 64;\n" + wait;
  const KernelResult result = run_kernel(run);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->code().name, "deadlock");
  ASSERT_EQ(result.fault->waiters.size(), 1u);
  EXPECT_EQ(result.fault->waiters[0].threads, 32u);
  const auto* waited = std::get_if<MbarrierWait>(&result.fault->waiters[0].waited_for);
  ASSERT_NE(waited, nullptr);
  EXPECT_EQ(waited->arrivals_missing, 1);
  EXPECT_EQ(waited->bytes_missing, 64);
}

// Looks at a flag that nobody raises, and gives up when it has looked 30,000 times.
void expect_to_give_up(KernelRun run, const std::string& look) {
  run.body =
      "@%leader st.volatile.shared.u32 [%tile], 0;\nbar.sync 0;\nmov.u32 %a, 0;\nSPIN: " + look +
      "add.u32 %a, %a, 1;\nsetp.ne.u32 %p, %c, 0;\n@%p bra DONE;\n"
      "setp.lt.u32 %p, %a, 30000;\n@%p bra SPIN;\nDONE: st.global.u32 [%out], %a;\n";
  const KernelResult result = run_kernel(run);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.output[0], 30000u);
}

TEST(Scheduler, WhoCountsHisVainPollsMayGiveUp) {
  expect_to_give_up({}, "ld.volatile.shared.u32 %c, [%tile];\n");
}

// The count is in a register of the function that calls.
TEST(Scheduler, WhoCountsHisCallsOfAPollMayGiveUp) {
  KernelRun run;
  run.shared +=
      ".func (.reg .b32 %value) look(.reg .b32 %flag)\n{\n"
      "ld.volatile.shared.u32 %value, [%flag];\nret;\n}\n";
  expect_to_give_up(run, "call (%c), look, (%tile);\n");
}

TEST(Scheduler, WhoDoesNotCountThemIsInADeadlock) {
  KernelRun run;
  run.body =
      "@%leader st.volatile.shared.u32 [%tile], 0;\nbar.sync 0;\n"
      "SPIN: ld.volatile.shared.u32 %c, [%tile];\nadd.u32 %a, %c, 1;\n"
      "setp.eq.u32 %p, %c, 0;\n@%p bra SPIN;\n";
  const KernelResult result = run_kernel(run);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->code().name, "deadlock");
}

// `while (test_wait(...)) {}`, where `!` is missing.
TEST(Scheduler, AQuestionAskedForeverAboutAPhaseThatIsOverIsADeadlock) {
  for (const char* const question : {"mbarrier.test_wait", "mbarrier.try_wait"}) {
    KernelRun run;
    run.body = std::string(init) + load + wait + "SPIN: " + question +
               ".parity.shared.b64 %p, [%bar], 0;\n@%p bra SPIN;\n";
    const KernelResult result = run_kernel(run);
    ASSERT_TRUE(result.fault) << question;
    EXPECT_EQ(result.fault->code().name, "deadlock");
  }
}

// Waits that never end, by what threads wait for. With an atomic in global memory CTAs see each
// other's effects, and a schedule lets them take short turns.
constexpr const char* atomic = "@%leader red.global.add.u32 [%in], 1;\n";
const std::pair<const char*, std::string> vain_waits[] = {
    {"a try_wait", wait},
    {"a test_wait", "WAIT: mbarrier.test_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra WAIT;\n"},
    {"a try_wait, and a sleep",
     "WAIT: nanosleep.u32 20;\nmbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n"
     "@!%p bra WAIT;\n"},
    {"one warp in a try_wait, others that watch a flag",
     "setp.lt.u32 %p, %thread, 32;\n@%p bra WAIT;\n"
     "SPIN: ld.volatile.shared.u32 %c, [%tile];\nsetp.eq.u32 %p, %c, 0;\n@%p bra SPIN;\n" +
         std::string(wait)},
    {"one of two flags, in turn",
     "SPIN: ld.volatile.shared.u32 %a, [%tile+4];\nld.volatile.shared.u32 %c, [%tile];\n"
     "and.b32 %c, %c, %a;\nsetp.eq.u32 %p, %c, 0;\n@%p bra SPIN;\n"},
    {"what one thread asks for, between barriers of the CTA",
     "SPIN: @!%leader bra MEET;\nmbarrier.test_wait.parity.shared.b64 %p, [%bar], 0;\n"
     "selp.u32 %c, 1, 0, %p;\nst.shared.u32 [%tile], %c;\nMEET: bar.sync 0;\n"
     "ld.shared.u32 %c, [%tile];\nbar.sync 0;\nsetp.eq.u32 %p, %c, 0;\n@%p bra SPIN;\n"},
    {"others, while it computes for longer than a turn",
     "SPIN: mov.u32 %a, 0;\nMORE: add.u32 %a, %a, 1;\nsetp.lt.u32 %p, %a, 3000;\n@%p bra MORE;\n"
     "mbarrier.test_wait.parity.shared.b64 %p, [%bar], 0;\n@!%p bra SPIN;\n"},
    {"a barrier that too few threads reach, others that ask an mbarrier",
     "setp.lt.u32 %p, %thread, 32;\n@%p bra SOME;\n" + std::string(wait) +
         "SOME: bar.sync 1, 96;\n"},
};

// The number of a wait above, and the schedule.
class WaitInVain
    : public testing::TestWithParam<std::tuple<std::size_t, std::optional<std::uint64_t>>> {};

TEST_P(WaitInVain, EndsAsADeadlock) {
  const auto& [number, schedule] = GetParam();
  const auto& [what, body] = vain_waits[number];
  for (const bool is_ordered : {false, true}) {
    KernelRun run;
    run.threads = 64;
    run.ctas = 2;
    run.observed = false;  // the log of so many instructions would take most of the time
    run.schedule = schedule;
    run.body = "@%leader st.shared.u64 [%tile], 0x100000000;\n" + std::string(init) +
               (is_ordered ? atomic : "") + body;
    const KernelResult result = run_kernel(run);
    ASSERT_TRUE(result.fault) << what;
    EXPECT_EQ(result.fault->code().name, "deadlock") << what;
  }
}

INSTANTIATE_TEST_SUITE_P(UnderEverySchedule, WaitInVain,
                         testing::Combine(testing::Range<std::size_t>(0, std::size(vain_waits)),
                                          testing::Values(std::nullopt, 1, 2)));

// Two CTAs of a cluster: one at its barrier, one at an mbarrier.
TEST(Scheduler, CtasOfAClusterThatWaitForEachOtherAreInADeadlockUnderEverySchedule) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    KernelRun run;
    run.threads = 64;
    run.ctas = run.cluster = 2;
    run.schedule = seed;
    run.body = std::string(init) + atomic +
               "barrier.cluster.arrive.aligned;\nsetp.eq.u32 %p, %cta, 0;\n@!%p bra WAIT;\n"
               "barrier.cluster.wait.aligned;\nbra WAIT;\n" +
               wait;
    const KernelResult result = run_kernel(run);
    ASSERT_TRUE(result.fault);
    EXPECT_EQ(result.fault->code().name, "deadlock");
  }
}

// Each CTA draws a number.
std::vector<std::uint32_t> numbers_drawn(std::optional<std::uint64_t> schedule) {
  KernelRun run;
  run.ctas = 20;
  run.threads = 1;
  run.schedule = schedule;
  // The input serves as the counter: it starts at some number.
  run.body = "atom.global.add.u32 %a, [%in], 1;\nst.global.u32 [%out], %a;\n";
  return run_kernel(run).output;
}

TEST(Scheduler, CtasComeInAscendingOrderWithoutASchedule) {
  const std::vector<std::uint32_t> numbers = numbers_drawn({});
  EXPECT_TRUE(std::ranges::is_sorted(numbers));
}

TEST(Scheduler, CtasThatSeeEachOthersEffectsComeInAnotherOrderWithAnotherSchedule) {
  EXPECT_NE(numbers_drawn(1), numbers_drawn({}));
  EXPECT_NE(numbers_drawn(1), numbers_drawn(2));
  EXPECT_EQ(numbers_drawn(1), numbers_drawn(1));
}

TEST(Scheduler, ABarrierThatSomeThreadsNeverReachIsCompletedByTheirEnd) {
  KernelRun run;
  run.threads = 64;
  run.body = "setp.ge.u32 %p, %thread, 32;\n@%p ret;\nbar.sync 0;\nst.global.u32 [%out], 7;\n";
  const KernelResult result = run_kernel(run);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(result.output[0], 7u);
  EXPECT_EQ(result.output[63], 0u);
}

TEST(Scheduler, LanesOfOneWarpMayWaitForEachOther) {
  KernelRun run;
  run.body =
      "@%leader st.volatile.shared.u32 [%tile], 0;\nbar.sync 0;\n@%leader bra LEADER;\n"
      "SPIN: ld.volatile.shared.u32 %c, [%tile];\nsetp.eq.u32 %p, %c, 0;\n@%p bra SPIN;\n"
      "bra DONE;\nLEADER: st.volatile.shared.u32 [%tile], 1;\nDONE: st.global.u32 [%out], 1;\n";
  const KernelResult result = run_kernel(run);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(std::accumulate(result.output.begin(), result.output.end(), 0u), 32u);
}

TEST(Scheduler, CtasMayWaitForALaterCtaThroughGlobalMemory) {
  KernelRun run;
  run.ctas = 40;
  run.threads = 1;
  // The last CTA raises everybody's word; each waits for its own.
  run.body =
      "setp.eq.u32 %p, %cta, 39;\n@!%p bra SPIN;\nmov.u32 %c, 0;\n"
      "RAISE: mul.wide.u32 %offset, %c, 4;\nsub.u64 %offset, %out, %offset;\n"
      "st.volatile.global.u32 [%offset], 1;\nadd.u32 %c, %c, 1;\nsetp.lt.u32 %p, %c, 40;\n"
      "@%p bra RAISE;\nSPIN: ld.volatile.global.u32 %c, [%out];\nsetp.eq.u32 %p, %c, 0;\n"
      "@%p bra SPIN;\n";
  const KernelResult result = run_kernel(run);
  EXPECT_FALSE(result.fault);
  EXPECT_EQ(std::accumulate(result.output.begin(), result.output.end(), 0u), 40u);
}

TEST(Scheduler, ResultsAreTheSameForEveryNumberOfHostThreads) {
  KernelRun run;
  run.ctas = 64;
  run.threads = 64;
  run.policy = {TimingPolicy::Kind::random, 5};
  run.observed = false;
  run.body = std::string(init) + load + wait + store;
  const KernelResult one = run_kernel(run);
  run.host_threads = 4;
  const KernelResult four = run_kernel(run);
  EXPECT_EQ(one.output, four.output);
  EXPECT_EQ(one.findings, four.findings);
}

TEST(Scheduler, AFaultEndsTheKernelAndNamesTheThread) {
  KernelRun run;
  run.ctas = 3;
  run.threads = 64;
  run.body = "setp.eq.u32 %p, %thread, 33;\nmov.u64 %offset, 0;\n@%p st.global.u32 [%offset], 1;\n";
  const KernelResult result = run_kernel(run);
  ASSERT_TRUE(result.fault);
  EXPECT_EQ(result.fault->code().name, "illegal-address");
  EXPECT_EQ(result.fault->cta, (Dimensions{0, 0, 0}));
  EXPECT_EQ(result.fault->thread, (ThreadId{0, 33}));
}

// --- The stream of events ---

TEST(Events, TellALoadFromItsIssueToThePhaseThatItCompletes) {
  KernelRun run;
  run.threads = 1;
  run.body = std::string(init) + load + wait;
  const EventLog& log = run_kernel(run).events;
  EXPECT_EQ(log.only({"start", "init", "barrier", "arrive", "issue", "sleep", "finish",
                      "complete-tx", "phase", "wait", "see", "end"}),
            (Lines{"start 0", "init 5120 1", "wait 1", "barrier 0", "arrive 1 64", "issue 0 64 64",
                   "sleep 1", "complete-tx 0 -64", "phase 5120", "finish 0", "see 5120 0", "wait 1",
                   "end 0"}));
}

TEST(Events, TellAStoreFromItsIssueToTheLastByte) {
  KernelRun run;
  run.threads = 1;
  run.body =
      "st.shared.u32 [%tile], 5;\nfence.proxy.async;\n"
      "cp.async.bulk.global.shared::cta.bulk_group [%in], [%tile], 64;\n"
      "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;\n"
      "cp.async.bulk.wait_group 0;\n";
  EXPECT_EQ(run_kernel(run).events.only({"store", "fence", "issue", "release-source", "finish"}),
            (Lines{"store 1 4", "fence 1", "issue 0 64 64", "release-source 0", "finish 0"}));
}

TEST(Events, TellTheAccessesOfTheLanesThatTakePart) {
  KernelRun run;
  run.body = "setp.lt.u32 %p, %thread, 5;\n@%p st.global.u32 [%out], 1;\n";
  EXPECT_EQ(run_kernel(run).events.only({"store", "load"}), (Lines{"store 5 4"}));
}

TEST(Events, AnInstructionThatSleepsAndComesAgainIsPutOff) {
  KernelRun run;
  run.threads = 1;
  run.body = std::string(init) + load + wait;
  const KernelResult result = run_kernel(run);
  EXPECT_EQ(result.events.only({"put-off"}).size(), 1u);
}

TEST(Events, ChangeNothingForWhoIsObserved) {
  for (const TimingPolicy& policy : policies()) {
    KernelRun run;
    run.body = std::string(init) + load + wait + store;
    run.policy = policy;
    const KernelResult observed = run_kernel(run);
    run.observed = false;
    const KernelResult unobserved = run_kernel(run);
    EXPECT_EQ(observed.output, unobserved.output);
    EXPECT_EQ(observed.findings, unobserved.findings);
    EXPECT_TRUE(unobserved.events.lines().empty());
  }
}

}  // namespace
}  // namespace tmaemu
