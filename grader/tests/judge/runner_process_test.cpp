#include "judge/call/runner_process.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "judge/call/outcome.h"
#include "judge/call/requests.h"
#include "judge/call/runner_pool.h"
#include "tests/judge/misbehaving.h"

namespace {

using judge::Answer;
using judge::Ending;
using judge::RunnerProcess;
using std::chrono::milliseconds;

constexpr judge::Patience long_patience{milliseconds(20'000)};
constexpr judge::Patience short_patience{milliseconds(150)};

RunnerProcess start(const std::string& behavior) {
  auto started = RunnerProcess::start(runner_that(behavior));
  EXPECT_TRUE(started.ok()) << started.error().message;
  return std::move(started).value();
}

std::variant<Answer, Ending> call(RunnerProcess& runner, judge::Patience patience) {
  return runner.ask(judge::request(protocol::Command::call), patience);
}

Ending ending_of(const std::string& behavior, judge::Patience patience = long_patience) {
  RunnerProcess runner = start(behavior);
  const auto answer = call(runner, patience);
  EXPECT_TRUE(std::holds_alternative<Ending>(answer)) << "it answered";
  return std::holds_alternative<Ending>(answer) ? std::get<Ending>(answer) : Ending{};
}

TEST(RunnerProcess, BringsTheReplyOfAnObedientRunner) {
  RunnerProcess runner = start("is missing");
  const auto answer = call(runner, long_patience);
  ASSERT_TRUE(std::holds_alternative<Answer>(answer));
  EXPECT_EQ(std::get<Answer>(answer).reply.status, protocol::ReplyStatus::missing);
}

TEST(RunnerProcess, AnswersManyRequestsInARow) {
  RunnerProcess runner = start("does nothing");
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(std::holds_alternative<Answer>(call(runner, long_patience))) << "request " << i;
  }
}

TEST(RunnerProcess, ReportsAnExitWithItsCode) {
  const Ending ending = ending_of("explains and exits");
  EXPECT_EQ(ending.kind, Ending::Kind::exited);
  EXPECT_EQ(ending.code, 1);
}

TEST(RunnerProcess, ReportsAnExitWithCodeZeroAsAnEndToo) {
  EXPECT_EQ(ending_of("exits").kind, Ending::Kind::exited);
}

TEST(RunnerProcess, ReportsADeathBySignal) {
  const Ending ending = ending_of("segfaults");
  EXPECT_EQ(ending.kind, Ending::Kind::signaled);
  EXPECT_EQ(ending.code, SIGSEGV);
}

TEST(RunnerProcess, EndsARunnerThatHangs) {
  EXPECT_EQ(ending_of("hangs", short_patience).kind, Ending::Kind::timed_out);
}

TEST(RunnerProcess, EndsARunnerThatSpins) {
  EXPECT_EQ(ending_of("spins", short_patience).kind, Ending::Kind::timed_out);
}

TEST(RunnerProcess, DoesNotCountTheTimeThatARunnerWaitsForAProcessor) {
  RunnerProcess runner = start("works for 150 ms with a fifth of a processor");
  const auto answer = call(runner, {milliseconds(400)});
  ASSERT_TRUE(std::holds_alternative<Answer>(answer));
  EXPECT_GT(std::get<Answer>(answer).elapsed, milliseconds(400));
}

TEST(RunnerProcess, EndsARunnerThatSpinsWithAFifthOfAProcessor) {
  const auto ending = ending_of("spins with a fifth of a processor", short_patience);
  EXPECT_EQ(ending.kind, Ending::Kind::timed_out);
}

TEST(RunnerProcess, EndsARunnerThatStoppedItself) {
  EXPECT_EQ(ending_of("stops itself", short_patience).kind, Ending::Kind::timed_out);
}

TEST(RunnerProcess, EndsARunnerThatClosedItsDoorbell) {
  EXPECT_EQ(ending_of("closes the doorbell and hangs", short_patience).kind,
            Ending::Kind::timed_out);
}

TEST(RunnerProcess, EndsARunnerThatPrintsWithoutEnd) {
  EXPECT_EQ(ending_of("prints without end", short_patience).kind, Ending::Kind::timed_out);
}

Ending ending_within(const std::string& behavior, const judge::UsageLimits& limits,
                     judge::Patience patience = long_patience) {
  auto runner = RunnerProcess::start(runner_that(behavior), limits);
  EXPECT_TRUE(runner.ok());
  const auto answer = call(*runner, patience);
  return std::holds_alternative<Ending>(answer) ? std::get<Ending>(answer) : Ending{};
}

TEST(RunnerProcess, EndsARunnerThatTakesTooMuchMemory) {
  const Ending ending = ending_within("takes 200 MiB and hangs", {.memory_bytes = 128 << 20});
  EXPECT_EQ(ending.kind, Ending::Kind::over_limit);
  EXPECT_EQ(ending.excess, "used more than 0.125 GiB of memory");
}

TEST(RunnerProcess, EndsARunnerThatTakesTooMuchMemoryAndLetsGoOfItsPages) {
  const Ending ending = ending_within("takes 200 MiB that are in no process and hangs",
                                      {.memory_bytes = 128 << 20}, {milliseconds(2000)});
  EXPECT_EQ(ending.kind, Ending::Kind::over_limit);
}

TEST(RunnerProcess, EndsARunnerThatStartsTooManyThreads) {
  const Ending ending = ending_within("starts 50 threads and hangs", {.threads = 40});
  EXPECT_EQ(ending.kind, Ending::Kind::over_limit);
  EXPECT_EQ(ending.excess, "had more than 40 threads");
}

TEST(RunnerProcess, LeavesARunnerWithinItsLimitsAlone) {
  auto runner = RunnerProcess::start(runner_that("takes 200 MiB and hangs"));
  const auto answer = call(*runner, short_patience);
  EXPECT_EQ(std::get<Ending>(answer).kind, Ending::Kind::timed_out);
}

// As under bubblewrap: the runner is the child of another process.
std::vector<std::string> wrapped(const std::string& behavior) {
  std::vector<std::string> command{"/bin/sh", "-c", "\"$@\"; echo the inside is empty", "sh"};
  for (const std::string& word : runner_that(behavior)) command.push_back(word);
  return command;
}

TEST(RunnerProcess, LetsASandboxEndByItself) {
  auto runner = RunnerProcess::start(wrapped("hangs"));
  call(*runner, short_patience);
  EXPECT_EQ(runner->take_printed().output, "the inside is empty\n");
}

TEST(RunnerProcess, SeesTheRunnerBehindAnotherProcess) {
  auto runner =
      RunnerProcess::start(wrapped("takes 200 MiB and hangs"), {.memory_bytes = 128 << 20});
  const auto answer = call(*runner, long_patience);
  EXPECT_EQ(std::get<Ending>(answer).kind, Ending::Kind::over_limit);
}

TEST(RunnerProcess, DoesNotTakeTheAnswerToAnotherRequest) {
  EXPECT_EQ(ending_of("answers another request", short_patience).kind, Ending::Kind::timed_out);
}

TEST(RunnerProcess, RefusesAStatusThatTheProtocolDoesNotKnow) {
  const Ending ending = ending_of("sends an unknown status");
  EXPECT_EQ(ending.kind, Ending::Kind::bad_reply);
  EXPECT_EQ(ending.code, 77);
}

TEST(RunnerProcess, KeepsItsPageWhenTheRunnerTriesToCutItOff) {
  RunnerProcess runner = start("cuts the page off");
  // The call itself fails for want of buffers; that it dies or answers is all the same here.
  call(runner, short_patience);
  SUCCEED() << "the judge did not die of SIGBUS";
}

TEST(RunnerProcess, KillsTheChildrenOfARunnerThatHangs) {
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // the grandchild becomes ours when its parent dies
  RunnerProcess runner = start("hangs with a child");
  call(runner, short_patience);
  const pid_t grandchild = std::stoi(runner.take_printed().output);
  int status = 0;
  ASSERT_EQ(waitpid(grandchild, &status, 0), grandchild);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

TEST(RunnerProcess, KeepsNoMoreOfTheOutputThanItsLimit) {
  RunnerProcess runner = start("prints without end");
  call(runner, short_patience);
  EXPECT_EQ(runner.take_printed().output.size(), judge::OutputCapture::limit_bytes);
}

TEST(RunnerProcess, SaysWhichBinaryCannotBeStarted) {
  const auto started = RunnerProcess::start({"/nowhere/runner", "x"});
  ASSERT_FALSE(started.ok());
  EXPECT_NE(started.error().message.find("/nowhere/runner"), std::string::npos);
}

}  // namespace
