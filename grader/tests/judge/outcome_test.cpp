#include "judge/call/outcome.h"

#include <gtest/gtest.h>

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

}  // namespace
