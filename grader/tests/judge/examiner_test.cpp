#include "judge/examine/examiner.h"

#include <gtest/gtest.h>

#include "contract/findings/codes.h"
#include "tests/judge/misbehaving.h"
#include "tests/judge/shared_host_memory.h"

namespace {

using judge::Outcome;
using judge::tensor;
using judge::Verdict;
using std::chrono::milliseconds;
using tmaemu::FindingCode;

judge::CallCase add_one_case() {
  const std::vector<std::int32_t> before{10, 20, 30, 40, 50};
  const std::vector<std::int32_t> after{11, 21, 31, 41, 51};
  return {{"one-tile", "void launch_add_one_tile(int *data, int count)"},
          "5 ints",
          {judge::in_place("data", tensor({5}, before), tensor({5}, after)), judge::integer(5)}};
}

judge::CallCase hundred_ints_case() {
  std::vector<std::int32_t> before(100);
  std::vector<std::int32_t> after(100);
  for (int i = 0; i < 100; ++i) {
    before[i] = 10 * (i + 1);
    after[i] = before[i] + 1;
  }
  judge::CallCase test = add_one_case();
  test.arguments = {judge::in_place("data", tensor({100}, before), tensor({100}, after)),
                    judge::integer(100)};
  return test;
}

// The same call of a part that is about moving 16 bytes through the TMA engine.
judge::CallCase tma_case() {
  judge::CallCase test = add_one_case();
  test.tma_bytes = 16;
  return test;
}

// The same call with data declared an input, which nobody may change.
judge::CallCase read_only_case() {
  const std::vector<std::int32_t> contents{10, 20, 30, 40, 50};
  judge::CallCase test = add_one_case();
  test.arguments[0] = judge::input("src", tensor({5}, contents));
  return test;
}

constexpr milliseconds patient(20'000);
constexpr std::chrono::hours any_time(1);

class Examination {
 public:
  explicit Examination(const std::string& behavior, bool emulated = false,
                       milliseconds limit = patient, std::chrono::nanoseconds budget = any_time)
      : device_(emulated),
        runners_(device_, runner_that(behavior), limit),
        examiner_(device_, runners_, budget) {}

  common::Result<Outcome> examine(const judge::CallCase& test = add_one_case()) {
    return examiner_.examine(test);
  }

  HostDevice& device() { return device_; }

 private:
  HostDevice device_;
  judge::RunnerPool runners_;
  judge::Examiner examiner_;
};

Outcome outcome_of(const std::string& behavior, bool emulated = false) {
  const auto outcome = Examination(behavior, emulated).examine();
  EXPECT_TRUE(outcome.ok()) << outcome.error().message;
  return outcome.ok() ? *outcome : Outcome{};
}

testing::AssertionResult says(const Outcome& outcome, const std::string& words) {
  if (outcome.message.find(words) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "the message is: " << outcome.message;
}

using Codes = std::vector<FindingCode>;

Codes codes_of(const Outcome& outcome) {
  Codes codes;
  for (const judge::Finding& finding : outcome.findings) codes.push_back(finding.diagnostic.code);
  return codes;
}

TEST(Examiner, PassesARightAnswer) {
  const Outcome outcome = outcome_of("right");
  EXPECT_EQ(outcome.verdict, Verdict::pass) << outcome.message;
}

TEST(Examiner, TriesAgainWhereTheRunnerHeldTheDevicesMemory) {
  Examination examination("right");
  ASSERT_TRUE(examination.examine().ok());
  examination.device().refuse(1);
  const auto outcome = examination.examine();
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict, Verdict::pass);
}

TEST(Examiner, ReportsADeviceWithoutRoomAsAFaultOfTheGrader) {
  Examination examination("right");
  examination.device().refuse(2);
  EXPECT_FALSE(examination.examine().ok());
}

TEST(Examiner, FailsARightAnswerThatDidNotGoThroughTheTmaEngine) {
  const auto outcome = Examination("is right past the TMA engine").examine(tma_case());
  EXPECT_EQ(outcome->verdict, Verdict::fail);
  EXPECT_TRUE(says(*outcome, "12 bytes of the arrays went through the TMA engine"));
  EXPECT_TRUE(outcome->bypasses_tma);
}

// Whoever cleared the output first, or looked at the input once more, had the engine move it all.
TEST(Examiner, SaysWhichBytesOfTheTmaEngineDoNotCount) {
  const auto outcome = Examination("is right past the TMA engine").examine(tma_case());
  EXPECT_TRUE(says(*outcome, "what plain loads read, too, or plain stores wrote before"));
}

TEST(Examiner, PassesARightAnswerThatWentThroughTheTmaEngine) {
  const auto outcome = Examination("is right through the TMA engine").examine(tma_case());
  EXPECT_EQ(outcome->verdict, Verdict::pass) << outcome->message;
}

TEST(Examiner, AsksNothingOfTheWayWhereNobodyCounts) {
  const auto outcome = Examination("right").examine(tma_case());
  EXPECT_EQ(outcome->verdict, Verdict::pass) << outcome->message;
}

TEST(Examiner, PassesManyCasesInARow) {
  Examination examination("right");
  for (int i = 0; i < 20; ++i) ASSERT_EQ(examination.examine()->verdict, Verdict::pass);
}

TEST(Examiner, FailsWorkNotDoneAndNamesThePlace) {
  const Outcome outcome = outcome_of("does nothing");
  EXPECT_EQ(outcome.verdict, Verdict::fail);
  EXPECT_TRUE(says(outcome, "5 of 5 elements are wrong: data[0]: expected 11, got 10"));
}

TEST(Examiner, FailsAWritePastTheEndThoughTheDataAreRight) {
  const Outcome outcome = outcome_of("writes past the end");
  EXPECT_EQ(outcome.verdict, Verdict::fail);
  EXPECT_TRUE(says(outcome, "wrote outside its output: 12 bytes after data"));
}

TEST(Examiner, FailsAWriteBeforeTheStartThoughTheDataAreRight) {
  const Outcome outcome = outcome_of("writes before the start");
  EXPECT_EQ(outcome.verdict, Verdict::fail);
  EXPECT_TRUE(says(outcome, "wrote outside its output: 8 bytes before data"));
}

TEST(Examiner, FailsAChangedInput) {
  const auto outcome = Examination("right").examine(read_only_case());
  EXPECT_EQ(outcome->verdict, Verdict::fail);
  EXPECT_TRUE(says(*outcome, "changed its input src"));
}

TEST(Examiner, CallsAnEndOfTheProcessACrash) {
  const Outcome outcome = outcome_of("exits");
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "the submission ended the process (exit code 0)"));
}

