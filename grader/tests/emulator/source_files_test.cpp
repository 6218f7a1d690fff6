// Which files findings may quote: a program names them, and may name any file of the machine.
#include "emulator/diagnostics/source_files.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <string>

namespace tmaemu {
namespace {

namespace fs = std::filesystem;

class SourceFilesTest : public ::testing::Test {
 protected:
  SourceFilesTest() : root_(::testing::TempDir() + "source-files-" + std::to_string(getpid())) {
    fs::create_directories(sources() / "parts");
    write(sources() / "lab3.cu", "first\n  second\r\n\nfourth");
    write(sources() / "parts" / "tile.cuh", "a tile\n");
    write(root_ / "secret", "the solution\n");
  }
  ~SourceFilesTest() override { fs::remove_all(root_); }

  static void write(const fs::path& path, const std::string& text) { std::ofstream(path) << text; }
  fs::path sources() const { return root_ / "source"; }
  SourceFiles restricted() const { return SourceFiles(sources()); }

  fs::path root_;
};

TEST_F(SourceFilesTest, ReadsALineOfASubmittedFile) {
  const SourceFiles files = restricted();
  EXPECT_EQ(files.line("lab3.cu", 1), "first");
  EXPECT_EQ(files.line("lab3.cu", 2), "  second");
  EXPECT_EQ(files.line("lab3.cu", 3), "");
  EXPECT_EQ(files.line("lab3.cu", 4), "fourth");
}

TEST_F(SourceFilesTest, FindsAFileWhereverItWasCompiled) {
  const SourceFiles files = restricted();
  EXPECT_EQ(files.line("/submission/lab3.cu", 1), "first");
  EXPECT_EQ(files.line("/home/ada/labs/parts/tile.cuh", 1), "a tile");
  EXPECT_EQ(files.line(sources() / "lab3.cu", 1), "first");
}

TEST_F(SourceFilesTest, HasNoLineBehindTheLast) {
  const SourceFiles files = restricted();
  EXPECT_EQ(files.line("lab3.cu", 0), std::nullopt);
  EXPECT_EQ(files.line("lab3.cu", 5), std::nullopt);
  EXPECT_EQ(files.line("lab3.cu", 4'000'000'000), std::nullopt);
}

TEST_F(SourceFilesTest, ReadsNoFileOfTheMachine) {
  const SourceFiles files = restricted();
  for (const char* name : {"/proc/self/environ", "/etc/passwd", "/proc/self/maps", "/dev/zero", "",
                           "/", ".", "..", "lab3.cu/", "parts"}) {
    EXPECT_EQ(files.line(name, 1), std::nullopt) << name;
  }
}

TEST_F(SourceFilesTest, IsNotLedOutOfItsFolder) {
  fs::create_symlink("../secret", sources() / "link.cu");
  fs::create_symlink("/proc/self", sources() / "process");
  fs::create_symlink("..", sources() / "up");
  const SourceFiles files = restricted();
  for (const char* name : {"../secret", "/submission/../secret", "parts/../../secret", "link.cu",
                           "process/environ", "up/secret"}) {
    EXPECT_EQ(files.line(name, 1), std::nullopt) << name;
  }
  EXPECT_EQ(files.line(root_ / "secret", 1), std::nullopt);
}

TEST_F(SourceFilesTest, ReadsNothingButRegularFiles) {
  ASSERT_EQ(mkfifo((sources() / "pipe.cu").c_str(), 0600), 0);
  EXPECT_EQ(restricted().line("pipe.cu", 1), std::nullopt);  // would wait forever
}

TEST_F(SourceFilesTest, CutsALineWithoutEnd) {
  write(sources() / "long.cu", std::string(100'000, 'x'));
  const auto line = restricted().line("long.cu", 1);
  ASSERT_TRUE(line);
  EXPECT_LT(line->size(), 2000U);
}

TEST_F(SourceFilesTest, ReadsNothingWhereThereIsNoFolder) {
  EXPECT_EQ(SourceFiles(root_ / "gone").line("lab3.cu", 1), std::nullopt);
  EXPECT_EQ(SourceFiles(root_ / "gone").line(sources() / "lab3.cu", 1), std::nullopt);
}

TEST_F(SourceFilesTest, ReadsWhatTheUserMayReadWhereNobodyForbidsIt) {
  EXPECT_EQ(SourceFiles().line(sources() / "lab3.cu", 1), "first");
}

}  // namespace
}  // namespace tmaemu
