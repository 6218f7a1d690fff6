// Which findings of a launch are reported, in which order, and how often they were.
#include "emulator/diagnostics/diagnostics.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "contract/findings/sentences.h"
#include "contract/rendering/terminal_text.h"

namespace tmaemu {
namespace {

// Keeps what is reported to it.
class Listener : public FindingOutput {
 public:
  explicit Listener(std::size_t most = 1000) : most_(most) {}
  std::optional<std::uint64_t> report(const Diagnostic& diagnostic) override {
    if (reported.size() == most_) return std::nullopt;
    reported.push_back(diagnostic);
    return reported.size() - 1;
  }
  void count(std::uint64_t number, const Diagnostic&, std::uint64_t count) override {
    counts.emplace_back(number, count);
  }
  void leave_out() override { ++left_out; }
  const SourceFiles& source_files() const override { return files_; }

  std::vector<Diagnostic> reported;
  int left_out = 0;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> counts;

 private:
  std::size_t most_;
  SourceFiles files_{"/nowhere"};
};

// Wants to hear of a finding once, whatever the number of launches.
class MergingListener : public Listener {
 public:
  bool merges_launches() const override { return true; }
};

// A kernel with these lines of lab3.cu, an instruction each; 0: an instruction without a line.
class Kernel {
 public:
  explicit Kernel(const std::vector<std::uint32_t>& lines) {
    module_.text = "ptx 1\nptx 2\nptx 3\nptx 4\n";
    module_.files = {"/submission/lab3.cu", "/grader/labs/common/tma/bulk-copy.cuh"};
    instructions_.resize(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (lines[i] != 0) instructions_[i].source = {0, lines[i], 5, -1};
      instructions_[i].line = static_cast<int>(i + 1);
      program.sites.push_back(&instructions_[i]);
    }
    function_.name = "kernel";
    program.module = &module_;
    program.function = &function_;
    request.grid.x = 4;
    request.block.x = 64;
  }
  // The instruction is part of a wrapper that is inlined at its line.
  void wrap(std::size_t site) {
    module_.inline_sites.push_back({instructions_[site].source, "store"});
    instructions_[site].source = {1, 67, 11,
                                  static_cast<std::int32_t>(module_.inline_sites.size() - 1)};
  }

  // The instruction is part of that header, which is inlined at its line.
  void move_into(std::size_t site, const std::string& header) {
    module_.files[1] = header;
    wrap(site);
  }

  // The kernel itself stands in that file.
  void stand_in(const std::string& file) { module_.files[0] = file; }

  // The instruction is part of a function of the student's own that is inlined at a line.
  void call(std::size_t site, std::uint32_t line) {
    module_.inline_sites.push_back({{0, line, 3, -1}, "helper"});
    instructions_[site].source.inlined_at =
        static_cast<std::int32_t>(module_.inline_sites.size() - 1);
  }

  // The instruction has no line of its own, and its line is one nearby.
  void merge(std::size_t site) { instructions_[site].source.is_near = true; }

  // The last call may as well have been at that line.
  void or_at(std::uint32_t line) {
    ptx::InlineSite other = module_.inline_sites.back();
    other.call.line = line;
    module_.inline_sites.insert(module_.inline_sites.begin(), other);
    module_.inline_sites.back().alternatives = {0};
    for (ptx::Instruction& instruction : instructions_) {
      if (instruction.source.inlined_at >= 0) ++instruction.source.inlined_at;
    }
  }

  Program program;
  LaunchRequest request;