TEST(Examiner, NamesTheSignalOfACrash) {
  const Outcome outcome = outcome_of("aborts");
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "SIGABRT"));
}

TEST(Examiner, QuotesTheLastWordsOfACrash) {
  EXPECT_TRUE(says(outcome_of("explains and exits"), "lab3.cu:12: out of memory"));
}

TEST(Examiner, CallsACudaErrorACrashAndTellsItsMeaning) {
  const Outcome outcome = outcome_of("has an illegal address");
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "error 700"));
}

TEST(Examiner, CallsALaunchThatCudaEndedAsEndlessATimeout) {
  EXPECT_EQ(outcome_of("is ended as endless").verdict, Verdict::timeout);
}

TEST(Examiner, NamesTheLauncherThatIsMissing) {
  const Outcome outcome = outcome_of("is missing");
  EXPECT_EQ(outcome.verdict, Verdict::missing);
  EXPECT_TRUE(says(outcome, "void launch_add_one_tile(int *data, int count)"));
}

TEST(Examiner, CallsALauncherDeclaredButNotDefinedMissing) {
  const Outcome outcome = outcome_of("lacks a symbol");
  EXPECT_EQ(outcome.verdict, Verdict::missing);
  EXPECT_TRUE(says(outcome, "launch_add_one(int*, unsigned long)"));
}

TEST(Examiner, CallsALibraryThatDoesNotLoadACrash) {
  EXPECT_EQ(outcome_of("does not load").verdict, Verdict::crash);
}

TEST(Examiner, CallsAnEndWhileLoadingACrash) {
  const Outcome outcome = outcome_of("exits while loading");
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "while the submission was loaded"));
}

TEST(Examiner, GoesOnWithAFreshRunnerAfterADeath) {
  Examination examination("answers and dies");
  EXPECT_EQ(examination.examine()->verdict, Verdict::pass);
  EXPECT_EQ(examination.examine()->verdict, Verdict::pass);
}

TEST(Examiner, GoesOnWithAFreshRunnerAfterAFailure) {
  Examination examination("is right the second time");
  EXPECT_EQ(examination.examine()->verdict, Verdict::fail);
  EXPECT_EQ(examination.examine()->verdict, Verdict::fail);
}

TEST(Examiner, RunsAPartsOtherSizesWhereOneHasHung) {
  Examination examination("hangs at 5 ints", false, milliseconds(150));
  EXPECT_EQ(examination.examine()->verdict, Verdict::timeout);
  EXPECT_EQ(examination.examine(hundred_ints_case())->verdict, Verdict::pass);
}

TEST(Examiner, RunsNoFurtherCaseOfAPartThatHasHungTwice) {
  Examination examination("hangs at 5 ints", false, milliseconds(150));
  EXPECT_TRUE(says(*examination.examine(), "not finished after"));
  EXPECT_TRUE(says(*examination.examine(), "not finished after"));
  const auto third = examination.examine(hundred_ints_case());
  EXPECT_EQ(third->verdict, Verdict::timeout);
  EXPECT_EQ(third->message, "not run: two calls of this part did not finish in their time");
}

