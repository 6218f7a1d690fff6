// Which lines a finding names, and in which order: of the student's own code, of a library below,
// of calls.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/rendering/terminal_text.h"
#include "tests/emulator/kernel_of_lines.h"

namespace tmaemu {
namespace {

using namespace kernel_of_lines;

TEST(DiagnosticsPlaces, NamesTheCallOfTheStudentsOwnFunction) {
  KernelOfLines kernel({41});
  kernel.call(0, 70);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "lab3.cu:70:3"}));
  EXPECT_EQ(told.notes[0].message, "called from here");
}

TEST(DiagnosticsPlaces, TellsMistakesInTwoCallsOfOneFunctionApart) {
  KernelOfLines kernel({9, 9, 9});
  kernel.call(0, 41);
  kernel.call(1, 52);
  kernel.call(2, 52);
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  for (const std::uint32_t site : {0u, 1u, 2u}) diagnostics.report(store(site));
  ASSERT_EQ(lines(listener), (Lines{9, 9}));
  EXPECT_EQ(listener.reported[0].notes.at(0).place.line, 41u);
  EXPECT_EQ(listener.reported[1].notes.at(0).place.line, 52u);
}

TEST(DiagnosticsPlaces, NamesEachCallThatMayBeMeant) {
  KernelOfLines kernel({9});
  kernel.call(0, 41);
  kernel.or_at(52);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:9:5", "lab3.cu:41:3", "lab3.cu:52:3"}));
  EXPECT_EQ(told.notes[1].message,
            "or from here: the compiler does not say which of the calls it is");
}

TEST(DiagnosticsPlaces, SaysThatALineIsOneNearby) {
  KernelOfLines kernel({41});
  kernel.merge(0);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "lab3.cu:41:5"}));
  EXPECT_EQ(told.notes[0].message,
            "or near here: the compiler has made one instruction of several lines'");
}

TEST(DiagnosticsPlaces, NamesEachLineThatMayBeMeant) {
  KernelOfLines kernel({41});
  kernel.wrap(0);
  kernel.or_at(52);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "bulk-copy.cuh:67:11", "lab3.cu:52:5"}));
  EXPECT_EQ(told.notes[1].message, "or here: the compiler does not say which of the lines it is");
}

TEST(DiagnosticsPlaces, NamesTheStudentsLineAndTheWrapperBelow) {
  KernelOfLines kernel({41});
  kernel.wrap(0);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "bulk-copy.cuh:67:11"}));
  EXPECT_EQ(told.notes[0].message, "in this function of the interface");
}

TEST(DiagnosticsPlaces, KnowsTheInterfaceByAPathThatBeginsWithItsFolder) {
  KernelOfLines kernel({41});
  kernel.move_into(0, "tma/bulk-copy.cuh");
  EXPECT_EQ(told_of(kernel).notes[0].message, "in this function of the interface");
}

TEST(DiagnosticsPlaces, NamesTheLineOfAKernelInAHeaderAndTheLibraryBelow) {
  KernelOfLines kernel({41});
  kernel.stand_in("/home/me/project/copy_kernel.h");
  kernel.move_into(0, "/opt/cutlass/include/cute/arch/copy_sm90_tma.hpp");
  const Diagnostic told = told_of(kernel);
  EXPECT_EQ(places_of(told), (Named{"copy_kernel.h:41:5", "copy_sm90_tma.hpp:67:11"}));
  EXPECT_EQ(told.notes[0].message, "in this function of a library");
}

TEST(DiagnosticsPlaces, NamesTheCallOfAHeadersFunctionByAKernelInAHeader) {
  KernelOfLines kernel({41});
  kernel.stand_in("/home/me/project/copy_kernel.h");
  kernel.move_into(0, "/home/me/project/tma_interface.h");
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"tma_interface.h:67:11", "copy_kernel.h:41:5"}));
  EXPECT_EQ(told.notes[0].message, "called from here");
}

TEST(DiagnosticsPlaces, NamesTheInnermostLineOfAKernelThatIsALibrarysOwn) {
  KernelOfLines kernel({41});
  kernel.stand_in("/opt/cuda/include/cccl/cub/device/dispatch/kernels/transform.cuh");
  kernel.move_into(0, "/opt/cuda/include/cccl/cub/block/block_scan.cuh");
  EXPECT_EQ(places_of(told_of(kernel)), (Named{"block_scan.cuh:67:11"}));
}

TEST(DiagnosticsPlaces, NamesThreadAndBytesByIndicesAndVariables) {
  KernelOfLines kernel({41, 25});
  kernel.request.block = {32, 2, 1};
  kernel.program.shared_variables = {{"tile", 1024, 4096, "tile"}, {"ring", 5120, 0, "ring"}};
  Listener listener;
  Finding finding = store(0, 2);
  finding.bytes = {1024 + 16, 256};
  finding.notes.push_back({NoteSentence::written_here, 1, {2, 0, 0}, {0, 34}, {6000, 1}});
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.cluster_ended(0);
  diagnostics.cluster_ended(1);
  diagnostics.report(finding);
  ASSERT_EQ(listener.reported.size(), 1U);
  EXPECT_NE(terminal_text(rendered(listener.reported[0]), Colors::none)
                .find("^ block (2,0,0), thread (1,1,0) reads tile[bytes 16 to 271]\n"),
            std::string::npos);
  EXPECT_EQ(listener.reported[0].notes.at(0).message,
            "ring[byte 880] was written here through the generic proxy by block (2,0,0), thread "
            "(2,1,0)");
  EXPECT_EQ(listener.reported[0].notes[0].excerpt->text, "ptx 2");  // lab3.cu is nowhere
}

}  // namespace
}  // namespace tmaemu