 private:
  ptx::Module module_;
  ptx::Function function_;
  std::vector<ptx::Instruction> instructions_;
};

Finding store(std::uint32_t site, std::uint32_t block = 0) {
  Finding finding{Sentence::store_reads_unfenced};
  finding.site = site;
  finding.cta = {block, 0, 0};
  finding.thread = {0, 33};
  return finding;
}

std::vector<std::uint32_t> lines(const Listener& listener) {
  std::vector<std::uint32_t> lines;
  for (const Diagnostic& one : listener.reported) lines.push_back(one.place.value().line);
  return lines;
}

using Counts = std::vector<std::pair<std::uint64_t, std::uint64_t>>;
using Lines = std::vector<std::uint32_t>;

TEST(Diagnostics, TellsAFindingOfOneLineOnceWithItsNumber) {
  Kernel kernel({41});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  for (int i = 0; i < 3; ++i) diagnostics.report(store(0));
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_EQ(listener.counts, (Counts{{0, 3}}));
}

void report_in_launches(int launches, const Kernel& kernel, Listener& listener) {
  for (int i = 0; i < launches; ++i) {
    Diagnostics diagnostics(kernel.program, kernel.request, listener);
    diagnostics.report(store(0));
    diagnostics.finish();
  }
}

TEST(Diagnostics, TellsAFindingOfManyLaunchesOnceWithItsNumberAtTheEnd) {
  const Kernel kernel({41});
  MergingListener listener;
  report_in_launches(3, kernel, listener);
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_EQ(listener.counts, Counts{});
  known_findings().tell(listener);
  EXPECT_EQ(listener.counts, (Counts{{0, 3}}));
  known_findings().tell(listener);
  EXPECT_EQ(listener.counts.size(), 1U) << "nothing was found since";
}

TEST(Diagnostics, TellsAFindingOfEachLaunchToWhoAsksForEach) {
  const Kernel kernel({41});
  Listener listener;
  report_in_launches(3, kernel, listener);
  EXPECT_EQ(lines(listener), (Lines{41, 41, 41}));
}

// The compiler unrolls a loop: one line becomes several instructions.
TEST(Diagnostics, TellsAnUnrolledLineOnce) {
  Kernel kernel({41, 41, 41, 50});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  for (const std::uint32_t site : {0u, 1u, 2u, 3u}) diagnostics.report(store(site));
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41, 50}));
  EXPECT_EQ(listener.counts, (Counts{{0, 3}}));
}

TEST(Diagnostics, TellsAnUnrolledLineOnceAcrossClusters) {
  Kernel kernel({41, 41});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(0, 1));
  diagnostics.report(store(1, 1));
  diagnostics.report(store(1, 0));
  diagnostics.cluster_ended(0);
  diagnostics.cluster_ended(1);
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_EQ(listener.reported[0].thread->block[0], 0U);
  EXPECT_EQ(listener.counts, (Counts{{0, 3}}));
}

TEST(Diagnostics, TellsInstructionsWithoutLinesApart) {
  Kernel kernel({0, 0});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(0));
  diagnostics.report(store(1));
  EXPECT_EQ(lines(listener), (Lines{1, 2}));
  EXPECT_TRUE(listener.reported[0].place->is_ptx);
  EXPECT_EQ(text_of(listener.reported[0].place.value()), "kernel (PTX line 1)");
}

TEST(Diagnostics, TellsTwoMistakesOfOneLine) {
  Kernel kernel({41});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  Finding other = store(0);
  other.sentence = Sentence::store_reads_unsynchronized;
  diagnostics.report(store(0));
  diagnostics.report(other);
  EXPECT_EQ(lines(listener), (Lines{41, 41}));
}

TEST(Diagnostics, TellsClustersInTheGridsOrder) {
  Kernel kernel({41, 50});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(1, 2));
  diagnostics.cluster_ended(2);
  diagnostics.cluster_ended(1);
  EXPECT_TRUE(listener.reported.empty());
  diagnostics.report(store(0, 0));
  diagnostics.cluster_ended(0);
  EXPECT_EQ(lines(listener), (Lines{41, 50}));
}

TEST(Diagnostics, TellsNothingOfClustersBehindAFault) {
  Kernel kernel({41, 50});
  Listener listener;
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(store(1, 2));
  diagnostics.cluster_ended(2);
  diagnostics.fault(store(0, 0));  // so cluster 0 never ends, and 1 might as well not have run
  diagnostics.finish();
  EXPECT_EQ(lines(listener), (Lines{41}));
}

TEST(Diagnostics, CountsWhatTheOutputDoesNotTake) {
  Kernel kernel({41, 50});
  Listener listener(1);
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  const std::uint64_t before = findings_reported();
  for (const std::uint32_t site : {0u, 1u, 1u}) diagnostics.report(store(site));
  diagnostics.finish();
  EXPECT_EQ(findings_reported() - before, 2U);
  EXPECT_EQ(lines(listener), (Lines{41}));
  EXPECT_TRUE(listener.counts.empty());
}

// What is told of a finding of the kernel's first instruction.
Diagnostic told_of(const Kernel& kernel) {
  Listener listener;
  Diagnostics(kernel.program, kernel.request, listener).report(store(0));
  return listener.reported.at(0);
}

// Of the finding, and of its notes.
using Named = std::vector<std::string>;
Named places_of(const Diagnostic& diagnostic) {
  Named places{text_of(diagnostic.place.value())};
  for (const Diagnostic::Note& note : diagnostic.notes) places.push_back(text_of(note.place));
  return places;
}

