// The conformance suite of random programs: the same programs on a GPU and under the emulator,
// compared by a digest of each of their checkpoints.
//
//   conformance_random record FILE [--seed S]      runs all programs and writes the answers
//   conformance_random check FILE                  compares
//   conformance_random show FAMILY NUMBER [CHECKPOINT]   values here, to be compared by `diff`
//   conformance_random ptx FAMILY NUMBER           the program
#include <cuda_runtime_api.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/split_mix.h"
#include "tests/conformance/answers.h"
#include "tests/conformance/options.h"
#include "tests/conformance/random_device.h"
#include "tests/conformance/random_program.h"
#include "tests/conformance/run.h"

namespace conformance {

namespace {

constexpr FamilyCount families[] = {
    {Family::flow, "flow", random_flow, 200},
    {Family::memory, "memory", random_memory, 200},
    {Family::async, "async", random_async, 200},
    {Family::arithmetic, "arithmetic", random_arithmetic, 880},
};

constexpr std::uint64_t done = last_error + 1;
constexpr std::size_t most_checkpoints = 127;

struct Case {
  const FamilyCount* family;
  unsigned number;
  std::uint64_t seed;

  RandomProgram program() const { return family->make(seed); }
  std::string name() const { return family->name + (" " + std::to_string(number)); }
};

Case case_of(const FamilyCount& family, unsigned number, std::uint64_t seed) {
  const auto sequence = std::uint64_t{static_cast<unsigned>(family.family)} << 32 | number;
  return {&family, number, common::seed_of_sequence(seed, sequence)};
}

std::vector<Case> all_cases(std::uint64_t seed) {
  std::vector<Case> cases;
  for (const FamilyCount& family : families) {
    for (unsigned i = 0; i < family.programs; ++i) cases.push_back(case_of(family, i, seed));
  }
  return cases;
}

// Digests of all programs, in memory that the workers share.
class Outcome {
 public:
  explicit Outcome(std::uint64_t seed)
      : cases_(all_cases(seed)),
        slots_(static_cast<Slot*>(shared_memory(cases_.size() * sizeof(Slot)))) {}

  const std::vector<Case>& cases() const { return cases_; }
  // Empty where the program has not run to its end.
  std::span<const std::uint32_t> digests(std::size_t index) const {
    return {slots_[index].digests, slots_[index].count};
  }

  Suite suite() {
    Suite suite{cases_.size(), cases_.size(), {}, {}};
    suite.start = [this] { return [this](std::size_t index) { return run_case(index); }; };
    suite.text = [this](std::size_t index) { return cases_[index].name(); };
    suite.group = 4;
    suite.patience = 15;
    return suite;
  }

 private:
  struct Slot {
    std::uint32_t count;
    std::uint32_t digests[most_checkpoints];
  };

  std::uint64_t run_case(std::size_t index) {
    const RandomProgram program = cases_[index].program();
    RandomResults results;
    const CUresult result = run(program, results);
    if (result != CUDA_SUCCESS) return static_cast<std::uint64_t>(result);
    const std::vector<std::uint32_t> digests = digests_of(program, results);
    if (digests.size() > most_checkpoints) return refused;
    std::ranges::copy(digests, slots_[index].digests);
    slots_[index].count = static_cast<std::uint32_t>(digests.size());
    return done;
  }

  std::vector<Case> cases_;
  Slot* slots_;
};

// Programs that did not run, in words.
std::size_t report_failures(const Outcome& outcome, const Run& run) {
  std::size_t failures = 0;
  for (std::size_t i = 0; i < outcome.cases().size(); ++i) {
    const std::uint64_t answer = run.answer(i);
    if (answer == done || !run.is_selected(i)) continue;
    ++failures;
    std::printf("%s: %s\n", outcome.cases()[i].name().c_str(),
                answer == not_run   ? "not run"
                : answer == refused ? "has too many checkpoints"
                : answer == hung    ? "no end"
                : answer == crashed ? "stopped"
                                    : cudaGetErrorName(static_cast<cudaError_t>(answer)));
  }
  return failures;
}

// Two digests a word; of each program their number, then they.
Answers answers_of(const Outcome& outcome, const Machine& machine, std::uint64_t seed) {
  Answers answers;
  answers.title = "Random conformance 1";
  answers.machine = machine;
  answers.names.push_back("seed " + std::to_string(seed));
  std::vector<std::uint32_t> all;
  for (std::size_t i = 0; i < outcome.cases().size(); ++i) {
    const auto digests = outcome.digests(i);
    all.push_back(static_cast<std::uint32_t>(digests.size()));
    all.insert(all.end(), digests.begin(), digests.end());
  }
  all.resize((all.size() + 1) / 2 * 2);
  answers.cases.resize(all.size() / 2);
  std::memcpy(answers.cases.data(), all.data(), all.size() * sizeof all[0]);
  return answers;
}

int record(std::uint64_t seed, const char* path, int workers) {
  const Machine machine = this_machine();
  Outcome outcome(seed);
  Run run(outcome.suite(), 1);
  run.execute(workers, [] {});
  const Answers answers = answers_of(outcome, machine, seed);
  if (!write(path, answers)) {
    std::fprintf(stderr, "conformance_random: cannot write %s\n", path);
    return 3;
  }
  const std::size_t failures = report_failures(outcome, run);
  std::printf("%zu random programs, %zu without an answer: %s\n", outcome.cases().size(), failures,
              path);
  return failures == 0 ? 0 : 1;
}

// The recorded digests, program after program.
class Recorded {
 public:
  explicit Recorded(const Answers& answers) : digests_(answers.cases.size() * 2) {
    std::memcpy(digests_.data(), answers.cases.data(), digests_.size() * sizeof digests_[0]);
  }
  std::span<const std::uint32_t> next() {
    if (at_ >= digests_.size()) return {};
    const std::size_t count = std::min<std::size_t>(digests_[at_], digests_.size() - at_ - 1);
    const std::span<const std::uint32_t> digests(&digests_[at_] + 1, count);
    at_ += 1 + count;
    return digests;
  }