TEST(Examiner, RunsOtherPartsWhereOneHasHungTwice) {
  Examination examination("hangs at 5 ints", false, milliseconds(150));
  for (int i = 0; i < 2; ++i) ASSERT_EQ(examination.examine()->verdict, Verdict::timeout);
  judge::CallCase other = hundred_ints_case();
  other.part.id = "pipeline";
  EXPECT_EQ(examination.examine(other)->verdict, Verdict::pass);
}

TEST(Examiner, IsNotStoppedByMuchOutput) {
  EXPECT_EQ(outcome_of("prints much and is right").verdict, Verdict::pass);
}

TEST(Examiner, CallsARightAnswerWithAFindingAHazardOnTheEmulator) {
  const Outcome outcome = outcome_of("is right with a finding", true);
  EXPECT_EQ(outcome.verdict, Verdict::hazard);
  EXPECT_TRUE(says(outcome, "right by luck: the emulator found 1 mistake"));
  EXPECT_EQ(codes_of(outcome), (Codes{FindingCode::missing_proxy_fence}));
}

TEST(Examiner, TakesNoFindingOnHardware) {
  EXPECT_EQ(outcome_of("is right with a finding", false).verdict, Verdict::pass);
}

TEST(Examiner, TakesNothingThatIsPrintedForAFinding) {
  const Outcome outcome = outcome_of("prints what looks like a finding", true);
  EXPECT_EQ(outcome.verdict, Verdict::pass);
  EXPECT_TRUE(outcome.findings.empty());
}

TEST(Examiner, ExplainsAFailureWithTheFinding) {
  const Outcome outcome = outcome_of("is wrong with a finding", true);
  EXPECT_EQ(outcome.verdict, Verdict::fail);
  EXPECT_TRUE(says(outcome, "5 of 5 elements are wrong"));
  EXPECT_EQ(codes_of(outcome), (Codes{FindingCode::missing_proxy_fence}));
}

TEST(Examiner, CallsADeadlockATimeoutEvenIfTheLauncherEndsTheProcessOverIt) {
  const Outcome outcome = outcome_of("exits after a deadlock", true);
  EXPECT_EQ(outcome.verdict, Verdict::timeout);
  EXPECT_EQ(codes_of(outcome), (Codes{FindingCode::deadlock}));
}

// Whoever likes can write it in place of a part: it withholds that part's points and no others.
TEST(Examiner, GivesNothingForWhatTheEmulatorCannotExecute) {
  const Outcome outcome = outcome_of("is too much for the emulator", true);
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_EQ(outcome.message,
            "the grader cannot run it on its emulator: lab3.cu:41:5: wgmma is not modeled "
            "[not-modeled]");
}

TEST(Examiner, BlamesTheSubmissionForWhatOnlyLooksLikeTheEmulatorsLimit) {
  const Outcome outcome = outcome_of("asserts what looks like the emulator's limit", true);
  EXPECT_EQ(outcome.verdict, Verdict::crash);
}

TEST(Examiner, BlamesNobodyForARunnerWithoutADevice) {
  EXPECT_FALSE(Examination("has no device").examine().ok());
}

// Whoever has the submission in its process can say anything.
TEST(Examiner, DoesNotBelieveThatTheGraderIsToBlame) {
  EXPECT_EQ(outcome_of("does not know the part").verdict, Verdict::crash);
}

TEST(Examiner, BlamesTheSubmissionWhereOnlyItsProcessDoesNotMap) {
  const Outcome outcome = outcome_of("does not map");
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "the process cannot map the judge's memory"));
}

TEST(Examiner, BlamesNobodyWhereNoProcessMaps) {
  EXPECT_FALSE(Examination("never maps").examine().ok());
}

TEST(Examiner, BlamesTheSubmissionThatSaysThatCudaLacksAFunction) {
  EXPECT_EQ(outcome_of("lacks a function of CUDA's").verdict, Verdict::crash);
}

TEST(Examiner, AsksOnceForALauncherThatIsMissing) {
  Examination examination("is missing");
  EXPECT_EQ(examination.examine()->verdict, Verdict::missing);
  examination.device().refuse(100);  // nothing can be asked for any more
  EXPECT_EQ(examination.examine()->verdict, Verdict::missing);
}

TEST(Examiner, ExaminesNoFurtherCaseAfterItsBudget) {
  Examination examination("right", false, patient, milliseconds(0));
  EXPECT_EQ(examination.examine()->verdict, Verdict::pass);
  const auto outcome = examination.examine();
  EXPECT_EQ(outcome->verdict, Verdict::timeout);
  EXPECT_TRUE(says(*outcome, "not run: the cases before it took 0 s together"));
}