TEST(Diagnostics, NamesTheCallOfTheStudentsOwnFunction) {
  Kernel kernel({41});
  kernel.call(0, 70);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "lab3.cu:70:3"}));
  EXPECT_EQ(told.notes[0].message, "called from here");
}

TEST(Diagnostics, TellsMistakesInTwoCallsOfOneFunctionApart) {
  Kernel kernel({9, 9, 9});
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

TEST(Diagnostics, NamesEachCallThatMayBeMeant) {
  Kernel kernel({9});
  kernel.call(0, 41);
  kernel.or_at(52);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:9:5", "lab3.cu:41:3", "lab3.cu:52:3"}));
  EXPECT_EQ(told.notes[1].message,
            "or from here: the compiler does not say which of the calls it is");
}

TEST(Diagnostics, SaysThatALineIsOneNearby) {
  Kernel kernel({41});
  kernel.merge(0);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "lab3.cu:41:5"}));
  EXPECT_EQ(told.notes[0].message,
            "or near here: the compiler has made one instruction of several lines'");
}

TEST(Diagnostics, NamesEachLineThatMayBeMeant) {
  Kernel kernel({41});
  kernel.wrap(0);
  kernel.or_at(52);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "bulk-copy.cuh:67:11", "lab3.cu:52:5"}));
  EXPECT_EQ(told.notes[1].message, "or here: the compiler does not say which of the lines it is");
}

TEST(Diagnostics, NamesTheStudentsLineAndTheWrapperBelow) {
  Kernel kernel({41});
  kernel.wrap(0);
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"lab3.cu:41:5", "bulk-copy.cuh:67:11"}));
  EXPECT_EQ(told.notes[0].message, "in this function of the interface");
}

TEST(Diagnostics, KnowsTheInterfaceByAPathThatBeginsWithItsFolder) {
  Kernel kernel({41});
  kernel.move_into(0, "tma/bulk-copy.cuh");
  EXPECT_EQ(told_of(kernel).notes[0].message, "in this function of the interface");
}

TEST(Diagnostics, NamesTheLineOfAKernelInAHeaderAndTheLibraryBelow) {
  Kernel kernel({41});
  kernel.stand_in("/home/me/project/copy_kernel.h");
  kernel.move_into(0, "/opt/cutlass/include/cute/arch/copy_sm90_tma.hpp");
  const Diagnostic told = told_of(kernel);
  EXPECT_EQ(places_of(told), (Named{"copy_kernel.h:41:5", "copy_sm90_tma.hpp:67:11"}));
  EXPECT_EQ(told.notes[0].message, "in this function of a library");
}

TEST(Diagnostics, NamesTheCallOfAHeadersFunctionByAKernelInAHeader) {
  Kernel kernel({41});
  kernel.stand_in("/home/me/project/copy_kernel.h");
  kernel.move_into(0, "/home/me/project/tma_interface.h");
  const Diagnostic told = told_of(kernel);
  ASSERT_EQ(places_of(told), (Named{"tma_interface.h:67:11", "copy_kernel.h:41:5"}));
  EXPECT_EQ(told.notes[0].message, "called from here");
}

TEST(Diagnostics, NamesTheInnermostLineOfAKernelThatIsALibrarysOwn) {
  Kernel kernel({41});
  kernel.stand_in("/opt/cuda/include/cccl/cub/device/dispatch/kernels/transform.cuh");
  kernel.move_into(0, "/opt/cuda/include/cccl/cub/block/block_scan.cuh");
  EXPECT_EQ(places_of(told_of(kernel)), (Named{"block_scan.cuh:67:11"}));
}