 private:
  std::vector<std::uint32_t> digests_;
  std::size_t at_ = 0;
};

int check(const char* path, int workers, std::size_t shown, std::size_t every) {
  Answers answers;
  if (!read(path, answers) || answers.names.empty()) {
    std::fprintf(stderr, "conformance_random: %s does not hold answers\n", path);
    return 3;
  }
  const std::uint64_t seed =
      std::strtoull(answers.names[0].c_str() + std::strlen("seed "), nullptr, 10);
  const Machine machine = this_machine();
  Outcome outcome(seed);
  Run run(outcome.suite(), every);
  run.execute(workers, [] {});
  Recorded recorded(answers);
  std::size_t compared = 0, wrong = 0, unrecorded = 0;
  for (std::size_t i = 0; i < outcome.cases().size(); ++i) {
    // A program that was not run, or not to its end, has no digests here.
    const auto first = [count = std::size_t{outcome.cases()[i].program().compared}](auto digests) {
      return digests.first(std::min(count, digests.size()));
    };
    const auto there = first(recorded.next());
    const auto here = first(outcome.digests(i));
    if (!run.is_selected(i)) continue;
    if (there.empty()) ++unrecorded;
    if (there.empty() || here.empty()) continue;
    compared += there.size();
    const auto differs = std::ranges::mismatch(here, there);
    if (differs.in1 == here.end() && differs.in2 == there.end()) continue;
    if (wrong++ < shown) {
      std::printf("%s: checkpoint %td of %zu is not what was recorded\n",
                  outcome.cases()[i].name().c_str(), differs.in1 - here.begin(), there.size());
    }
  }
  const std::size_t failures = report_failures(outcome, run);
  std::printf("%s against:\n%s", machine.device.c_str(), answers.header().c_str());
  std::printf(
      "%zu random programs, %zu hashes compared: %zu programs differ, %zu not run, %zu without a "
      "recorded answer\n",
      run.answered() + failures, compared, wrong, failures, unrecorded);
  return wrong + failures == 0 ? 0 : 1;
}

// One program's values, a line a checkpoint and thread.
int show(const Case& one, const char* checkpoint) {
  const RandomProgram program = one.program();
  RandomResults results;
  if (const CUresult result = run(program, results); result != CUDA_SUCCESS) {
    std::printf("%s: CUDA error %d\n", one.name().c_str(), static_cast<int>(result));
    return 1;
  }
  const std::size_t threads = std::size_t{program.ctas} * program.threads;
  for (std::size_t i = 0; i < results.words.size(); ++i) {
    if (checkpoint != nullptr && i / threads != std::strtoul(checkpoint, nullptr, 10)) continue;
    std::printf("%zu %zu %016llx\n", i / threads, i % threads,
                static_cast<unsigned long long>(results.words[i]));
  }
  for (std::size_t i = 0; i < results.memory.size() && checkpoint == nullptr; ++i) {
    std::printf("memory %zu %016llx\n", i, static_cast<unsigned long long>(results.memory[i]));
  }
  return 0;
}

int usage() {
  std::fprintf(stderr,
               "usage: conformance_random record FILE | check FILE\n"
               "                          show FAMILY NUMBER [CHECKPOINT] | ptx FAMILY NUMBER\n"
               "       --seed S      the programs' (default 1)\n"
               "       --workers N   processes at once (default 2)\n"
               "       --every N     every Nth program only\n"
               "       --show N      differing programs that are named (default 10)\n");
  return 2;
}

int main_of(int argc, char** argv) {
  std::uint64_t seed = 1;
  std::uint64_t workers = 2, shown = 10, every = 1;
  const auto words = take_options(
      argc, argv,
      {{"--workers", &workers}, {"--show", &shown}, {"--every", &every}, {"--seed", &seed}});
  if (!words || words->size() < 2) return usage();
  const std::string mode = words->at(0);
  if (mode == "record") return record(seed, words->at(1), static_cast<int>(workers));
  if (mode == "check") return check(words->at(1), static_cast<int>(workers), shown, every);
  const auto* family = std::ranges::find_if(
      families, [&](const FamilyCount& one) { return std::strcmp(one.name, words->at(1)) == 0; });
  if (family == std::end(families) || words->size() < 3) return usage();
  const Case one =
      case_of(*family, static_cast<unsigned>(std::strtoul(words->at(2), nullptr, 10)), seed);
  if (mode == "show") return show(one, words->size() > 3 ? words->at(3) : nullptr);
  if (mode == "ptx") return std::printf("%s", one.program().ptx.c_str()) < 0;
  return usage();
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  return conformance::main_of(argc, argv);
}