// On the emulator: what the process with the submission did is not looked at.

TEST(Replay, DecidesWhatTheResultIs) {
  const Outcome outcome = outcome_of("is right in its own process only", true);
  EXPECT_EQ(outcome.verdict, Verdict::fail);
  EXPECT_TRUE(says(outcome, "5 of 5 elements are wrong"));
}

TEST(Replay, IsEnoughForARightResult) {
  const Outcome outcome = outcome_of("does nothing but record", true);
  EXPECT_EQ(outcome.verdict, Verdict::pass) << outcome.message;
}

TEST(Replay, GetsWhatTheProcessOfTheSubmissionHasNeverSeen) {
  const auto outcome =
      Examination("aborts if it sees 10, 20, 30 and so on", true).examine(hundred_ints_case());
  EXPECT_EQ(outcome->verdict, Verdict::pass) << outcome->message;
}

TEST(Replay, FollowsManyCasesInARow) {
  Examination examination("does nothing but record", true);
  for (int i = 0; i < 20; ++i) ASSERT_EQ(examination.examine()->verdict, Verdict::pass);
}

TEST(Replay, CountsWhatGoesThroughTheTmaEngine) {
  const auto outcome = Examination("claims more of the TMA engine", true).examine(tma_case());
  EXPECT_EQ(outcome->verdict, Verdict::fail);
  EXPECT_TRUE(says(*outcome, "12 bytes of the arrays went through the TMA engine"));
}

TEST(Replay, HasTheOnlyFindings) {
  EXPECT_EQ(outcome_of("tells a finding of its own", true).verdict, Verdict::pass);
}

TEST(Replay, HasAHazardAlsoWhereItsFindingsCannotBeRead) {
  const Outcome outcome = outcome_of("hides what is found", true);
  EXPECT_EQ(outcome.verdict, Verdict::hazard);
  EXPECT_EQ(codes_of(outcome), (Codes{FindingCode::not_told}));
}

TEST(Replay, HasAHazardAlsoWhereItSendsNonsense) {
  const Outcome outcome = outcome_of("sends nonsense for a finding", true);
  EXPECT_EQ(outcome.verdict, Verdict::hazard);
  EXPECT_EQ(codes_of(outcome), (Codes{FindingCode::not_told}));
}

TEST(Replay, ThatSendsFindingsWithoutEndIsStopped) {
  const auto outcome = Examination("sends findings without end", true, milliseconds(500)).examine();
  ASSERT_TRUE(outcome.ok()) << outcome.error().message;
  EXPECT_EQ(outcome->verdict, Verdict::timeout);
  EXPECT_LE(outcome->findings.size(), 2U);  // many times the same, and one that was cut off
}

TEST(Replay, ExplainsWhyALauncherEndedTheProcess) {
  const Outcome outcome = outcome_of("exits over an error that the replay explains", true);
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "the submission ended the process (exit code 0)"));
  EXPECT_EQ(codes_of(outcome), (Codes{FindingCode::missing_proxy_fence}));
}

TEST(Replay, SaysWhatItCannotFollow) {
  const Outcome outcome = outcome_of("cannot be followed", true);
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "the grader cannot follow this"));
}

TEST(Replay, IsGivenTheTimeOfACallForItsKernelsAndSaysWhereOneStillRuns) {
  const Outcome outcome = outcome_of("has a kernel without end", true);
  EXPECT_EQ(outcome.verdict, Verdict::timeout);
  EXPECT_TRUE(says(outcome, "not finished after 20 s; still running after 20000 ms"))
      << outcome.message;
}

TEST(Replay, IsNotAskedForEverWhereEveryRecordingIsStale) {
  EXPECT_EQ(outcome_of("is always stale", true).verdict, Verdict::crash);
}

TEST(Replay, ThatDiesIsTheSubmissionsCrash) {
  const Outcome outcome = outcome_of("ends its replay", true);
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(
      says(outcome, "while its work on the device was repeated: the process died of SIGSEGV"));
}

TEST(Replay, IsNothingThatARunnerCanClaimToBe) {
  const Outcome outcome = outcome_of("claims to be a stale replay");
  EXPECT_EQ(outcome.verdict, Verdict::crash);
  EXPECT_TRUE(says(outcome, "a reply that is none"));
}

TEST(PartForALaterGpu, RunsOnNoGpuBeforeIt) {
  const judge::Part part{"cta-pair", "void launch_cta_pair()", 100};
  EXPECT_FALSE(judge::runs_on({"H200", 90, false, 0}, part));
  EXPECT_TRUE(judge::runs_on({"B200", 100, false, 0}, part));
}

TEST(PartForALaterGpu, RunsOnTheEmulator) {
  EXPECT_TRUE(judge::runs_on({"H200", 90, true, 0}, {"cta-pair", "void launch_cta_pair()", 100}));
}

}  // namespace