TEST(Diagnostics, NamesThreadAndBytesByIndicesAndVariables) {
  Kernel kernel({41, 25});
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

TEST(Diagnostics, FillsASentenceWithItsValuesAndItsRule) {
  Kernel kernel({41});
  Listener listener;
  Finding finding{Sentence::barrier_number, {17u}};
  Finding rule{Sentence::tensor_map_invalid};
  rule.cta = {0, 0, 0};
  rule.rule = "boxDim[0] = 0 is not in 1..256";
  Diagnostics diagnostics(kernel.program, kernel.request, listener);
  diagnostics.report(rule);
  diagnostics.fault(finding);
  EXPECT_EQ(listener.reported.at(0).message,
            "the TMA instruction is given no valid tensor map: boxDim[0] = 0 is not in 1..256");
  EXPECT_EQ(listener.reported[0].rule, rule.rule);
  EXPECT_EQ(listener.reported.at(1).message, "barrier 17 does not exist; a CTA has 16, 0 to 15");
}

TEST(Diagnostics, NeverLetsAProgramsWordsRunOnOrOff) {
  Kernel kernel({41});
  kernel.program.shared_variables = {{"\033[2J\xFF" + std::string(100'000, 'x'), 0, 64, "tile"}};
  Listener listener;
  Finding finding{Sentence::assertion_failed,
                  {std::string(1'000'000, 'a'), 1, "b\nerror: forged [trap]", "", "\xC3"}};
  finding.bytes = {0, 16};
  Diagnostics(kernel.program, kernel.request, listener).fault(finding);
  const Diagnostic& reported = listener.reported.at(0);
  EXPECT_LT(reported.message.size(), 2000U);
  EXPECT_EQ(reported.message.find('\n'), std::string::npos);
  EXPECT_LT(reported.bytes->of.size(), 200U);
  EXPECT_EQ(reported.bytes->of.find('\033'), std::string::npos);
}

TEST(Diagnostics, TellsWaitersOfAnUnrolledLineTogether) {
  Kernel kernel({54, 54, 60});
  Listener listener;
  Finding deadlock{Sentence::all_threads_wait};
  const MbarrierWait wait{0, false, true, false, 1, 2, 0};
  deadlock.waiters = {{0, {}, {0, 1}, 32, wait},
                      {1, {}, {0, 2}, 16, wait},
                      {2, {}, {0, 3}, 1, wait},
                      {2, {}, {0, 4}, 1, ClusterBarrierWait{}}};
  Diagnostics(kernel.program, kernel.request, listener).fault(deadlock);
  const auto& waiters = listener.reported.at(0).waiters;
  ASSERT_EQ(waiters.size(), 3U);
  EXPECT_EQ(waiters[0].threads, 48U);
  EXPECT_EQ(waiters[0].first.thread[0], 1U);
}

// Site 0 is inlined from that header at line 41, site 1 is of line 50.
struct WithHeader {
  explicit WithHeader(const std::string& header) { kernel.move_into(0, header); }
  void report(Sentence sentence, std::uint32_t other) {
    Finding finding{sentence};
    finding.site = 0;
    finding.notes = {Note{NoteSentence::written_here, other}};
    Diagnostics(kernel.program, kernel.request, listener).report(finding);
  }
  Kernel kernel{{41, 50}};
  Listener listener;
};
constexpr char merge_sort[] = "/toolkit/include/cccl/cub/block/block_merge_sort.cuh";
constexpr char exchange[] = "/toolkit/include/cub/warp/specializations/warp_exchange_smem.cuh";
constexpr char epilogue[] =
    "/wheel/include/cutlass/epilogue/collective/sm90_epilogue_tma_warpspecialized.hpp";

TEST(LibraryFindings, AreLeftOut) {
  WithHeader of(merge_sort);
  of.report(Sentence::shared_never_written, 1);
  EXPECT_EQ(of.listener.reported.size(), 0U);
  EXPECT_EQ(of.listener.left_out, 1);
}

TEST(LibraryFindings, AreReadsOfRowsOutsideOfTheMatrix) {
  WithHeader of("/wheel/include/cutlass/gemm/threadblock/mma_multistage.h");
  of.report(Sentence::shared_never_written, 1);
  EXPECT_EQ(of.listener.left_out, 1);
}

TEST(LibraryFindings, AreReportedToWhoAsksForAll) {
  WithHeader of(merge_sort);
  reports_library_findings() = true;
  of.report(Sentence::shared_never_written, 1);
  reports_library_findings() = false;
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

TEST(LibraryFindings, AreNotThoseOfOtherHeaders) {
  WithHeader of("/submission/my_block_merge_sort.cuh");
  of.report(Sentence::shared_never_written, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

// Two uses of one TempStorage without a barrier in between.
TEST(LibraryFindings, AreNotTheProgramsOwnRacesInTheLibrary) {
  WithHeader of(merge_sort);
  of.report(Sentence::race_of_writes, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

TEST(LibraryFindings, AreRacesOfOneLineThatScatters) {
  WithHeader of(exchange);
  of.report(Sentence::race_of_writes, 0);
  EXPECT_EQ(of.listener.reported.size(), 0U);
  of.report(Sentence::race_of_writes, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

TEST(LibraryFindings, AreOneStoreThatAllLanesIssue) {
  WithHeader of(epilogue);
  of.report(Sentence::issued_twice, 0);
  EXPECT_EQ(of.listener.reported.size(), 0U);
  of.report(Sentence::issued_twice, 1);
  EXPECT_EQ(of.listener.reported.size(), 1U);
}

}  // namespace
}  // namespace tmaemu
