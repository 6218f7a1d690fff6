#include "judge/call/outcome.h"

#include <gtest/gtest.h>

#include "tests/judge/shared_host_memory.h"

namespace {

using judge::Ending;

std::string message(Ending::Kind kind, int code) {
  return judge::outcome(Ending{kind, code, {}, {}}).message;
}

TEST(Ending, NamesTheSignal) {
  EXPECT_EQ(message(Ending::Kind::signaled, 11),
            "the process died of SIGSEGV (Segmentation fault)");
}

TEST(Ending, NamesTheSignalThatASandboxReportsAsItsExitCode) {
  EXPECT_EQ(message(Ending::Kind::exited, 128 + 11),
            "the process died of SIGSEGV (Segmentation fault)");
}

TEST(Ending, KeepsAnExitCodeThatIsNoSignals) {
  EXPECT_EQ(message(Ending::Kind::exited, 255), "the submission ended the process (exit code 255)");
}

TEST(Ending, SaysWhatWasTooMuch) {
  EXPECT_EQ(judge::outcome(Ending::over_limit("had more than 4 threads")).message,
            "ended because it had more than 4 threads");
}

judge::Outcome of_reply(protocol::ReplyStatus status, std::int32_t cuda_error = 0) {
  protocol::Reply reply{};
  reply.status = status;
  reply.cuda_error = cuda_error;
  return judge::outcome(reply, "void launch(int*)", HostDevice());
}

TEST(Reply, IsAPassWhereItIsDone) {
  EXPECT_EQ(of_reply(protocol::ReplyStatus::done).verdict, judge::Verdict::pass);
}

TEST(Reply, OfALaunchThatWouldNotHaveEndedIsATimeout) {
  EXPECT_EQ(of_reply(protocol::ReplyStatus::cuda_error, 702).verdict, judge::Verdict::timeout);
}

TEST(Reply, OfAnotherErrorIsACrashInTheDevicesWords) {
  const judge::Outcome outcome = of_reply(protocol::ReplyStatus::cuda_error, 700);
  EXPECT_EQ(outcome.verdict, judge::Verdict::crash);
  EXPECT_EQ(outcome.message, "error 700");
}

TEST(Reply, NamesTheLauncherThatIsMissing) {
  EXPECT_EQ(of_reply(protocol::ReplyStatus::missing).message,
            "the submission does not define `void launch(int*)`");
}

TEST(Reply, ThatIsNoneIsTheSubmissionsDoing) {
  EXPECT_EQ(of_reply(static_cast<protocol::ReplyStatus>(1000)).verdict, judge::Verdict::crash);
}

}  // namespace
